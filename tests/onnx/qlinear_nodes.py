"""Random QLinear pooling nodes: everything that ONNX Runtime accepts and means as documented.

Left out are parameters for which ONNX Runtime has other rules on purpose or by mistake
(docs/semantics.md, section 8): pads >= kernel are refused (D12), SAME with a stride beyond the
kernel pads by -1 (D4), and no scales so far apart that its conversion to integers overflows."""

import dataclasses
import math

import numpy as np
import onnx

from qlinear_front_end import DOMAIN, GLOBAL, WINDOWED, Quantization

MOST_INPUTS = 30000


@dataclasses.dataclass
class Node:
    op_type: str
    attributes: dict
    x: np.ndarray  # in the node's layout
    quantization: Quantization
    scale_class: str
    states_y_zero_point: bool = True

    @property
    def channels_last(self):
        return self.attributes.get("channels_last", 0) != 0

    @property
    def x_type(self):
        return onnx.helper.np_dtype_to_tensor_dtype(self.x.dtype)

    def proto(self, suffix=""):
        """The node; inputs and output are x, xs, xz, ys, yz and y with a suffix."""
        names = [f"{name}{suffix}" for name in ("x", "xs", "xz", "ys", "yz")]
        if not self.states_y_zero_point:
            names.pop()
        return onnx.helper.make_node(
            self.op_type, names, [f"y{suffix}"], domain=DOMAIN, **self.attributes
        )

    def initializers(self, suffix=""):
        q, make = self.quantization, onnx.helper.make_tensor
        tensors = [
            make(f"xs{suffix}", onnx.TensorProto.FLOAT, [], [q.x_scale]),
            make(f"xz{suffix}", self.x_type, [], [q.x_zero_point]),
            make(f"ys{suffix}", onnx.TensorProto.FLOAT, [], [q.y_scale]),
            make(f"yz{suffix}", self.x_type, [], [q.y_zero_point]),
        ]
        return tensors if self.states_y_zero_point else tensors[:3]

    def y_shape(self, desc):
        """The output's shape in the node's layout."""
        shape = list(self.x.shape)
        first = 1 if self.channels_last else 2
        shape[first : first + desc.rank] = desc.output[: desc.rank]
        return shape

    def channels_first(self, array):
        """An array in the node's layout, seen as N, C, spatial axes."""
        return np.moveaxis(array, -1, 1) if self.channels_last else array

    def kind(self):
        return f"{self.op_type} {self.x.dtype} {'NHWC' if self.channels_last else 'NCHW'}"

    def describe(self):
        x = f"{self.x.dtype}{list(self.x.shape)}"
        return f"{self.op_type} {x} {self.attributes} {self.quantization}"


def _f32(value):
    return float(np.float32(value))


# How y_scale comes about, and how often. Equal scales are what a pool has that keeps its input's
# quantization: the case with the most ties, by far. "near" and "far" are what calibration gives.
SCALE_CLASSES = {"equal": 0.04, "powers of 2": 0.2, "near": 0.5, "far": 0.26}


def random_scales(rng, scale_class):
    x_scale = _f32(np.exp(rng.uniform(np.log(1e-3), np.log(10))))
    if scale_class == "equal":
        return x_scale, x_scale
    if scale_class == "powers of 2":
        power = 2.0 ** rng.integers(-6, 7)
        return power, power * 2.0 ** rng.integers(-2, 3)
    most = np.log(3 if scale_class == "near" else 100)
    return x_scale, _f32(x_scale * np.exp(rng.uniform(-most, most)))


def _random_zero_point(rng, info):
    if rng.random() < 0.15:
        return int(rng.choice([info.min, info.max]))
    return int(rng.integers(info.min, info.max + 1))


