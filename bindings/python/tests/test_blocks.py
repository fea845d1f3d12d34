"""block_reduce against NumPy and skimage."""

import fractions

import lanepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from test_pools import strided

RNG = np.random.default_rng(1)


def blocks_of(x, block):
    """x as whole blocks with the elements of each along the last axis."""
    split = x.reshape([n for size, factor in zip(x.shape, block) for n in (size // factor, factor)])
    order = [*range(0, 2 * x.ndim, 2), *range(1, 2 * x.ndim, 2)]
    return split.transpose(order).reshape(*(s // f for s, f in zip(x.shape, block)), -1)


def rounded_means(blocks):
    means = [round(fractions.Fraction(int(row.sum(dtype=object)), len(row))) for row in
             blocks.reshape(-1, blocks.shape[-1])]  # fmt: skip
    return np.array(means).reshape(blocks.shape[:-1])


@st.composite
def arrays(draw):
    """An array of any number of axes in any order in memory, and blocks that divide it."""
    axes = draw(st.integers(1, 6))
    block = [1] * axes
    for axis in draw(st.permutations(range(axes)))[: draw(st.integers(0, 3))]:
        block[axis] = draw(st.integers(1, 3))
    counts = draw(st.lists(st.integers(0, 3), min_size=axes, max_size=axes))
    shape = [factor * count for factor, count in zip(block, counts)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    dtype = draw(st.sampled_from(["uint16", "int8", "uint8", "int16"]))
    info = np.iinfo(dtype)
    x = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    if x.size == 0:
        return x, block, rng
    return strided(x, rng)[0], block, rng


@given(arrays())
def test_any_axes(case):
    x, block, rng = case
    shape = tuple(size // factor for size, factor in zip(x.shape, block))
    if x.size == 0:
        assert lanepool.block_reduce(x, block).shape == shape
        return
    blocks = blocks_of(x, block)
    np.testing.assert_array_equal(lanepool.block_reduce(x, block, "max"), blocks.max(-1))
    np.testing.assert_array_equal(
        lanepool.block_reduce(x, block, np.min, threads=2), blocks.min(-1)
    )
    out = strided(np.zeros(shape, x.dtype), rng)[0]
    assert lanepool.block_reduce(x, block, out=out) is out
    np.testing.assert_array_equal(out, rounded_means(blocks))


@given(
    st.lists(st.integers(1, 7), min_size=2, max_size=2),
    st.lists(st.integers(1, 4), min_size=2, max_size=2),
)
def test_edges(shape, block):
    x = np.random.default_rng(shape).integers(0, 9, shape).astype(np.float64)
    rest = any(size % factor for size, factor in zip(shape, block))
    if rest:
        with pytest.raises(lanepool.Error, match="must be a multiple of"):
            lanepool.block_reduce(x, block)
    whole = x[tuple(slice(s - s % f) for s, f in zip(shape, block))]
    if whole.size:
        got = lanepool.block_reduce(x, block, edge="trim")
        np.testing.assert_array_equal(got, blocks_of(whole, block).mean(-1))
    assert lanepool.block_reduce(x, block, edge="trim").size == whole.size // np.prod(block)
    filled = np.full([-(-s // f) * f for s, f in zip(shape, block)], np.nan)
    filled[: shape[0], : shape[1]] = x
    for func in ("mean", "max", "min", "sum"):
        got = lanepool.block_reduce(x, block, func, edge="partial")
        np.testing.assert_allclose(got, getattr(np, "nan" + func)(blocks_of(filled, block), -1))
    zeros = blocks_of(np.nan_to_num(filled), block)
    np.testing.assert_array_equal(lanepool.block_reduce(x, block, edge="pad"), zeros.mean(-1))
    np.testing.assert_array_equal(lanepool.block_reduce(x, block, "sum", edge="pad"), zeros.sum(-1))
    if rest:
        with pytest.raises(lanepool.Error, match="for mean and sum"):
            lanepool.block_reduce(x, block, "max", edge="pad")


def test_nan():
    x = RNG.integers(0, 9, (8, 6)).astype(np.float64)
    x[RNG.random(x.shape) < 0.4] = np.nan
    x[:2, :2] = np.nan
    blocks = blocks_of(x, (2, 2))
    for func in (np.nanmean, np.nanmax, np.nanmin):
        with pytest.warns(RuntimeWarning):  # NumPy's, of the block of only NaN
            want = func(blocks, -1)
        np.testing.assert_allclose(lanepool.block_reduce(x, 2, func), want)
    np.testing.assert_array_equal(lanepool.block_reduce(x, 2, "max"), blocks.max(-1))


def test_as_skimage():
    measure = pytest.importorskip("skimage.measure")
    x = RNG.integers(0, 65536, (3, 50, 41), dtype=np.uint16)
    block = (1, 4, 3)
    means = measure.block_reduce(x, block, np.mean)  # f64, padded with 0
    np.testing.assert_array_equal(lanepool.block_reduce(x, block, edge="pad"), np.rint(means))
    highest = measure.block_reduce(x, block, np.max)
    np.testing.assert_array_equal(lanepool.block_reduce(x, block, "max", edge="partial"), highest)
    real = x.astype(np.float64)
    np.testing.assert_allclose(
        lanepool.block_reduce(real, block, edge="pad"), measure.block_reduce(real, block, np.mean)
    )


def test_types():
    x = np.array([0, 1, 1, 2, 254, 255], np.uint8)
    assert lanepool.block_reduce(x, 2).tolist() == [0, 2, 254]  # ties to even
    assert lanepool.block_reduce(x, 2, dtype=np.float32).tolist() == [0.5, 1.5, 254.5]
    mask = np.array([False, True, False, False])
    assert lanepool.block_reduce(mask, 2, "max").tolist() == [True, False]
    out = np.zeros(2, bool)
    assert lanepool.block_reduce(mask, 2, np.max, out=out) is out and out.tolist() == [True, False]
    for bad in (np.zeros(4, np.int64), np.zeros(4, np.complex64), np.zeros(4, bool)):
        with pytest.raises(lanepool.Error, match="must be one of float32"):
            lanepool.block_reduce(bad, 2)
    with pytest.raises(lanepool.Error):
        lanepool.block_reduce(np.zeros(4, np.int32), 2)  # no means of s32
    with pytest.raises(lanepool.Error):
        lanepool.block_reduce(x.astype(np.uint16), 2, dtype=np.float32)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"block_size": (2, 2)}, "block_size"),
        ({"block_size": 0}, "block_size"),
        ({"block_size": 2, "func": "median"}, "func"),
        ({"block_size": 2, "func": np.median}, "func"),
        ({"block_size": 2, "edge": "wrap"}, "edge"),
        ({"block_size": 2, "out": np.zeros(3)}, "out"),
    ],
)
def test_what_is_refused(arguments, field):
    with pytest.raises(lanepool.Error) as caught:
        lanepool.block_reduce(np.zeros(8), **arguments)
    assert caught.value.field == field


def test_too_many_axes():
    with pytest.raises(lanepool.Error, match="4 entries greater than 1"):
        lanepool.block_reduce(np.zeros((2, 2, 2, 2)), 2)
    with pytest.raises(lanepool.Error, match="no axes"):
        lanepool.block_reduce(np.float32(1), ())
