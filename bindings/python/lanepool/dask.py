"""Block reduction and pooling of dask arrays, chunk by chunk: what a worker computes is one call of
the library per chunk, which needs no more memory than its result and releases the GIL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np

from ._blocks import Func, block_reduce, jobs, reduction
from ._errors import Error
from ._plan import plan_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["coarsen", "windows"]


def coarsen(
    func: Func, x: da.Array, axes: Mapping[int, int], trim_excess: bool = False, dtype: Any = None
) -> da.Array:
    """dask.array.coarsen with lanepool.block_reduce: each block, of so many elements along each of
    the axes, becomes one element. func is a name or NumPy's function; the result has x's dtype
    unless another is given. Blocks that are not whole raise, or are left out with trim_excess."""
    x = da.asarray(x)
    reduction(func)
    block = [1] * x.ndim
    for axis, factor in axes.items():
        block[axis] = int(factor)
    for axis, (size, factor) in enumerate(zip(x.shape, block)):
        if factor < 1:
            message = f"axes[{axis}] is {factor}; it must be at least 1"
            raise Error(message, "KERNEL", "axes", axis, factor, 1)
        if size % factor and not trim_excess:
            message = (
                f"x has size {size} along axis {axis}; it must be a multiple of {factor}, or "
                "trim_excess must be True"
            )
            raise Error(message, "DIM", "x", axis, size, factor)
    whole = tuple(slice(0, size - size % factor) for size, factor in zip(x.shape, block))
    x = x[whole]
    x = x.rechunk(
        tuple(_aligned(chunks, factor, factor) for chunks, factor in zip(x.chunks, block))
    )
    chunks = tuple(
        tuple(size // factor for size in sizes) for sizes, factor in zip(x.chunks, block)
    )
    result = np.dtype(dtype) if dtype is not None else x.dtype
    _reduce_chunk(np.zeros((1,) * x.ndim, x.dtype), (1,) * x.ndim, func, result)  # or an Error
    return x.map_blocks(
        _reduce_chunk,
        tuple(block),
        func,
        result,
        dtype=result,
        chunks=chunks,
        meta=np.empty((0,) * x.ndim, result),
    )


def _reduce_chunk(
    chunk: NDArray[Any], block: tuple[int, ...], func: Func, result: np.dtype[Any]
) -> NDArray[Any]:
    return block_reduce(_as_view(chunk), block, func, dtype=result)


def _as_view(chunk: NDArray[Any]) -> NDArray[Any]:
    """The chunk, or a copy where the library has no view for it: it runs backwards, as of x[::-1],
    or is not aligned, as what has come from another worker in one message with others."""
    if chunk.flags.aligned and min(chunk.strides, default=0) >= 0:
        return chunk
    return chunk.copy(order="C")


def windows(
    func: Func,
    x: da.Array,
    window: Mapping[int, int],
    strides: Mapping[int, int] | None = None,
    pads: Mapping[int, tuple[int, int]] | None = None,
) -> da.Array:
    """Reduces windows that may overlap: so many elements along each of the axes of window, of which
    there are up to three, strides apart (1 unless given), over x with so many pads before and
    after. Pads never count. Chunks share what their windows reach."""
    x = da.asarray(x)
    op, options = reduction(func)
    axes = {axis % x.ndim: size for axis, size in window.items()}
    steps = {axis % x.ndim: step for axis, step in (strides or {}).items()}
    around = {axis % x.ndim: pair for axis, pair in (pads or {}).items()}
    chunks, depth, spatial = list(x.chunks), {}, []
    for axis in sorted(axes):
        size, step = axes[axis], steps.get(axis, 1)
        before, after = around.get(axis, (0, 0))
        outputs = (x.shape[axis] + before + after - size) // step + 1
        if size < 1 or step < 1 or outputs < 1 or not 0 <= before < size or not 0 <= after < size:
            message = (
                f"axis {axis} has size {x.shape[axis]}, windows of {size}, strides of {step}, pads "
                f"of {before} and {after}; it must have an output, and pads below the window"
            )
            raise Error(message, "EMPTY_OUTPUT", "window", axis, size)
        x = x.rechunk({axis: _aligned(x.chunks[axis], step, size + step)})
        starts = np.cumsum((0, *x.chunks[axis][:-1])) // step
        chunks[axis] = tuple(int(n) for n in np.diff((*starts, outputs)))
        depth[axis] = (before, max(0, size - step - before))
        spatial.append((axis, size, step, before, after))
    _reduce_chunk(np.zeros((1,) * x.ndim, x.dtype), (1,) * x.ndim, func, x.dtype)  # or an Error
    shared = da.overlap.overlap(x, depth, dict.fromkeys(depth, "none"), allow_rechunk=False)
    return shared.map_blocks(
        _windows_of_chunk,
        op,
        options,
        tuple(spatial),
        dtype=x.dtype,
        chunks=tuple(chunks),
        meta=np.empty((0,) * x.ndim, x.dtype),
    )


Windows = tuple[tuple[int, int, int, int, int], ...]  # axis, size, stride, pads before and after


def _windows_of_chunk(
    chunk: NDArray[Any],
    op: Any,
    options: dict[str, Any],
    spatial: Windows,
    block_info: Any = None,
) -> NDArray[Any]:
    """The outputs of a chunk, which has what its windows reach. Only the chunks at the ends of x
    have pads."""
    chunk = _as_view(chunk)
    place, count = block_info[0]["chunk-location"], block_info[0]["num-chunks"]
    shape, begins, ends = list(chunk.shape), [], []
    for axis, size, step, before, after in spatial:
        begins.append(before if place[axis] == 0 else 0)
        ends.append(after if place[axis] == count[axis] - 1 else 0)
        shape[axis] = (shape[axis] + begins[-1] + ends[-1] - size) // step + 1
    out = np.empty(shape, chunk.dtype)
    if out.size == 0:
        return out
    window = {
        "kernel_shape": tuple(size for _, size, *_ in spatial),
        "strides": tuple(step for _, _, step, *_ in spatial),
        "pads": (*begins, *ends),
    }
    for part, its_out, layout in jobs(chunk, out, tuple(axis for axis, *_ in spatial)):
        plan = plan_for(op, part, {**options, **window, "layout": layout})
        plan.run(part, its_out)
    return out


def _aligned(chunks: tuple[int, ...], step: int, least: int) -> tuple[int, ...]:
    """The chunks with their ends moved to multiples of step, and none shorter than least unless it
    is the only one."""
    size = sum(chunks)
    ends = [0]
    for end in np.cumsum(chunks):
        end = int(end) // step * step
        if end - ends[-1] >= least and size - end >= least:
            ends.append(end)
    return tuple(np.diff((*ends, size)).tolist())
