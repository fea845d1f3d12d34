"""From an ONNX pooling node to lanepool_params, for every version of the seven operators."""

import onnx

import lanepool_ctypes as lp

# What each version of an operator adds to the one before.
ADDED_ATTRIBUTES = {
    "AveragePool": {
        1: {"kernel_shape", "strides", "pads", "auto_pad"},
        7: {"count_include_pad"},
        10: {"ceil_mode"},
        11: set(),
        19: {"dilations"},
        22: set(),
    },
    "MaxPool": {
        1: {"kernel_shape", "strides", "pads", "auto_pad"},
        8: {"storage_order"},
        10: {"ceil_mode", "dilations"},
        11: set(),
        12: set(),
        22: set(),
    },
    "LpPool": {
        1: {"kernel_shape", "strides", "pads", "auto_pad", "p"},
        2: set(),
        11: set(),
        18: {"ceil_mode", "dilations"},
        22: set(),
    },
    "MaxUnpool": {9: {"kernel_shape", "strides", "pads"}, 11: set(), 22: set()},
    "GlobalAveragePool": {1: set(), 22: set()},
    "GlobalMaxPool": {1: set(), 22: set()},
    "GlobalLpPool": {1: {"p"}, 2: set(), 22: set()},
}
INDICES_SINCE = 8  # the second output of MaxPool
P_IS_INTEGER_SINCE = 2  # of the Lp operators

FLOAT_TYPES_SINCE = {
    lp.TYPE_FLOAT: 1,
    lp.TYPE_DOUBLE: 1,
    lp.TYPE_FLOAT16: 1,
    lp.TYPE_BFLOAT16: 22,
}
BYTES_SINCE = {lp.TYPE_UINT8: 12, lp.TYPE_INT8: 12}
TYPES_SINCE = {op_type: FLOAT_TYPES_SINCE for op_type in ADDED_ATTRIBUTES} | {
    "MaxPool": FLOAT_TYPES_SINCE | BYTES_SINCE
}

OPS = {
    "AveragePool": lp.OP_AVERAGE,
    "GlobalAveragePool": lp.OP_AVERAGE,
    "MaxPool": lp.OP_MAX,
    "GlobalMaxPool": lp.OP_MAX,
    "LpPool": lp.OP_LP,
    "GlobalLpPool": lp.OP_LP,
    "MaxUnpool": lp.OP_MAX_UNPOOL,
}
AUTO_PAD = {
    "NOTSET": lp.AUTO_PAD_NOTSET,
    "VALID": lp.AUTO_PAD_VALID,
    "SAME_UPPER": lp.AUTO_PAD_SAME_UPPER,
    "SAME_LOWER": lp.AUTO_PAD_SAME_LOWER,
}


class NodeError(Exception):
    """A node that its operator, at the given opset, does not allow."""


def versions(op_type):
    return sorted(ADDED_ATTRIBUTES[op_type])


def since_version(op_type, opset):
    """The version of the operator that a model with this opset means."""
    known = [version for version in versions(op_type) if version <= opset]
    if not known:
        raise NodeError(f"{op_type} does not exist in opset {opset}")
    return known[-1]


def attributes_of_version(op_type, opset):
    """Names of the attributes that the operator has in this opset."""
    version = since_version(op_type, opset)
    added = ADDED_ATTRIBUTES[op_type]
    return set().union(*(added[v] for v in added if v <= version))


def first_version_with(op_type, element_type):
    """The first version of the operator that takes elements of this type, or None."""
    since = TYPES_SINCE[op_type].get(element_type)
    return since and max(since, versions(op_type)[0])


def has_type(op_type, opset, element_type):
    """Whether the operator takes elements of this type in this opset."""
    since = first_version_with(op_type, element_type)
    return since is not None and since_version(op_type, opset) >= since


def attribute_values(node):
    values = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return {k: v.decode() if isinstance(v, bytes) else v for k, v in values.items()}


