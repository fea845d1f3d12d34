"""Pooling on CPUs, exact and fast: windows over NumPy arrays.

average_pool, max_pool and their like take x as N C [D] [H] W, with layout="NHWC" as N [D] [H] W C,
and attributes named as in ONNX. block_reduce takes arrays of any axes. A Plan is a job that is
prepared once. lanepool.dask has both for dask arrays, lanepool.onnx_backend runs ONNX models."""

from ._core import targets, version
from ._blocks import block_reduce
from ._errors import Error
from ._functions import (
    adaptive_average_pool,
    adaptive_max_pool,
    average_pool,
    global_average_pool,
    global_lp_pool,
    global_max_pool,
    lp_pool,
    max_pool,
    max_unpool,
    min_pool,
    qlinear_average_pool,
    qlinear_global_average_pool,
    sum_pool,
)
from ._plan import Plan

__version__ = version()

__all__ = [
    "Error",
    "Plan",
    "adaptive_average_pool",
    "adaptive_max_pool",
    "average_pool",
    "block_reduce",
    "global_average_pool",
    "global_lp_pool",
    "global_max_pool",
    "lp_pool",
    "max_pool",
    "max_unpool",
    "min_pool",
    "qlinear_average_pool",
    "qlinear_global_average_pool",
    "sum_pool",
    "targets",
    "version",
]
