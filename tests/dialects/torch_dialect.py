#!/usr/bin/env python3
"""LANEPOOL_DIALECT_TORCH against PyTorch: average, max with indices, adaptive, Lp and unpooling.

Averages run with STRICT_ORDER: PyTorch adds as a plain loop does, so that every bit must be equal.
Whatever differs must be of one of the classes in docs/dialects.md. Without PyTorch the test says
so, and is skipped.

Usage: torch_dialect.py [--library liblanepool.so] [--jobs N] [--seed S]
"""

import math
import sys

import numpy as np

import support
from random_windows import half_of_kernel, no_pad, random_shape, random_window
from support import BFLOAT16, add_specials, is_float, lp, pool, random_values, rounding_only

torch = support.optional("torch", "torch")

FLOATS = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16), BFLOAT16)
SMALL_INTEGERS = tuple(np.dtype(t) for t in (np.uint8, np.int8, np.int16, np.int32))
RANKS = (1, 2, 3)

# What PyTorch refuses among these jobs: a part of its message, and what it means.
REFUSALS = {
    "smaller than kernel size": "PyTorch's avg_pool3d holds the kernel against the unpadded input",
    "std::numeric_limits<integer_t>::max()": "PyTorch counts positions of NHWC bytes in bytes",
}


def has_average(dtype, rank):
    """avg_pool3d takes no 16-bit floats."""
    return rank < 3 or dtype.itemsize > 2


def to_torch(array, channels_last=False):
    if array.dtype == BFLOAT16:
        tensor = torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(array)
    if channels_last and array.ndim > 3:
        formats = {4: torch.channels_last, 5: torch.channels_last_3d}
        tensor = tensor.contiguous(memory_format=formats[array.ndim])
    return tensor


def from_torch(tensor):
    tensor = tensor.contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(BFLOAT16)
    return tensor.numpy()


def function(name, rank):
    return getattr(torch.nn.functional, f"{name}_pool{rank}d")


