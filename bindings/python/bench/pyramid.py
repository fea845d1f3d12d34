#!/usr/bin/env python3
"""An image pyramid on a dask cluster: u16, each level the mean of 2x2 blocks of the one before,
from zarr to zarr, by lanepool.dask, by dask.array.coarsen, and by skimage.measure.block_reduce of
each chunk; the f64 of the latter rounded as lanepool rounds. All levels must be equal. Prints the
time from end to end, and that of the reduction alone: chunks and results in the memory of the
workers, the median time that they report of a task, times the number of tasks.

Usage: pyramid.py [--size 8192] [--chunk 1024] [--levels 4] [--workers 2]
"""

import argparse
import dataclasses
import pathlib
import statistics
import tempfile
import time

import dask
import dask.array as da
import numpy as np
import zarr
from distributed import Client, LocalCluster, get_task_stream, wait
from skimage.measure import block_reduce as skimage_block_reduce

import lanepool.dask

HALF = {0: 2, 1: 2}


def by_lanepool(x):
    return lanepool.dask.coarsen("mean", x, HALF)


def by_dask(x):
    return da.coarsen(np.mean, x, HALF)


def by_skimage(x):
    halved = tuple(tuple(size // 2 for size in sizes) for sizes in x.chunks)
    return x.map_blocks(skimage_block_reduce, (2, 2), np.mean, chunks=halved, dtype=np.float64)


REDUCERS = {"lanepool": by_lanepool, "dask": by_dask, "skimage": by_skimage}


def as_u16(means):
    """Means in f64 of u16 are exact: rounded to even, as lanepool rounds. u16 stays as it is."""
    return means if means.dtype == np.uint16 else da.rint(means).astype(np.uint16)


def write_image(store, size, chunk, seed=1):
    """Level 0: a gradient with noise."""
    rng = np.random.default_rng(seed)
    image = zarr.create_array(store, shape=(size, size), chunks=(chunk, chunk), dtype="uint16")
    ramp = np.linspace(0, 60000, size, dtype=np.uint16)
    for row in range(0, size, chunk):
        rows = min(chunk, size - row)
        noise = rng.integers(0, 5000, (rows, size), dtype=np.uint16)
        image[row : row + rows] = ramp + noise


def write_pyramid(reduce, source, folder, levels):
    """The levels above level 0, each read from the one before. Returns the seconds."""
    begin = time.perf_counter()
    for level in range(1, levels + 1):
        y = as_u16(reduce(da.from_zarr(str(source))))
        chunks = [max(sizes) for sizes in y.chunks]
        source = folder / str(level)
        target = zarr.create_array(str(source), shape=y.shape, chunks=chunks, dtype="uint16")
        y.rechunk(chunks).store(target, lock=False)
    return time.perf_counter() - begin


def reduction_seconds(client, reduce, source, name):
    """What the workers say that the reduction of level 0 took, chunks and results in their memory.
    The name is one that no other array has: results that are there would not be computed again."""
    x = da.from_zarr(str(source), name=name).persist()
    wait(x)
    with dask.config.set({"optimization.fuse.active": False}):
        with get_task_stream(client) as stream:
            y = reduce(x).persist(optimize_graph=False)
            wait(y)
    spans = [
        span["stop"] - span["start"]
        for task in stream.data
        for span in task["startstops"]
        if span["action"] == "compute"
    ]
    return statistics.median(spans) * len(spans)


@dataclasses.dataclass
class Times:
    """Seconds, by who reduced."""

    end_to_end: dict
    reduction: dict

    @property
    def ratio(self):
        """How much longer dask's reduction takes."""
        return self.reduction["dask"] / self.reduction["lanepool"]


def compare(folder, size, chunk, levels, workers, rounds=3):
    """All pyramids below folder; raises if they differ."""
    folder = pathlib.Path(folder)
    source = folder / "0"
    write_image(str(source), size, chunk)
    times = Times({}, {})
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        for number in range(rounds):  # in turns, and the best of each: the first one is cold
            for name, reduce in REDUCERS.items():
                target = folder / f"{name}-{number}"
                target.mkdir()
                seconds = write_pyramid(reduce, source, target, levels)
                times.end_to_end[name] = min(seconds, times.end_to_end.get(name, seconds))
                seconds = reduction_seconds(client, reduce, source, target.name)
                times.reduction[name] = min(seconds, times.reduction.get(name, seconds))
    for level in range(1, levels + 1):
        ours, *others = (
            zarr.open_array(str(folder / f"{n}-0" / str(level)))[...] for n in REDUCERS
        )
        if not all(np.array_equal(ours, other) for other in others):
            raise AssertionError(f"level {level} differs")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--chunk", type=int, default=1024)
    parser.add_argument("--levels", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = compare(folder, options.size, options.chunk, options.levels, options.workers)
    print(f"u16 {options.size}x{options.size}, {options.levels} levels, all equal; seconds")
    print(f"{'':16}" + "".join(f"{name:>10}" for name in REDUCERS))
    for name, seconds in {"reduction": times.reduction, "zarr to zarr": times.end_to_end}.items():
        print(f"{name:16}" + "".join(f"{seconds[reducer]:10.3f}" for reducer in REDUCERS))


if __name__ == "__main__":
    main()
