"""What the comparison with ONNX Runtime found, counted."""

import collections
import fractions

import numpy as np

from qlinear_exact import distance_to_tie, is_tie
from qlinear_nodes import SCALE_CLASSES

MOST_PRINTED = 20
U = 2.0**-24


class Counts:
    def __init__(self):
        self.outputs, self.ties, self.differ_on_tie, self.differ_near_tie = 0, 0, 0, 0
        self.exact_ties = 0  # of these, ties that f32 arithmetic must meet as well

    def differing(self):
        return self.differ_on_tie + self.differ_near_tie


class Report:
    def __init__(self):
        self.nodes, self.channels, self.failures = 0, 0, 0
        self.kinds = collections.Counter()
        self.counts = {(c, path): Counts() for c in SCALE_CLASSES for path in (True, False)}
        self.windowed_outputs, self.half_even_differs = 0, 0

    def fail(self, node, problem):
        self.failures += 1
        if self.failures <= MOST_PRINTED:
            print(f"FAILED  {node.describe()}\n        {problem}")

    def outputs(self):
        return sum(c.outputs for c in self.counts.values())

    def differing(self):
        return sum(c.differing() for c in self.counts.values())

    def count_node(self, node):
        self.nodes += 1
        self.kinds[node.kind()] += 1

    def count_half_even(self, half_even_y, ort_y):
        """How far plain HALF_EVEN is from ONNX Runtime's windows."""
        self.windowed_outputs += ort_y.size
        self.half_even_differs += int(np.count_nonzero(ort_y != half_even_y))

    def print(self):
        for kind, count in sorted(self.kinds.items()):
            print(f"{count:6} {kind}")
        print(f"{self.channels:6} channels of jobs with per-channel quantization\n")
        print("                                ties,  exact    ORT differs by 1,")
        print("scales       path       outputs    all  in f32  on a tie  next to a tie")
        for (scale_class, is_windowed), c in self.counts.items():
            name = f"{scale_class:13}{'windows' if is_windowed else 'global':8}"
            ties = f"{c.ties:7}{c.exact_ties:8}{c.differ_on_tie:10}{c.differ_near_tie:15}"
            print(f"{name}{c.outputs:10}{ties}")
        on_tie = sum(c.differ_on_tie for c in self.counts.values())
        near = sum(c.differ_near_tie for c in self.counts.values())
        outputs, differing = self.outputs(), self.differing()
        equal = outputs - on_tie - near
        print(f"\n{outputs} outputs: {equal} equal, {differing} differ by 1 and lanepool is exact:")
        share = differing / max(outputs, 1)
        print(f"  {share:.2g} of all, {on_tie} on exact ties, {near} next to one")
        share = self.half_even_differs / max(self.windowed_outputs, 1)
        windowed = self.windowed_outputs
        print(f"plain HALF_EVEN differs from ORT's windows in {share:.2%} of {windowed}")
        print(f"{self.nodes} nodes compared, {self.failures} failures")

    def exact_ties(self, is_windowed):
        """Ties of one path of ONNX Runtime on which no difference is excused."""
        return sum(self.counts[c, is_windowed].exact_ties for c in SCALE_CLASSES)


def float_error(divisor, quantization):
    """How far ONNX Runtime's f32 value may be from the exact one, in outputs.

    Of at most `divisor` taps, each is rounded when it is dequantized, and so are the sums: that is
    the first term. The divisions by count and scale and the addition of the zero point follow. An
    output that is not saturated either way stays below 512 in each of these."""
    ratio = quantization.x_scale / quantization.y_scale
    return (int(divisor) + 1) * U * 255 * ratio + 4 * U * 512


def _is_power_of_2(fraction):
    top, bottom = fraction.numerator, fraction.denominator
    return top & (top - 1) == 0 and bottom & (bottom - 1) == 0


def has_exact_ties(node, divisor, is_windowed):
    """Whether f32 has no error where the exact quotient is a tie: with scales that are powers of 2,
    windows are exact sums and one division with an exact quotient; the global path multiplies by
    the reciprocal of the divisor, which must be a power of 2 as well."""
    scales = node.quantization.x_scale, node.quantization.y_scale
    if not all(_is_power_of_2(fractions.Fraction(scale)) for scale in scales):
        return False
    return is_windowed or _is_power_of_2(fractions.Fraction(int(divisor)))


def compare_with_ort(node, sums, divisors, ort_y, y, is_windowed, report):
    """Counts the outputs; fails what f32 cannot excuse. y is known to be exact."""
    counts = report.counts[node.scale_class, is_windowed]
    counts.outputs += y.size
    ties = is_tie(sums, divisors, node.quantization)
    counts.ties += int(np.count_nonzero(ties))
    for divisor in np.unique(divisors[ties]):
        if has_exact_ties(node, divisor, is_windowed):
            counts.exact_ties += int(np.count_nonzero(ties & (divisors == divisor)))
    difference = np.abs(ort_y.astype(np.int64) - y)
    for at in map(tuple, np.argwhere(difference > 0)):
        distance = distance_to_tie(sums[at], divisors[at], node.quantization)
        is_exact = distance == 0 and has_exact_ties(node, divisors[at], is_windowed)
        excused = distance <= float_error(divisors[at], node.quantization) and not is_exact
        if difference[at] > 1 or not excused:
            place = f"at {[int(i) for i in at]}, {float(distance):.3g} from a tie"
            report.fail(node, f"ONNX Runtime has {ort_y[at]}, exactly {y[at]}, {place}")
        elif distance == 0:
            counts.differ_on_tie += 1
        else:
            counts.differ_near_tie += 1
