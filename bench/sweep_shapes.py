"""The shapes that sweep.py tries: lines of neighbours, each of which differs in one property.

A line is a list of jobs in the order of that property. All jobs have as many images as make their
inputs about the same size, so that neither the cost of a call nor another cache tells them apart.
"""

import dataclasses
import functools
import math
import random

ELEMENT_BYTES = {"f32": 4, "f16": 2, "bf16": 2, "u8": 1, "s8": 1, "f64": 8}
INPUT_BYTES = 64 << 10  # two of these and what the kernels need fit the second cache of any CPU
CACHE_LINE = 64


@functools.cache
def reads_of_axis(size, taps, stride, dilation, is_same):
    """Which of so many positions each window reads."""
    reach = (taps - 1) * dilation + 1
    outputs = -(-size // stride) if is_same else (size - reach) // stride + 1
    before = max(0, (outputs - 1) * stride + reach - size) // 2 if is_same else 0
    starts = range(-before, outputs * stride - before, stride)
    windows = ({start + tap * dilation for tap in range(taps)} for start in starts)
    return [window & set(range(size)) for window in windows]


@functools.cache
def share_of_axis(size, *window):
    """Which part of so many positions lies in any window."""
    return len(set().union(*reads_of_axis(size, *window))) / size


@functools.cache
def taps_of_axis(size, *window):
    """How many windows read a position, in the mean."""
    return sum(map(len, reads_of_axis(size, *window))) / size


@dataclasses.dataclass(frozen=True)
class Job:
    """A pooling job in two spatial axes, with square windows, or of one tap along H."""

    op: str
    layout: str
    type: str
    channels: int = 16
    height: int = 13
    width: int = 17
    kernel: int = 3  # 0: the whole input
    stride: int = 1
    dilation: int = 1
    auto_pad: str = "same_upper"
    x_shift: int = 0
    y_shift: int = 0
    flat: bool = False  # whether windows have one tap along H

    def windows(self):
        """Taps along H and W."""
        return 1 if self.flat else self.kernel or self.height, self.kernel or self.width

    def batch(self):
        image = self.channels * self.height * self.width * ELEMENT_BYTES[self.type]
        return max(1, round(INPUT_BYTES / image))

    def over_axes(self, function):
        """The product of what a function gives for the axes."""
        window = self.stride, self.dilation, self.auto_pad == "same_upper"
        sizes = zip((self.height, self.width), self.windows())
        return math.prod(function(size, taps, *window) for size, taps in sizes)

    def share_read(self):
        """Which part of the input lies in any window."""
        return self.over_axes(share_of_axis)

    def taps(self):
        """How many windows read a position of the input, in the mean."""
        return self.over_axes(taps_of_axis)

    def line(self):
        """As sweep_times reads it."""
        sizes = [self.height, self.width]
        numbers = [self.batch(), self.channels, *sizes, *self.windows()]
        numbers += [self.stride] * 2 + [self.dilation] * 2
        words = [self.op, self.layout, self.type, *numbers, self.auto_pad]
        return " ".join(str(word) for word in [*words, self.x_shift, self.y_shift])

    def text(self):
        """For people."""
        kernel = f"k{'1x' * self.flat}{self.kernel}" if self.kernel else "global"
        words = [self.op, self.layout, self.type, f"{self.channels}x{self.height}x{self.width}"]
        words += [kernel, f"s{self.stride}"]
        if self.dilation != 1:
            words.append(f"d{self.dilation}")
        if self.kernel > 1:
            words.append("same" if self.auto_pad == "same_upper" else "valid")
        if self.x_shift or self.y_shift:
            words.append(f"x+{self.x_shift} y+{self.y_shift}")
        return " ".join(words)

    def is_possible(self):
        effective = (self.kernel - 1) * self.dilation + 1
        least = self.width if self.flat else min(self.height, self.width)
        return self.auto_pad == "same_upper" or effective <= least


def line_of(base, name, values):
    """The base with each value of one property, as far as there are such windows."""
    jobs = [dataclasses.replace(base, **{name: value}) for value in values]
    return [job for job in jobs if job.is_possible()]


def alignment_lines(base):
    """The input, the output and both at every place of a cache line."""
    shifts = range(0, CACHE_LINE, ELEMENT_BYTES[base.type])
    for names in (["x_shift"], ["y_shift"], ["x_shift", "y_shift"]):
        yield [dataclasses.replace(base, **dict.fromkeys(names, shift)) for shift in shifts]


# kernel, stride, padding
SMALL_WINDOWS = ((2, 2, "valid"), (3, 1, "same_upper"), (3, 2, "same_upper"), (5, 1, "same_upper"))
LARGE_WINDOWS = ((3, 1, "valid"), (4, 4, "valid"), (7, 1, "same_upper"), (13, 1, "same_upper"))
SIZES = range(1, 131)
KERNELS = range(1, 65)
SERIES = (7, 8, 15, 16, 31, 33, 48, 64, 65, 96, 100, 128, 187, 256, 257, 400, 512, 1000, 1024)
SERIES_KERNELS = (*range(1, 17), 25, 32, 33, 49, 64)
IMAGE_WIDTHS = (96, 128, 192, 224, 256, 257, 320, 512, 513, 640, 1024, 1025, 1920)


def lines(kinds, is_long=False):
    """Every line of the sweep; `kinds` are triples of op, layout and type."""
    windows = SMALL_WINDOWS + (LARGE_WINDOWS if is_long else ())
    for kind in kinds:
        plain = Job(*kind)
        for kernel, stride, auto_pad in (*windows, (0, 1, "valid")):
            window = {"kernel": kernel, "stride": stride, "auto_pad": auto_pad}
            base = dataclasses.replace(plain, **window)
            yield line_of(base, "channels", SIZES)
            for channels in (1, 3, 16, 67) if is_long else (3, 16):
                wide = dataclasses.replace(base, channels=channels, height=7 if kernel == 0 else 13)
                yield line_of(wide, "width", SIZES)
            if kernel:
                yield from alignment_lines(base)
        yield from kernel_lines(plain, is_long)
        yield from step_lines(plain)
        yield from image_lines(plain)
        yield from series_lines(plain)
        yield from pad_lines(plain)


def side_by_side(base, kernel):
    """Windows that cover the input without overlap and leave nothing over."""
    size = base.height // kernel * kernel
    window = {"kernel": kernel, "stride": kernel, "auto_pad": "valid"}
    return dataclasses.replace(base, height=size, width=size, **window)


def kernel_lines(plain, is_long):
    """Windows that grow to the size of the input."""
    for channels in (1, 3, 16, 67) if is_long else (3, 16):
        large = dataclasses.replace(plain, channels=channels, height=64, width=64)
        for stride, dilation in ((1, 1), (2, 1), (1, 2)) if is_long else ((1, 1), (2, 1)):
            base = dataclasses.replace(large, stride=stride, dilation=dilation)
            yield line_of(base, "kernel", KERNELS)
        yield [side_by_side(large, kernel) for kernel in KERNELS]
    for channels in (4, 8):
        large = dataclasses.replace(plain, channels=channels, height=64, width=64)
        yield [side_by_side(large, kernel) for kernel in KERNELS]


def step_lines(plain):
    """Strides and dilations."""
    for channels in (3, 16, 67):
        base = dataclasses.replace(plain, channels=channels, height=28, width=28)
        for kernel in (1, 2, 3, 5, 7):
            window = dataclasses.replace(base, kernel=kernel)
            yield line_of(window, "stride", range(1, 5))
            for stride in (1, 2) if kernel > 1 else ():
                strided = dataclasses.replace(window, stride=stride)
                yield line_of(strided, "dilation", range(1, 4))
                # A dilation of 2 is no measure here: it leaves out most of the input.
                if stride == 2:
                    yield line_of(strided, "dilation", (1, 3))


def image_lines(plain):
    """Rows as long as those of images."""
    for channels in (1, 3):
        base = dataclasses.replace(plain, channels=channels, height=8)
        for kernel, stride, auto_pad in SMALL_WINDOWS:
            window = {"kernel": kernel, "stride": stride, "auto_pad": auto_pad}
            yield line_of(dataclasses.replace(base, **window), "width", IMAGE_WIDTHS)


def series_lines(plain):
    """One row for each channel, as one-dimensional networks have them."""
    base = dataclasses.replace(plain, channels=64, height=1, flat=True)
    for kernel, stride, auto_pad in SMALL_WINDOWS:
        window = {"kernel": kernel, "stride": stride, "auto_pad": auto_pad}
        row = dataclasses.replace(base, **window)
        yield line_of(row, "width", SERIES)
    for stride in (1, 2):
        yield line_of(dataclasses.replace(base, width=400, stride=stride), "kernel", SERIES_KERNELS)


def pad_lines(plain):
    """Windows with pads, and without."""
    for channels, size in ((1, 64), (3, 112), (64, 7), (64, 14), (64, 35), (16, 100)):
        base = dataclasses.replace(plain, channels=channels, height=size, width=size)
        for kernel in (2, 3, 4, 5):
            window = dataclasses.replace(base, kernel=kernel)
            yield line_of(window, "auto_pad", ("same_upper", "valid"))


def random_lines(kinds, count, seed):
    """Short lines through places that no regular line meets."""
    rng = random.Random(seed)
    kinds = list(kinds)
    while count > 0:
        kernel = rng.choice((1, 2, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 11, 15))
        base = Job(
            *rng.choice(kinds),
            channels=rng.choice((rng.randint(1, 8), rng.randint(1, 130))),
            height=rng.randint(1, 40),
            width=rng.choice((rng.randint(1, 40), rng.randint(1, 130))),
            kernel=kernel,
            stride=rng.choice((1, 1, 2, 3, 4, kernel)),
            dilation=rng.choice((1, 1, 1, 2, 3)),
            auto_pad=rng.choice(("same_upper", "valid")),
        )
        name, most = rng.choice((("channels", 130), ("width", 130), ("kernel", 16), ("height", 40)))
        middle = getattr(base, name)
        line = line_of(base, name, range(max(1, middle - 2), min(most, middle + 2) + 1))
        if len(line) > 1:
            yield line
            count -= 1
