"""The element types of the command-line tool: how files hold them, and how reals are rounded."""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Float:
    """A binary floating-point type. Arrays of bf16 are made of the bits."""

    name: str
    digits: int  # of the significand, the first one included
    least: int  # exponent of the smallest subnormal
    largest: float
    dtype: type  # of an array in a file
    bits: type  # unsigned, of the same size
    quiet_nan: int

    @property
    def unit(self):
        """Half the distance of 1 and the next number."""
        return 2.0**-self.digits

    def values(self, array):
        """What the elements of a file stand for, as f64."""
        if self.name == "bf16":
            return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        return array.astype(np.float64)

    def array(self, values):
        """The nearest elements, ties to even."""
        if self.name != "bf16":
            return nearest(values, self).astype(self.dtype)
        wide = nearest(values, self).astype(np.float32)
        return (wide.view(np.uint32) >> 16).astype(np.uint16)


F32_LARGEST = (2 - 2.0**-23) * 2.0**127
F64 = Float("f64", 53, -1074, np.finfo(np.float64).max, np.float64, np.uint64, 0x7FF8 << 48)
F32 = Float("f32", 24, -149, F32_LARGEST, np.float32, np.uint32, 0x7FC00000)
F16 = Float("f16", 11, -24, 65504.0, np.float16, np.uint16, 0x7E00)
BF16 = Float("bf16", 8, -133, (2 - 2.0**-7) * 2.0**127, np.uint16, np.uint16, 0x7FC0)
FLOATS = {kind.name: kind for kind in (F64, F32, F16, BF16)}

INTEGERS = {
    "u8": np.uint8,
    "s8": np.int8,
    "u16": np.uint16,
    "s16": np.int16,
    "s32": np.int32,
}


def limits(kind):
    """The lowest and the highest value of a type, infinities included."""
    if kind in FLOATS:
        return -math.inf, math.inf
    info = np.iinfo(INTEGERS[kind])
    return int(info.min), int(info.max)


def dtype_of(kind):
    return FLOATS[kind].dtype if kind in FLOATS else INTEGERS[kind]


def nearest(values, kind):
    """f64 values rounded to a type, to nearest even; what is too large becomes infinite."""
    values = np.asarray(values, np.float64)
    if kind is F64:
        return values
    with np.errstate(invalid="ignore", over="ignore"):
        _, exponents = np.frexp(values)
        steps = np.ldexp(1.0, np.maximum(exponents - kind.digits, kind.least))
        rounded = np.rint(values / steps) * steps
    rounded = np.where(np.isfinite(values), rounded, values)
    return np.where(np.abs(rounded) > kind.largest, np.copysign(np.inf, values), rounded)