class Comparison:
    def __init__(self, library, options):
        self.library, self.jobs = library, options.jobs
        self.rng = np.random.default_rng(options.seed)
        self.tally = support.Tally(f"lanepool {library.version}, PyTorch {torch.__version__}")

    def params(self, op):
        params = self.library.params(lp.DIALECT_TORCH)
        params.op = op
        return params

    def random_input(self, rank, dtype):
        """x, and whether it is channels last."""
        x = random_values(self.rng, random_shape(self.rng, rank), dtype)
        if is_float(dtype) and self.rng.random() < 0.25:
            add_specials(self.rng, x)
        return x, bool(self.rng.random() < 0.5)

    def groups(self, name, dtypes):
        """(group, rank, dtype) as often as there are jobs."""
        for dtype in dtypes:
            for rank in RANKS:
                for _ in range(self.jobs):
                    yield f"{name} {dtype.name}", rank, dtype

    def attempt(self, group, call, *arguments, **options):
        """PyTorch's result, or None if it refuses the job for a known reason."""
        try:
            return call(*arguments, **options)
        except RuntimeError as error:
            for text, meaning in REFUSALS.items():
                if text in str(error):
                    self.tally.refuse(group, meaning)
                    return None
            raise

    def averages(self):
        for group, rank, dtype in self.groups("avg_pool", FLOATS):
            if not has_average(dtype, rank):
                continue
            x, channels_last = self.random_input(rank, dtype)
            window = random_window(self.rng, x.shape[2:], most_pad=half_of_kernel, symmetric=True)
            options = {"count_include_pad": bool(self.rng.random() < 0.5)}
            params = self.params(lp.OP_AVERAGE)
            params.flags = lp.FLAG_STRICT_ORDER
            params.divisor = (
                lp.DIVISOR_INCLUDE_PAD if options["count_include_pad"] else lp.DIVISOR_EXCLUDE_PAD
            )
            if rank > 1 and self.rng.random() < 0.3:
                params.divisor, params.divisor_value = lp.DIVISOR_CONSTANT, 7
                options["divisor_override"] = 7
            window.set(params)
            theirs = self.attempt(
                group,
                function("avg", rank),
                to_torch(x, channels_last),
                window.kernel,
                window.strides,
                window.begin,
                ceil_mode=window.ceil,
                **options,
            )
            if theirs is None:
                continue
            ours = pool(self.library, params, x, channels_last=channels_last)
            job = support.describe(x, window=window, channels_last=channels_last, **options)
            self.tally.compare(group, ours, from_torch(theirs), job=job)

    def maxima(self):
        for group, rank, dtype in self.groups("max_pool", FLOATS + SMALL_INTEGERS):
            x, channels_last = self.random_input(rank, dtype)
            window = random_window(
                self.rng, x.shape[2:], most_pad=half_of_kernel, dilated=True, symmetric=True
            )
            params = self.params(lp.OP_MAX)
            params.index_type = lp.TYPE_INT64
            window.set(params)
            theirs = self.attempt(
                group,
                function("max", rank),
                to_torch(x, channels_last),
                window.kernel,
                window.strides,
                window.begin,
                window.dilations,
                window.ceil,
                return_indices=True,
            )
            if theirs is None:
                continue
            ours = pool(self.library, params, x, channels_last=channels_last)
            job = support.describe(x, window=window, channels_last=channels_last)
            self.compare_maxima(group, ours, [from_torch(t) for t in theirs], job)

    def compare_maxima(self, group, ours, theirs, job):
        self.tally.compare(group, ours[0], theirs[0], job=job)
        dtype = ours[0].dtype
        nan = np.zeros(ours[0].shape, bool)
        if is_float(dtype):
            nan = np.isnan(ours[0].astype(np.float64))
        lowest = -np.inf if is_float(dtype) else np.iinfo(dtype).min
        reasons = {
            "the last NaN": nan & (theirs[1] > ours[1]),
            "empty window": ours[1] == -1,
            "all taps are the lowest value": ours[0] == lowest,
        }
        self.tally.compare(f"{group} indices", ours[1], theirs[1], reasons=reasons, job=job)

    def adaptive(self, name, op):
        for group, rank, dtype in self.groups(f"adaptive_{name}_pool", FLOATS):
            x, channels_last = self.random_input(rank, dtype)
            sizes = [int(self.rng.integers(1, n + 3)) for n in x.shape[2:]]
            params = self.params(op)
            params.flags = lp.FLAG_ADAPTIVE
            params.output_size[:rank] = sizes
            job = support.describe(x, output=sizes, channels_last=channels_last)
            call = function(f"adaptive_{name}", rank)
            if op == lp.OP_MAX:
                params.index_type = lp.TYPE_INT64
                theirs = call(to_torch(x, channels_last), sizes, return_indices=True)
                ours = pool(self.library, params, x, channels_last=channels_last)
                self.compare_maxima(group, ours, [from_torch(t) for t in theirs], job)
                continue
            params.flags |= lp.FLAG_STRICT_ORDER
            theirs = from_torch(call(to_torch(x, channels_last), sizes))
            ours = pool(self.library, params, x, channels_last=channels_last)
            reasons = self.adaptive_reasons(params, x, ours, theirs)
            self.tally.compare(group, ours, theirs, reasons=reasons, job=job)

    def adaptive_reasons(self, params, x, ours, theirs):
        """How adaptive averages may differ by rounding."""
        rank, sizes = x.ndim - 2, list(params.output_size[: x.ndim - 2])
        divides = {"divides once for each axis": rounding_only(ours, theirs, rank + 1)}
        averages = pool(self.library, params, np.abs(x).astype(np.float64))
        taps = math.prod(n // m + 2 for n, m in zip(x.shape[2:], sizes))
        if rank == 3 and x.dtype.itemsize == 2:
            error = averages * (taps + 3) * support.ROUNDOFF[x.dtype][0]
            name = "adds in 16 bits"
        elif max(sizes) == 1:
            error = averages * taps * support.accumulator_roundoff(x.dtype)
            name = "another order for an output of 1"
        else:
            return divides
        return divides | {name: rounding_only(ours, theirs, rank + 1, error)}

    def norms(self):
        for group, rank, dtype in self.groups("lp_pool", FLOATS):
            if not has_average(dtype, rank):
                continue
            x = random_values(self.rng, random_shape(self.rng, rank), dtype)
            p = float(self.rng.choice([1, 2, 3, 4, 2.5]))
            if p not in (2, 4):
                x = np.abs(x)
            window = random_window(self.rng, x.shape[2:], most_pad=no_pad, ceil=False)
            params = self.params(lp.OP_LP)
            params.lp_order = p
            window.set(params)
            kernel = window.kernel if rank > 1 else window.kernel[0]
            strides = window.strides if rank > 1 else window.strides[0]
            theirs = from_torch(function("lp", rank)(to_torch(x), p, kernel, strides))
            ours = pool(self.library, params, x)
            reasons = {
                "power, average, product and root are rounded": rounding_only(ours, theirs, 24),
                "a power leaves the range of f16": self.leaves_f16(ours, p, window),
            }
            job = support.describe(x, window=window, p=p)
            self.tally.compare(group, ours, theirs, reasons=reasons, job=job)

    @staticmethod
    def leaves_f16(norms, p, window):
        """Where the average of the powers, or the largest of them, is not a normal f16."""
        powers = norms.astype(np.float64) ** p
        outside = (powers > 65504) | (powers / math.prod(window.kernel) < 2.0**-14)
        return outside & (norms.dtype == np.float16)

    def unpooling(self):
        for group, rank, dtype in self.groups("max_unpool", FLOATS):
            sizes = random_shape(self.rng, rank)
            x = random_values(self.rng, sizes, dtype)
            window = random_window(self.rng, x.shape[2:], most_pad=no_pad, ceil=False)
            pooled, index = function("max", rank)(
                to_torch(x), window.kernel, window.strides, return_indices=True
            )
            theirs = getattr(torch.nn.functional, f"max_unpool{rank}d")(
                pooled, index, window.kernel, window.strides, output_size=list(x.shape)
            )
            params = self.params(lp.OP_MAX_UNPOOL)
            params.index_type = lp.TYPE_INT64
            params.output_size[:rank] = x.shape[2:]
            channels_last = bool(self.rng.random() < 0.5)
            ours = pool(
                self.library,
                params,
                from_torch(pooled),
                channels_last=channels_last,
                index=from_torch(index),
            )
            job = support.describe(x, window=window)
            self.tally.compare(group, ours, from_torch(theirs), job=job)


def main():
    library, options = support.parse_arguments(__doc__)
    torch.set_num_threads(1)
    comparison = Comparison(library, options)
    comparison.averages()
    comparison.maxima()
    comparison.adaptive("avg", lp.OP_AVERAGE)
    comparison.adaptive("max", lp.OP_MAX)
    comparison.norms()
    comparison.unpooling()
    return comparison.tally.finish(least_equal=0.2)


if __name__ == "__main__":
    sys.exit(main())
