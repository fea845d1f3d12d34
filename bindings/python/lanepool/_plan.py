"""Plans: a pooling job that is checked and prepared once, and run often."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from . import _core
from ._errors import Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike
    from typing_extensions import Unpack

Ints = int | Sequence[int]
Op = Literal["average", "max", "min", "sum", "lp", "max_unpool"]
Layout = Literal["NCHW", "NHWC"]


class Options(TypedDict, total=False):
    """What the pooling functions and Plan take by name. The first ones are attributes of ONNX; what
    is not given is as the dialect has it."""

    strides: Ints
    dilations: Ints
    pads: Ints  # the beginnings of all spatial axes, then their ends; one number: everywhere
    auto_pad: Literal["NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]
    ceil_mode: bool | Literal["off", "on", "keep"]
    count_include_pad: bool
    storage_order: Literal[0, 1, "row_major", "column_major"]
    layout: Layout
    dialect: Literal["onnx", "ort", "torch", "tflite", "onednn"]
    divisor: int | Literal["exclude_pad", "include_pad", "full_kernel"]
    empty_window: Literal["zero", "nan", "reject"]
    index_mode: Literal["NCHW", "NHWC", "plane", "window"]
    nan_rule: Literal["propagate", "ignore"]
    oversize_kernel: Literal["reject", "truncate"]
    rounding: Literal["half_even", "half_even_after_zero_point", "half_away"]
    valid_ceil: Literal["ceil", "floor"]
    clamp: tuple[float, float]
    strict_order: bool
    accumulate_f64: bool
    targets: Sequence[str]


class PlanOptions(Options, total=False):
    """What else a Plan takes."""

    y_dtype: DTypeLike
    index_dtype: DTypeLike
    output_size: Ints
    global_window: bool
    adaptive: bool
    p: float
    x_scale: ArrayLike
    x_zero_point: ArrayLike
    y_scale: ArrayLike
    y_zero_point: ArrayLike
    x_strides: Sequence[int]  # in elements, in the order of the array's axes
    y_strides: Sequence[int]
    index_strides: Sequence[int]


# Options that are fields of lanepool_params under their own names, have an entry for each axis, or
# are flags.
_FIELDS = (
    "auto_pad", "ceil_mode", "empty_window", "index_mode", "nan_rule", "oversize_kernel",
    "rounding", "storage_order", "valid_ceil",
)  # fmt: skip
_LISTS = ("strides", "dilations", "output_size")
_FLAGS = {
    "global_window": "global",
    "adaptive": "adaptive",
    "strict_order": "strict_order",
    "accumulate_f64": "accumulate_f64",
}
_VIEWS = ("x_strides", "y_strides", "index_strides")
_QUANTIZATION = {"x_scale": 1.0, "x_zero_point": 0, "y_scale": 1.0, "y_zero_point": 0}
_KNOWN = PlanOptions.__required_keys__ | PlanOptions.__optional_keys__


def _entries(value: Ints, count: int, name: str) -> tuple[int, ...]:
    """A number per axis; one number stands for all."""
    if isinstance(value, (int, np.integer)):
        return (int(value),) * count
    entries = tuple(value)
    if len(entries) != count:
        message = f"{name} has {len(entries)} entries; it must have {count}"
        raise Error(message, "RANK", name, None, len(entries), count)
    return entries


def _fields(op: str, shape: Sequence[int], given: dict[str, Any]) -> dict[str, Any]:
    """The fields of lanepool_params, but for types and quantization. Every other option is the
    dialect's."""
    axes = len(shape)
    rank = axes - 2
    if not 1 <= rank <= 3:
        message = f"the shape has {axes} entries; it must have 3 to 5"
        raise Error(message, "RANK", "rank", None, rank, 3)
    layout = given.get("layout", "NCHW")
    last = layout.upper() == "NHWC"
    pads = _entries(given.get("pads", 0), 2 * rank, "pads")
    fields = _core.dialect(given.get("dialect", "onnx"))
    fields |= {name: given[name] for name in _FIELDS if name in given}
    fields |= {name: _entries(given[name], rank, name) for name in _LISTS if name in given}
    fields |= {
        "op": op,
        "layout": layout,
        "rank": rank,
        "batch": shape[0],
        "channels": shape[-1 if last else 1],
        "input": shape[1:-1] if last else shape[2:],
        "pads_begin": pads[:rank],
        "pads_end": pads[rank:],
        "lp_order": given.get("p", 2.0),
        "flags": [flag for name, flag in _FLAGS.items() if given.get(name)],
        "target_mask": given.get("targets", ()),
    }
    if "count_include_pad" in given:
        fields["divisor"] = "include_pad" if given["count_include_pad"] else "exclude_pad"
    divisor = given.get("divisor")
    if isinstance(divisor, str):
        fields["divisor"] = divisor
    elif divisor is not None:
        fields["divisor"], fields["divisor_value"] = "constant", divisor
    if "clamp" in given:
        fields["flags"].append("clamp")
        fields["clamp_low"], fields["clamp_high"] = given["clamp"]
    for name in (name for name in _VIEWS if name in given):
        strides = _entries(given[name], axes, name)
        fields[name] = (strides[0], strides[-1], *strides[1:-1]) if last else strides
    return fields


