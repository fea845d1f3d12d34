"""From a com.microsoft QLinearAveragePool or QLinearGlobalAveragePool node to lanepool_params that
give what ONNX Runtime's kernels are meant to give.

Three of its rules differ from ONNX's AveragePool (docs/quantization.md):
- windows round after adding the zero point: LANEPOOL_DIALECT_ORT presets that;
- under count_include_pad the divisor is the whole kernel, overhang of ceil_mode included;
- a window that is the whole input is computed in integers and rounds before adding the zero point.
"""

import dataclasses

import lanepool_ctypes as lp
from node_front_end import NodeError, attribute_values, set_window

DOMAIN = "com.microsoft"
WINDOWED = "QLinearAveragePool"
GLOBAL = "QLinearGlobalAveragePool"

# AveragePool-11 and channels_last.
ATTRIBUTES = {
    WINDOWED: {
        "kernel_shape",
        "strides",
        "pads",
        "auto_pad",
        "ceil_mode",
        "count_include_pad",
        "channels_last",
    },
    GLOBAL: {"channels_last"},
}


@dataclasses.dataclass
class Quantization:
    """real = scale * (q - zero_point); the scale is the value of an f32."""

    x_scale: float
    x_zero_point: int
    y_scale: float
    y_zero_point: int


def takes_global_path(params, desc):
    """Whether the window is the whole input and no pads were given, nor did SAME find any."""
    if params.flags & lp.FLAG_GLOBAL:
        return True
    rank = params.rank
    pads = desc.pads_begin[:rank] + desc.pads_end[:rank]
    return params.kernel[:rank] == params.input[:rank] and not any(pads)


def params_from_node(library, node, x_type, x_shape, quantization):
    """The params of a node; x_shape is in the node's own layout."""
    if node.domain != DOMAIN or node.op_type not in ATTRIBUTES:
        raise NodeError(f"{node.domain}.{node.op_type} is no operator of this front end")
    values = attribute_values(node)
    unknown = set(values) - ATTRIBUTES[node.op_type]
    if unknown:
        raise NodeError(f"{node.op_type} has no attribute {min(unknown)}")
    channels_last = values.get("channels_last", 0) != 0
    rank = len(x_shape) - 2

    params = library.params(lp.DIALECT_ORT)
    params.op = lp.OP_AVERAGE
    params.layout = lp.LAYOUT_NHWC if channels_last else lp.LAYOUT_NCHW
    params.rank = rank
    params.x_type = params.y_type = x_type
    params.batch = x_shape[0]
    params.channels = x_shape[-1 if channels_last else 1]
    first = 1 if channels_last else 2
    params.input[:rank] = x_shape[first : first + rank]
    params.x_scale, params.x_zero_point = quantization.x_scale, quantization.x_zero_point
    params.y_scale, params.y_zero_point = quantization.y_scale, quantization.y_zero_point
    if node.op_type == GLOBAL:
        params.flags |= lp.FLAG_GLOBAL
    else:
        set_window(params, values, rank)
        if values.get("count_include_pad", 0) != 0:
            params.divisor = lp.DIVISOR_FULL_KERNEL
    return params


def plan_from_node(library, node, x_type, x_shape, quantization):
    """The params of a node, with the rounding of the path that ONNX Runtime takes, and the desc."""
    params = params_from_node(library, node, x_type, x_shape, quantization)
    desc = library.plan(params)
    if takes_global_path(params, desc):
        params.rounding = lp.ROUND_HALF_EVEN
        desc = library.plan(params)
    return params, desc
