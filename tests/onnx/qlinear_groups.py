"""Per-channel quantization, which the QLinear operators do not have: a group of random nodes of one
channel each is one job of lanepool with a table."""

import dataclasses

import numpy as np

from qlinear_front_end import plan_from_node
from qlinear_nodes import SCALE_CLASSES, random_data, random_node

MOST_CHANNELS = 6


def _share(side, first, quantization):
    """Takes one side from the first channel; the ratio of the scales nearly stays."""
    ratio = quantization.x_scale / quantization.y_scale
    if side == "x":
        quantization.x_scale, quantization.x_zero_point = first.x_scale, first.x_zero_point
        quantization.y_scale = float(np.float32(first.x_scale / ratio))
    elif side == "y":
        quantization.y_scale, quantization.y_zero_point = first.y_scale, first.y_zero_point
        quantization.x_scale = float(np.float32(first.y_scale * ratio))


def random_group(rng):
    """Nodes of one channel that differ in x and quantization; some groups share one side of it."""
    model = random_node(rng)
    shape = list(model.x.shape)
    shape[-1 if model.channels_last else 1] = 1
    shared = str(rng.choice(["nothing", "x", "y"]))
    classes = list(SCALE_CLASSES) if shared == "nothing" else ["near", "far"]
    group = []
    for _ in range(int(rng.integers(2, MOST_CHANNELS + 1))):
        scale_class = str(rng.choice(classes))
        x, quantization = random_data(rng, model.x.dtype, shape, scale_class)
        if group:
            _share(shared, group[0].quantization, quantization)
        node = dataclasses.replace(model, x=x, quantization=quantization, scale_class=scale_class)
        node.states_y_zero_point = True
        group.append(node)
    return group, shared


def run_group(library, group, shared):
    """The outputs of all nodes, from one run with a table, and the rounding."""
    first = group[0]
    params, desc = plan_from_node(
        library, first.proto(), first.x_type, first.x.shape, first.quantization
    )
    params.channels = len(group)
    params.x_scale_count = 0 if shared == "x" else len(group)
    params.y_scale_count = 0 if shared == "y" else len(group)
    desc = library.plan(params)
    values = [dataclasses.astuple(node.quantization) for node in group]
    x_scales, x_zero_points, y_scales, y_zero_points = (list(v) for v in zip(*values))
    x_side = (None, None) if shared == "x" else (x_scales, x_zero_points)
    y_side = (None, None) if shared == "y" else (y_scales, y_zero_points)
    table = library.table(desc, *x_side, *y_side)

    axis = -1 if first.channels_last else 1
    x = np.concatenate([node.x for node in group], axis)
    shape = first.y_shape(desc)
    shape[axis] = len(group)
    y = np.full(shape, 0x55, x.dtype)
    library.run_table(desc, table, np.ascontiguousarray(x), y)
    return np.split(y, len(group), axis), params.rounding