def _quantization(fields: dict[str, Any], given: dict[str, Any]) -> tuple[Any, ...]:
    """Puts single scales and zero points into the fields, and returns those of each channel."""
    lists: list[tuple[Any, ...] | None] = []
    for name, usual in _QUANTIZATION.items():
        value = np.asarray(given.get(name, usual))
        if value.ndim == 0:
            fields[name] = value.item()
            lists.append(None)
        else:
            fields[name[0] + "_scale_count"] = fields["channels"]
            lists.append(tuple(value.tolist()))
    return tuple(lists)


class Plan(_core.Plan):
    """A pooling job for x of a shape and dtype. It does not change, hashes and compares by its
    params, and pickles by them. Threads and processes may share it.

    kernel_shape and output_size have an entry for each spatial axis; one number stands for all.
    """

    __slots__ = ()

    def __init__(
        self,
        op: Op,
        shape: Sequence[int],
        dtype: DTypeLike = np.float32,
        kernel_shape: Ints | None = None,
        **options: Unpack[PlanOptions],
    ) -> None:
        given: dict[str, Any] = dict(options)
        unknown = set(given) - _KNOWN
        if unknown:
            raise TypeError(f"Plan has no option {min(unknown)}")
        x_type = np.dtype(dtype)
        y_type = np.dtype(given.get("y_dtype", x_type))
        fields = _fields(op, shape, given)
        if "index_dtype" in given:
            fields["index_type"] = np.dtype(given["index_dtype"]).name
        if kernel_shape is not None:
            fields["kernel"] = _entries(kernel_shape, fields["rank"], "kernel_shape")
        channels = _quantization(fields, given)
        super().__init__(fields, x_type, y_type, channels)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.fields, self.x_dtype, self.y_dtype, self.channels)

    def __repr__(self) -> str:
        return f"<lanepool.Plan {self.x_shape} to {self.y_shape}, {self.explain()}>"


def _restore(*arguments: Any) -> Plan:
    """A plan of fields, as pickle stores it."""
    plan = Plan.__new__(Plan)
    _core.Plan.__init__(plan, *arguments)
    return plan


@lru_cache(maxsize=256)
def _cached(op: Op, shape: tuple[int, ...], dtype: np.dtype[Any], **options: Any) -> Plan:
    return Plan(op, shape, dtype, **options)


def plan_for(op: Op, x: Any, options: Any) -> Plan:
    """The plan of a call. The last 256 are kept, by their arguments."""
    try:
        return _cached(op, x.shape, x.dtype, **options)
    except TypeError:  # a list is no key
        listed = (list, np.ndarray)
        hashable = {k: tuple(v) if isinstance(v, listed) else v for k, v in options.items()}
        return _cached(op, x.shape, x.dtype, **hashable)
