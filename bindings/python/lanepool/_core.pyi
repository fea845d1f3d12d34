from typing import Any

import numpy as np
from numpy.typing import NDArray

_Channels = tuple[
    tuple[float, ...] | None,
    tuple[int, ...] | None,
    tuple[float, ...] | None,
    tuple[int, ...] | None,
]

class Plan:
    def __init__(
        self,
        fields: dict[str, Any],
        x_dtype: np.dtype[Any],
        y_dtype: np.dtype[Any],
        channels: _Channels,
    ) -> None: ...
    def run(
        self,
        x: NDArray[Any],
        out: NDArray[Any] | None = None,
        indices: NDArray[Any] | None = None,
        threads: int = 1,
    ) -> Any:
        """Pools x into out, which is made if it is None. Returns out; of a plan with index_dtype
        that does not unpool, out and indices.

        Arrays may have any strides that are not negative. threads > 1 runs the parts of the work on
        so many threads of their own; the bytes are the same.
        """

    def run_range(
        self,
        x: NDArray[Any],
        out: NDArray[Any],
        begin: int,
        end: int,
        indices: NDArray[Any] | None = None,
    ) -> None:
        """Does the work items [begin, end), for threads of yours. The rest of out stays as it is.
        Arrays have the strides of the plan."""

    def explain(self) -> str:
        """How the work is done, as "average f32 nchw 2d 3x3/2: planes, AVX3"."""

    @property
    def fields(self) -> dict[str, Any]:
        """The params of the C interface."""

    @property
    def channels(self) -> _Channels: ...
    @property
    def x_shape(self) -> tuple[int, ...]: ...
    @property
    def y_shape(self) -> tuple[int, ...]: ...
    @property
    def x_dtype(self) -> np.dtype[Any]: ...
    @property
    def y_dtype(self) -> np.dtype[Any]: ...
    @property
    def index_dtype(self) -> np.dtype[Any] | None: ...
    @property
    def pads(self) -> tuple[int, ...]:
        """Begins, then ends, as resolved from auto_pad."""

    @property
    def work_items(self) -> int: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def has_empty_windows(self) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

def dialect(name: str) -> dict[str, Any]: ...
def targets() -> tuple[str, ...]: ...
def version() -> str: ...
