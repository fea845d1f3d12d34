"""What the comparisons with other libraries share: lanepool on numpy arrays, and counting."""

import argparse
import collections
import importlib
import os
import pathlib
import sys

import ml_dtypes
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "onnx"))
import lanepool_ctypes as lp  # noqa: E402  pylint: disable=wrong-import-position

SKIPPED = 77  # exit code: the other library is not installed
MOST_PRINTED = 10
FEW_OUTPUTS = 400  # of a group: chance decides how many are equal
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
TYPES = {
    np.dtype(np.float32): lp.TYPE_FLOAT,
    np.dtype(np.float64): lp.TYPE_DOUBLE,
    np.dtype(np.float16): lp.TYPE_FLOAT16,
    BFLOAT16: lp.TYPE_BFLOAT16,
    np.dtype(np.uint8): lp.TYPE_UINT8,
    np.dtype(np.int8): lp.TYPE_INT8,
    np.dtype(np.uint16): lp.TYPE_UINT16,
    np.dtype(np.int16): lp.TYPE_INT16,
    np.dtype(np.int32): lp.TYPE_INT32,
    np.dtype(np.int64): lp.TYPE_INT64,
}
# Unit roundoff of the types, and half of the least subnormal.
ROUNDOFF = {
    np.dtype(np.float32): (2.0**-24, 2.0**-150),
    np.dtype(np.float64): (2.0**-53, 0.0),
    np.dtype(np.float16): (2.0**-11, 2.0**-25),
    BFLOAT16: (2.0**-8, 2.0**-134),
}


def accumulator_roundoff(dtype):
    """Of f64 for f64, of f32 for the others."""
    return ROUNDOFF[np.dtype(np.float64 if dtype == np.float64 else np.float32)][0]


def is_float(dtype):
    return np.dtype(dtype) in ROUNDOFF


