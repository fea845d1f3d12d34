"""One pooling node, written in every way that means the same at a given opset."""

import onnx

from node_front_end import INDICES_SINCE, P_IS_INTEGER_SINCE
from node_front_end import attribute_values, attributes_of_version, has_type, since_version


def defaults(rank):
    return {
        "strides": [1] * rank,
        "dilations": [1] * rank,
        "pads": [0] * (2 * rank),
        "auto_pad": "NOTSET",
        "ceil_mode": 0,
        "count_include_pad": 0,
        "storage_order": 0,
        "p": 2,
    }


def with_attributes(node, opset, values):
    """The node with other attributes; p in the type of the opset."""
    if "p" in values:
        integer = since_version(node.op_type, opset) >= P_IS_INTEGER_SINCE
        values = values | {"p": int(values["p"]) if integer else float(values["p"])}
    return onnx.helper.make_node(node.op_type, list(node.input), list(node.output), **values)


def without_defaults(node, rank):
    """The attributes that say something: kernel_shape, and what differs from its default."""
    default = defaults(rank)
    return {k: v for k, v in attribute_values(node).items() if default.get(k) != v}


def can_express(node, opset, rank, element_type):
    if not has_type(node.op_type, opset, element_type):
        return False
    if len(node.output) > 1 and opset < INDICES_SINCE:
        return False
    return set(without_defaults(node, rank)) <= attributes_of_version(node.op_type, opset)


def same_pads(values, input_sizes):
    """The pads that SAME_UPPER or SAME_LOWER stand for."""
    rank = len(input_sizes)
    strides = values.get("strides", [1] * rank)
    dilations = values.get("dilations", [1] * rank)
    begin, end = [], []
    for size, kernel, stride, dilation in zip(
        input_sizes, values["kernel_shape"], strides, dilations
    ):
        output = -(-size // stride)
        total = max(0, (output - 1) * stride + (kernel - 1) * dilation + 1 - size)
        small, big = total // 2, total - total // 2
        upper = values["auto_pad"] == "SAME_UPPER"
        begin.append(small if upper else big)
        end.append(big if upper else small)
    return begin + end


def resolved_pads(values, input_sizes):
    """All begin pads, then all end pads."""
    if values.get("auto_pad", "NOTSET").startswith("SAME"):
        return same_pads(values, input_sizes)
    return values.get("pads", [0] * (2 * len(input_sizes)))


def spellings(node, opset, input_sizes):
    """(label, node) pairs without duplicates; the node must be expressible at this opset."""
    rank = len(input_sizes)
    short = without_defaults(node, rank)
    has = attributes_of_version(node.op_type, opset)
    stated = {k: v for k, v in defaults(rank).items() if k in has} | short
    auto_pad = short.get("auto_pad", "NOTSET")
    if auto_pad != "NOTSET":
        stated.pop("pads", None)  # ONNX: "cannot be used simultaneously with auto_pad"
    variants = {"defaults absent": short, "defaults stated": stated}
    given = attribute_values(node)
    if set(given) <= has:
        variants["as given"] = given
    if auto_pad.startswith("SAME"):
        explicit = {k: v for k, v in short.items() if k != "auto_pad"}
        pads = same_pads(short, input_sizes)
        variants["SAME as pads"] = explicit | {"pads": pads}
        variants["SAME as pads, NOTSET"] = explicit | {"pads": pads, "auto_pad": "NOTSET"}
    elif "auto_pad" in has and not {"pads", "auto_pad", "ceil_mode"} & set(short):
        variants["no pads as VALID"] = short | {"auto_pad": "VALID"}
    seen = []
    for label, values in variants.items():
        if values not in seen:
            seen.append(values)
            yield label, with_attributes(node, opset, values)
