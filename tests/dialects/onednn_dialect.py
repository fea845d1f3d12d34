#!/usr/bin/env python3
"""LANEPOOL_DIALECT_ONEDNN against oneDNN: maximum and both averages of f32, f16, bf16, u8 and s8,
and the maximum of s32, in its nchw and nhwc formats.

Averages run with STRICT_ORDER: oneDNN adds as a plain loop does. Whatever differs must be of one of
the classes in docs/dialects.md. Without oneDNN the test says so, and is skipped.

Usage: onednn_dialect.py [--library liblanepool.so] [--jobs N] [--seed S]
"""

import math
import sys

import numpy as np

import support
from onednn_c import AVERAGE_EXCLUDE_PADDING, AVERAGE_INCLUDE_PADDING, DATA_TYPES, POOLING_MAX
from onednn_c import OneDnn, Refused
from random_windows import less_than_kernel, random_shape, random_window
from support import is_float, lp, pool, random_values

ALGORITHMS = {
    "max": (POOLING_MAX, lp.OP_MAX, lp.DIVISOR_EXCLUDE_PAD),
    "avg_include_padding": (AVERAGE_INCLUDE_PADDING, lp.OP_AVERAGE, lp.DIVISOR_FULL_KERNEL),
    "avg_exclude_padding": (AVERAGE_EXCLUDE_PADDING, lp.OP_AVERAGE, lp.DIVISOR_EXCLUDE_PAD),
}


def end_pads(window, sizes, output):
    """oneDNN has no ceil_mode: its callers make the end pad as large as the last window needs."""
    needs = [
        (out - 1) * stride + effective - size - begin
        for out, stride, effective, size, begin in zip(
            output, window.strides, window.effective(), sizes, window.begin
        )
    ]
    return [max(end, need) for end, need in zip(window.end, needs)]


def new_output(x, output, channels_last):
    shape = [*x.shape[:2], *output]
    if channels_last:
        return np.moveaxis(np.zeros([shape[0], *shape[2:], shape[1]], x.dtype), -1, 1)
    return np.zeros(shape, x.dtype)


def random_job(rng, library, name, dtype):
    rank = int(rng.integers(1, 4))
    x = random_values(rng, random_shape(rng, rank), dtype)
    window = random_window(rng, x.shape[2:], most_pad=less_than_kernel, dilated=True)
    params = library.params(lp.DIALECT_ONEDNN)
    _, params.op, params.divisor = ALGORITHMS[name]
    if params.op == lp.OP_AVERAGE:
        params.flags = lp.FLAG_STRICT_ORDER
    window.set(params)
    return x, window, params


def known_reasons(library, window, params, x, ours, theirs):
    if x.dtype == np.int32:
        return {"compares in f32": ours.astype(np.float32) == theirs.astype(np.float32)}
    if params.op == lp.OP_MAX:
        return {}
    if not is_float(x.dtype):
        means = pool(library, params, x.astype(np.float64))
        tie = (means - np.floor(means) == 0.5) & (np.abs(theirs - means) == 0.5)
        return {"on a tie: multiplies by 1 / count": tie}
    averages = pool(library, params, np.abs(x.astype(np.float32)))
    error = averages * (math.prod(window.kernel) + 2) * 2.0**-24
    return {"order of additions": support.rounding_only(ours, theirs, 2, error)}


def refusals(name, x, window):
    """What oneDNN refuses among these jobs, and why."""
    known = {}
    if x.dtype == np.float16:
        known["unimplemented"] = "no f16 on this machine"
    gaps = [dilation - 1 for dilation in window.dilations]
    if name == "avg_exclude_padding" and any(g >= n for g, n in zip(gaps, x.shape[2:])):
        known["invalid arguments"] = "a dilation beyond the input"
    return known


def compare_job(one_dnn, library, rng, tally, name, dtype):
    x, window, params = random_job(rng, library, name, dtype)
    channels_last = bool(rng.random() < 0.5)
    group = f"{name} {dtype} {'nhwc' if channels_last else 'nchw'}"
    job = support.describe(x, window=window)
    try:
        ours = pool(library, params, x, channels_last=channels_last)
    except lp.StatusError as error:
        if error.status != lp.STATUS_EMPTY_WINDOW:
            raise
        tally.refuse(group, "lanepool: an empty window")
        return
    theirs = new_output(x, ours.shape[2:], channels_last)
    source = np.ascontiguousarray(np.moveaxis(x, 1, -1)) if channels_last else x
    source = np.moveaxis(source, -1, 1) if channels_last else source
    pads_end = end_pads(window, x.shape[2:], ours.shape[2:])
    try:
        one_dnn.pool(ALGORITHMS[name][0], source, theirs, window, pads_end)
    except Refused as error:
        known = refusals(name, x, window)
        if str(error) not in known:
            tally.fail(group, job, f"oneDNN refuses it: {error}")
            return
        tally.refuse(group, f"oneDNN: {known[str(error)]}")
        return
    reasons = known_reasons(library, window, params, x, ours, theirs)
    tally.compare(group, ours, theirs, reasons=reasons, job=job)


def main():
    one_dnn = OneDnn()
    library, options = support.parse_arguments(__doc__)
    rng = np.random.default_rng(options.seed)
    tally = support.Tally(f"lanepool {library.version}, oneDNN {one_dnn.version}")
    for name in ALGORITHMS:
        for dtype in DATA_TYPES:
            if dtype == np.int32 and name != "max":
                continue
            for _ in range(options.jobs):
                compare_job(one_dnn, library, rng, tally, name, dtype)
    return tally.finish(least_equal=0.2)


if __name__ == "__main__":
    sys.exit(main())