def optional(module, package):
    """The module, or the end of a test that cannot be made here."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        print(f"skipped: {module} cannot be imported ({error}): pip install {package}")
        sys.exit(SKIPPED)


def parse_arguments(documentation):
    parser = argparse.ArgumentParser(description=documentation.splitlines()[0])
    parser.add_argument("--library", default=os.environ.get("LANEPOOL_LIBRARY"))
    parser.add_argument("--jobs", type=int, default=60, help="random jobs of each group")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.library:
        parser.error("which library? Give --library or set LANEPOOL_LIBRARY")
    return lp.Library(options.library), options


def random_values(rng, shape, dtype):
    """Values of the whole range, or of a small one, in which there are ties."""
    dtype = np.dtype(dtype)
    if not is_float(dtype):
        info = np.iinfo(dtype)
        shift = 0 if rng.random() < 0.5 else 3 * dtype.itemsize
        low, high = info.min >> shift, info.max >> shift
        return rng.integers(low, high, shape, endpoint=True).astype(dtype)
    if rng.random() < 0.3:
        return rng.integers(-3, 4, shape).astype(dtype)
    return (rng.standard_normal(shape) * 10).astype(dtype)


def add_specials(rng, x, share=0.08):
    """NaN and infinities among the values of a float array."""
    chosen = rng.random(x.shape) < share
    x[chosen] = rng.choice([np.nan, np.inf, -np.inf], int(chosen.sum())).astype(x.dtype)


def _channels_last(array, is_last):
    return np.ascontiguousarray(np.moveaxis(array, 1, -1) if is_last else array)


def pool(library, params, x, *, channels_last=False, index=None):
    """y, and the indices if the params ask for them, of x in N, C, spatial axes. The shape and the
    types of the params are filled in here; `channels_last` is how lanepool gets x."""
    params.layout = lp.LAYOUT_NHWC if channels_last else lp.LAYOUT_NCHW
    rank = params.rank = x.ndim - 2
    params.x_type = params.y_type = TYPES[x.dtype]
    params.batch, params.channels = x.shape[:2]
    params.input[:rank] = x.shape[2:]
    desc = library.plan(params)
    y = _new_output(x, desc, x.dtype, channels_last)
    buffer = None
    if index is not None:
        buffer = _channels_last(index, channels_last)
    elif params.index_type != lp.TYPE_NONE:
        wide = params.index_type == lp.TYPE_INT64
        buffer = _new_output(x, desc, np.int64 if wide else np.int32, channels_last)
    library.run(desc, _channels_last(x, channels_last), y, buffer)
    results = [np.moveaxis(a, -1, 1) if channels_last else a for a in (y, buffer) if a is not None]
    return results[0] if index is not None or buffer is None else tuple(results)


def _new_output(x, desc, dtype, channels_last):
    shape = [*x.shape[:2], *desc.output[: desc.rank]]
    if channels_last:
        shape = [shape[0], *shape[2:], shape[1]]
    output = np.empty(shape, dtype)
    output.view(np.uint8)[...] = 0x55
    return output


def same(ours, theirs):
    """Equal values; NaN is NaN, and zeros are equal."""
    equal = ours == theirs
    if is_float(ours.dtype):
        equal |= np.isnan(ours.astype(np.float64)) & np.isnan(theirs.astype(np.float64))
    return equal


def rounding_only(ours, theirs, roundings, more=0.0):
    """Where two results are at most so many roundings of their type apart, and `more`."""
    u, tiny = ROUNDOFF[ours.dtype]
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.abs(a - b) <= roundings * u * np.abs(a) + 2 * tiny + more


class Tally:
    """Equal and explained results of each group; what nobody explains is a failure."""

    def __init__(self, title):
        self.title = title
        self.jobs, self.outputs, self.equal = (collections.Counter() for _ in range(3))
        self.reasons = collections.Counter()
        self.refused = collections.Counter()
        self.failures = 0

    def compare(self, group, ours, theirs, *, reasons=None, job=""):
        """`reasons` are names and masks; the first that covers a difference explains it."""
        self.jobs[group] += 1
        if ours.shape != theirs.shape:
            self.fail(group, job, f"shape {ours.shape}, theirs is {theirs.shape}")
            return
        different = ~same(ours, theirs)
        self.outputs[group] += ours.size
        self.equal[group] += int(ours.size - different.sum())
        for name, mask in (reasons or {}).items():
            explained = different & mask
            if explained.any():
                self.reasons[group, name] += int(explained.sum())
            different &= ~explained
        if different.any():
            at = tuple(int(i) for i in np.argwhere(different)[0])
            count = int(different.sum())
            self.fail(group, job, f"{count} differ, first at {at}: {ours[at]}, theirs {theirs[at]}")

    def refuse(self, group, who):
        """One side does not take the job, and is right by its own rules."""
        self.refused[group, who] += 1

    def fail(self, group, job, problem):
        self.failures += 1
        if self.failures <= MOST_PRINTED:
            print(f"FAILED  {group}: {job}\n        {problem}")

    def finish(self, least_equal=0.5):
        """Prints everything; the exit code. Where too little is equal, nothing was compared."""
        print(f"{self.title}\n")
        print(f"{'group':34}{'jobs':>6}{'outputs':>10}{'equal':>10}")
        for group in dict.fromkeys([*self.jobs, *(group for group, _ in self.refused)]):
            outputs, equal = self.outputs[group], self.equal[group]
            print(f"{group:34}{self.jobs[group]:6}{outputs:10}{equal:10}")
            for counter, what in ((self.reasons, ""), (self.refused, "jobs refused: ")):
                for (of, name), count in counter.items():
                    if of == group:
                        print(f"    {count:8} {what}{name}")
            if outputs > FEW_OUTPUTS and equal < least_equal * outputs:
                self.fail(group, "the whole group", "hardly anything is equal")
        total, equal = sum(self.outputs.values()), sum(self.equal.values())
        explained = sum(self.reasons.values())
        print(f"\n{total} outputs: {equal} equal, {explained} differ for a known reason")
        print(f"{len(self.jobs)} groups compared, {self.failures} failures")
        return 1 if self.failures or not total else 0


def describe(x, **attributes):
    shown = ", ".join(f"{k}={v}" for k, v in attributes.items())
    return f"{x.dtype}{list(x.shape)} {shown}"