def _checked_attributes(node, opset):
    allowed = attributes_of_version(node.op_type, opset)
    values = attribute_values(node)
    for name in values:
        if name not in allowed:
            raise NodeError(f"{node.op_type} has no attribute {name} in opset {opset}")
    integer = since_version(node.op_type, opset) >= P_IS_INTEGER_SINCE
    if "p" in values and isinstance(values["p"], int) != integer:
        raise NodeError(f"{node.op_type} has another type of p in opset {opset}")
    return values


def _has_indices(node, opset):
    if len(node.output) < 2 or node.output[1] == "":
        return False
    if node.op_type != "MaxPool" or opset < INDICES_SINCE:
        raise NodeError(f"{node.op_type} has one output in opset {opset}")
    return True


def _numbers(values, name, count):
    """The list attribute `name`, or None; its length must be `count`."""
    numbers = values.get(name)
    if numbers is not None and len(numbers) != count:
        raise NodeError(f"{name} has {len(numbers)} entries, not {count}")
    return numbers


def _switch(values, name):
    value = values.get(name, 0)
    if value not in (0, 1):
        raise NodeError(f"{name} is {value}, not 0 or 1")
    return value


def set_window(params, values, rank):
    kernel = _numbers(values, "kernel_shape", rank)
    if kernel is None:
        raise NodeError("kernel_shape is missing")
    params.kernel[:rank] = kernel
    params.strides[:rank] = _numbers(values, "strides", rank) or [1] * rank
    params.dilations[:rank] = _numbers(values, "dilations", rank) or [1] * rank
    pads = _numbers(values, "pads", 2 * rank) or [0] * (2 * rank)
    params.pads_begin[:rank] = pads[:rank]
    params.pads_end[:rank] = pads[rank:]
    auto_pad = values.get("auto_pad", "NOTSET")
    if auto_pad not in AUTO_PAD:
        raise NodeError(f"auto_pad {auto_pad}: no such code")
    params.auto_pad = AUTO_PAD[auto_pad]
    params.ceil_mode = _switch(values, "ceil_mode")
    params.divisor = _switch(values, "count_include_pad")
    params.storage_order = _switch(values, "storage_order")


def params_from_node(library, node, opset, input_shape, element_type, output_shape=None):
    """The params of `node` in a model of this opset, for a dense NCHW tensor of input_shape, of any
    element type. output_shape is MaxUnpool's third input.

    Raises NodeError for what the operator's version does not have. What it has but forbids, as
    a stride of 0, is left to lanepool_plan."""
    if node.op_type not in ADDED_ATTRIBUTES:
        raise NodeError(f"{node.op_type} is not a pooling operator of this front end")
    values = _checked_attributes(node, opset)
    rank = len(input_shape) - 2
    if not 1 <= rank <= 3:
        raise NodeError(f"a tensor with {len(input_shape)} axes has no 1 to 3 spatial axes")
    params = library.params(lp.DIALECT_ONNX)
    params.op = OPS[node.op_type]
    params.layout = lp.LAYOUT_NCHW
    params.rank = rank
    params.x_type = params.y_type = element_type  # lanepool's codes are those of TensorProto
    params.batch, params.channels = input_shape[:2]
    params.input[:rank] = input_shape[2:]
    if _has_indices(node, opset) or node.op_type == "MaxUnpool":
        params.index_type = lp.TYPE_INT64
    if params.op == lp.OP_LP:
        params.lp_order = values.get("p", 2)
    if node.op_type.startswith("Global"):
        params.flags |= lp.FLAG_GLOBAL
    else:
        set_window(params, values, rank)
    if output_shape is not None:
        if list(output_shape[:2]) != list(input_shape[:2]):
            raise NodeError(f"output_shape {output_shape} of an input of {input_shape}")
        params.output_size[:rank] = output_shape[2:]
    return params


def plan_from_node(library, node, opset, input_shape, element_type, output_shape=None):
    """params_from_node() of an element type that the operator has in this opset."""
    if node.op_type in ADDED_ATTRIBUTES and not has_type(node.op_type, opset, element_type):
        raise NodeError(f"{node.op_type} has no element type {element_type} in opset {opset}")
    return params_from_node(library, node, opset, input_shape, element_type, output_shape)
