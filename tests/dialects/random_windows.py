"""Random shapes and windows that the other library takes as well."""

import dataclasses

import lanepool_ctypes as lp

MOST_SIZE = {1: 40, 2: 14, 3: 7}


@dataclasses.dataclass
class Window:
    """Entries for each spatial axis."""

    kernel: list
    strides: list
    dilations: list
    begin: list
    end: list
    ceil: bool = False

    def set(self, params):
        rank = len(self.kernel)
        params.kernel[:rank] = self.kernel
        params.strides[:rank] = self.strides
        params.dilations[:rank] = self.dilations
        params.pads_begin[:rank] = self.begin
        params.pads_end[:rank] = self.end
        params.ceil_mode = lp.CEIL_ON if self.ceil else 0

    def effective(self):
        return [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations)]


def random_shape(rng, rank):
    sizes = [int(v) for v in rng.integers(1, MOST_SIZE[rank] + 1, rank)]
    return [int(rng.integers(1, 3)), int(rng.choice([1, 2, 3, 8, 17])), *sizes]


def no_pad(_kernel, _dilation):
    return 0


def half_of_kernel(kernel, _dilation):
    return kernel // 2


def less_than_kernel(kernel, _dilation):
    return kernel - 1


def random_window(rng, sizes, *, most_pad, dilated=False, symmetric=False, ceil=True):
    """most_pad: from kernel and dilation to the largest pad."""

    def axis(size):
        while True:
            kernel, stride = int(rng.integers(1, 6)), int(rng.integers(1, 5))
            dilation = int(rng.integers(1, 4)) if dilated and rng.random() < 0.5 else 1
            effective = (kernel - 1) * dilation + 1
            begin, end = (int(v) for v in rng.integers(0, most_pad(kernel, dilation) + 1, 2))
            end = begin if symmetric else end
            if size + begin + end >= effective:
                return kernel, stride, dilation, begin, end

    entries = zip(*(axis(size) for size in sizes))
    return Window(*(list(values) for values in entries), ceil=ceil and bool(rng.random() < 0.5))