def random_data(rng, dtype, shape, scale_class):
    """Values from a random part of the range, and a quantization. Mostly y_zero_point is such that
    averages come out in the middle: with any zero point, every second output would be saturated."""
    info = np.iinfo(dtype)
    low, high = np.sort(rng.integers(info.min, info.max + 1, 2))
    x = rng.integers(low, high + 1, shape).astype(dtype)
    x_scale, y_scale = random_scales(rng, scale_class)
    x_zero_point, y_zero_point = (_random_zero_point(rng, info) for _ in range(2))
    if rng.random() < 0.7:
        middle = x_scale * ((low + high) / 2 - x_zero_point)
        wanted = rng.integers(info.min, info.max + 1) - middle / y_scale
        y_zero_point = int(np.clip(wanted, info.min, info.max))
    return x, Quantization(x_scale, x_zero_point, y_scale, y_zero_point)


def _random_sizes(rng, rank):
    most = {1: 120, 2: 16, 3: 7}[rank]
    return [int(v) for v in rng.integers(1, most + 1, rank)]


def _random_axis(rng, size, same):
    """Kernel, stride, begin and end pad of one axis."""
    kernel = int(rng.integers(1, min(size, 9) + 1))
    if rng.random() < 0.05:
        kernel = size
    if rng.random() < 0.05:
        kernel = size + 1  # beyond the input: pads, ceil_mode or truncation make it a window
    stride = int(rng.integers(1, kernel + 1 if same else 5))
    begin, end = (int(v) for v in rng.integers(0, kernel, 2))
    if rng.random() < 0.4:
        begin = end = 0
    return kernel, stride, begin, end


def _has_outputs(size, kernel, stride, begin, end):
    """Whether there is a window: ONNX Runtime divides toward zero (D6)."""
    return size + begin + end - kernel > -stride


def random_attributes(rng, sizes):
    """Attributes of QLinearAveragePool; defaults are stated or left out."""
    rank = len(sizes)
    auto_pad = str(rng.choice(["", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]))
    same = auto_pad.startswith("SAME")
    explicit = auto_pad in ("", "NOTSET")
    axes = []
    for size in sizes:
        axis = None
        while axis is None or not _has_outputs(size, *axis):
            axis = _random_axis(rng, size, same)
            if not explicit:
                axis = axis[:2] + (0, 0)
        axes.append(axis)
    kernel, strides, begin, end = (list(values) for values in zip(*axes))
    if rng.random() < 0.06 and not same:
        kernel, begin, end = list(sizes), [0] * rank, [0] * rank
    attributes = {"kernel_shape": kernel}
    if max(strides) > 1 or rng.random() < 0.5:
        attributes["strides"] = strides
    if any(begin + end) or (explicit and rng.random() < 0.5):
        attributes["pads"] = begin + end
    if auto_pad:
        attributes["auto_pad"] = auto_pad
    for name in ("ceil_mode", "count_include_pad"):
        if rng.random() < 0.6:
            attributes[name] = int(rng.integers(2))
    return attributes


def random_node(rng):
    op_type = WINDOWED if rng.random() < 0.8 else GLOBAL
    rank = int(rng.integers(1, 4))
    sizes = _random_sizes(rng, rank)
    batch, channels = int(rng.integers(1, 3)), int(rng.choice([1, 2, 3, 5, 8, 16, 19, 33]))
    if op_type == GLOBAL:
        channels *= 8  # these have one output for each
    room = MOST_INPUTS // (batch * math.prod(sizes))
    channels = max(1, min(channels, room))
    dtype = np.uint8 if rng.random() < 0.5 else np.int8
    attributes = random_attributes(rng, sizes) if op_type == WINDOWED else {}
    channels_last = int(rng.integers(2))
    if channels_last or op_type == GLOBAL or rng.random() < 0.5:
        attributes["channels_last"] = channels_last
    shape = [batch, *sizes, channels] if channels_last else [batch, channels, *sizes]
    scale_class = str(rng.choice(list(SCALE_CLASSES), p=list(SCALE_CLASSES.values())))
    node = Node(op_type, attributes, *random_data(rng, dtype, shape, scale_class), scale_class)
    # The last input may be absent; ONNX Runtime's type inference wants the one in the middle, and
    # its global operator both.
    if op_type == WINDOWED and rng.random() < 0.1:
        node.states_y_zero_point = False
        node.quantization.y_zero_point = 0
    return node
