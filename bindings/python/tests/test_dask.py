"""lanepool.dask against dask and against the whole array, and on a cluster of processes."""

import os
import pathlib
import pickle
import sys

import lanepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
import lanepool.dask as lanepool_dask  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))

RNG = np.random.default_rng(2)


def compute(array):
    result = array.compute(scheduler="synchronous")
    assert result.shape == array.shape and result.dtype == array.dtype
    return result


def chunked(draw, x):
    """x as a dask array whose chunks have any sizes."""
    chunks = []
    for size in x.shape:
        sizes, rest = [], size
        while rest > 0:
            sizes.append(draw(st.integers(1, rest)))
            rest -= sizes[-1]
        chunks.append(tuple(sizes))
    return da.from_array(x, chunks=tuple(chunks))


@st.composite
def arrays(draw):
    shape = draw(st.lists(st.integers(1, 14), min_size=1, max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = rng.integers(0, 65536, shape, np.uint16)
    return x, chunked(draw, x), draw


@given(arrays())
def test_coarsen_is_dasks(case):
    x, dask_array, draw = case
    chosen = draw(st.lists(st.integers(0, x.ndim - 1), max_size=3, unique=True))
    axes = {axis: draw(st.integers(1, min(4, x.shape[axis]))) for axis in chosen}
    trims = any(x.shape[axis] % factor for axis, factor in axes.items())
    if trims:
        with pytest.raises(lanepool.Error, match="trim_excess"):
            lanepool_dask.coarsen(np.max, dask_array, axes)
    for func in (np.max, np.mean):
        got = compute(lanepool_dask.coarsen(func, dask_array, axes, trim_excess=trims))
        want = compute(da.coarsen(func, da.from_array(x), dict(axes), trim_excess=trims))
        np.testing.assert_array_equal(got, np.rint(want))


@given(arrays())
def test_windows_are_those_of_the_whole(case):
    x, dask_array, draw = case
    chosen = draw(st.lists(st.integers(0, x.ndim - 1), min_size=1, max_size=3, unique=True))
    window = {axis: draw(st.integers(1, min(5, x.shape[axis]))) for axis in chosen}
    strides = {axis: draw(st.integers(1, 4)) for axis in chosen}
    pads = {axis: tuple(draw(st.integers(0, window[axis] - 1)) for _ in "be") for axis in chosen}
    got = compute(lanepool_dask.windows("max", dask_array, window, strides, pads))
    whole = [(0, 0)] * x.ndim
    for axis, pair in pads.items():
        whole[axis] = pair
    padded = np.pad(x, whole)  # zeros, the least of u16
    axes = sorted(window)
    views = np.lib.stride_tricks.sliding_window_view(padded, [window[a] for a in axes], axis=axes)
    steps = tuple(slice(None, None, strides.get(axis, 1)) for axis in range(x.ndim))
    want = views[steps].max(axis=tuple(range(x.ndim, x.ndim + len(axes))))
    np.testing.assert_array_equal(got, want)


def test_means_of_windows():
    x = RNG.normal(size=(3, 40, 41))
    got = lanepool_dask.windows(
        "mean", da.from_array(x, chunks=(1, 16, 16)), {1: 3, -1: 3}, pads={1: (1, 1), 2: (1, 1)}
    )
    want = lanepool.average_pool(x[:, None], 3, pads=1)[:, 0]
    np.testing.assert_allclose(compute(got), want, rtol=1e-14)


def test_backwards_and_types():
    x = RNG.integers(0, 9, (8, 8)).astype(np.uint8)
    backwards = da.from_array(x, chunks=4)[::-1, ::-1]
    want = lanepool.block_reduce(np.ascontiguousarray(x[::-1, ::-1]), 2)
    np.testing.assert_array_equal(
        compute(lanepool_dask.coarsen("mean", backwards, {0: 2, 1: 2})), want
    )
    real = lanepool_dask.coarsen("mean", backwards, {0: 2, 1: 2}, dtype=np.float32)
    assert compute(real).dtype == np.float32


def test_chunks_at_any_address():
    buffer = np.zeros(4 * 36 + 1, np.uint8)[1:]
    odd = buffer.view(np.float32).reshape(6, 6)
    odd[...] = RNG.normal(size=odd.shape)
    assert not odd.flags.aligned
    x = da.from_delayed(dask.delayed(lambda: odd)(), odd.shape, odd.dtype)
    want = lanepool.block_reduce(odd.copy(), 2)
    np.testing.assert_array_equal(compute(lanepool_dask.coarsen("mean", x, {0: 2, 1: 2})), want)
    want = lanepool.max_pool(odd.copy()[None, None], 3)[0, 0]
    np.testing.assert_array_equal(compute(lanepool_dask.windows("max", x, {0: 3, 1: 3})), want)


def test_refused_before_anything_is_computed():
    x = da.zeros((8, 8), chunks=4, dtype=np.int64)
    for make in (lanepool_dask.coarsen, lanepool_dask.windows):
        with pytest.raises(lanepool.Error, match="int64"):
            make("max", x, {0: 2})
        with pytest.raises(lanepool.Error, match="median"):
            make("median", x, {0: 2})
    with pytest.raises(lanepool.Error, match="at least 1"):
        lanepool_dask.coarsen("max", x.astype(np.uint8), {1: 0})
    for bad in ({"window": {0: 9}}, {"window": {0: 2}, "pads": {0: (2, 0)}}, {"window": {0: 0}}):
        with pytest.raises(lanepool.Error, match="must have an output"):
            lanepool_dask.windows("max", x.astype(np.uint8), **bad)


def test_plans_go_to_workers():
    distributed = pytest.importorskip("distributed")
    x = RNG.normal(size=(1, 3, 20, 20)).astype(np.float32)
    plan = lanepool.Plan("average", x.shape, x.dtype, 3, pads=1)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for worker in client.scheduler_info()["workers"]:
            y, its_plan, pid = client.submit(
                pool_there, plan, x, workers=[worker], pure=False
            ).result()
            assert y.tobytes() == plan.run(x).tobytes() and its_plan == plan and pid != os.getpid()
        error = client.submit(pool_there, plan, x[..., :3]).exception()
        assert isinstance(error, lanepool.Error) and error.axis == 3


def pool_there(plan, x):
    x = np.require(x, requirements="A")  # what comes in a message may lie at any address
    return plan.run(x), pickle.loads(pickle.dumps(plan)), os.getpid()


def test_pyramid(tmp_path):
    """All levels equal; LANEPOOL_PYRAMID=8192 is the size that the promise of 10 times is for."""
    for name in ("distributed", "zarr", "skimage"):
        pytest.importorskip(name)
    import pyramid

    size = int(os.environ.get("LANEPOOL_PYRAMID", "1024"))
    chunk, rounds = (1024, 3) if size >= 8192 else (256, 1)
    times = pyramid.compare(tmp_path, size, chunk, levels=4, workers=2, rounds=rounds)
    print(f"u16 {size}x{size}: {times}, reduction {times.ratio:.1f} times as fast as dask's")
    if size >= 8192:
        assert times.ratio >= 10
