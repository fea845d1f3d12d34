#!/usr/bin/env python3
"""The shared library against stock ONNX Runtime and against exact rationals: QLinearAveragePool and
QLinearGlobalAveragePool, u8 and s8, both layouts, ranks 1 to 3, random attributes and scales.

Every output of the library must be the exact result, under ONNX Runtime's rounding and under plain
HALF_EVEN, with the same bytes on every instruction set. ONNX Runtime computes in f32: it may be off
by 1 where that can push a value across a tie, in at most 1 of 1,000 outputs of the whole run. The
report counts them.

Usage: ort_compare.py [--library liblanepool.so]   (or LANEPOOL_LIBRARY in the environment)
       ort_compare.py --table    how often roundings differ, for docs/quantization.md
       ort_compare.py --time     both side by side on two usual layers
"""

import argparse
import os
import sys

import numpy as np
import onnxruntime

import lanepool_ctypes as lp
import ort_table
import ort_timing
from ort_models import run_nodes
from ort_report import Report, compare_with_ort
from qlinear_exact import round_exactly, sums_and_divisors
from qlinear_front_end import GLOBAL, plan_from_node
from qlinear_groups import random_group, run_group
from qlinear_nodes import random_node

NODES_PER_MODEL = 100
NODES_PER_GROUP = 20  # one group with per-channel quantization for so many nodes
MOST_DIFFERING = 1e-3


def run_library(library, node, params, report):
    """y in the node's layout, computed on two instruction sets: the best, and another in turn."""
    others = library.supported_targets()
    results = []
    for target in (0, others[report.nodes % len(others)]):
        params.target_mask = target
        desc = library.plan(params)
        y = np.full(node.y_shape(desc), 0x55, node.x.dtype)
        library.run(desc, node.x, y)
        results.append(y)
    if results[0].tobytes() != results[1].tobytes():
        report.fail(node, f"{library.target_name(target)} gives other bytes")
    return results[0]


class Checker:
    """The exact results of one node, and what is held against them."""

    def __init__(self, node, report):
        self.node, self.report = node, report
        x = node.channels_first(node.x)
        self.sums, self.divisors = sums_and_divisors(
            node.attributes, node.op_type == GLOBAL, x, node.quantization.x_zero_point
        )

    def is_exact(self, y, rounding):
        """Whether lanepool's output in the node's layout is right; fails the node if not."""
        after_zero_point = rounding == lp.ROUND_HALF_EVEN_AFTER_ZERO_POINT
        want = round_exactly(
            self.sums, self.divisors, self.node.quantization, after_zero_point, y.dtype
        )
        got = self.node.channels_first(y)
        if got.shape == want.shape and np.array_equal(got, want):
            return True
        problem = f"shape {got.shape}, not {want.shape}"
        if got.shape == want.shape:
            at = tuple(int(i) for i in np.argwhere(got != want)[0])
            problem = f"{got[at]} at {at}, exactly {want[at]}"
        self.report.fail(self.node, f"rounding {rounding}: {problem}")
        return False

    def compare_with_ort(self, ort_y, y, rounding):
        """y is lanepool's output, known to be exact."""
        if ort_y.shape != y.shape:
            self.report.fail(self.node, f"ONNX Runtime's shape is {ort_y.shape}, not {y.shape}")
            return
        first = self.node.channels_first
        is_windowed = rounding == lp.ROUND_HALF_EVEN_AFTER_ZERO_POINT
        compare_with_ort(
            self.node, self.sums, self.divisors, first(ort_y), first(y), is_windowed, self.report
        )


def check_node(library, node, ort_y, report):
    params, _ = plan_from_node(library, node.proto(), node.x_type, node.x.shape, node.quantization)
    rounding = params.rounding
    checker = Checker(node, report)
    y = run_library(library, node, params, report)
    params.rounding = lp.ROUND_HALF_EVEN
    half_even_y = run_library(library, node, params, report)
    if checker.is_exact(y, rounding) and checker.is_exact(half_even_y, lp.ROUND_HALF_EVEN):
        checker.compare_with_ort(ort_y, y, rounding)
        if rounding != lp.ROUND_HALF_EVEN:
            report.count_half_even(half_even_y, ort_y)


def check_group(library, group, shared, ort_ys, report):
    """Nodes of one channel each, which lanepool runs as one job with per-channel quantization."""
    ys, rounding = run_group(library, group, shared)
    for node, y, ort_y in zip(group, ys, ort_ys):
        checker = Checker(node, report)
        if checker.is_exact(y, rounding):
            checker.compare_with_ort(ort_y, y, rounding)
    report.channels += len(group)


def compare(library, count, seed):
    rng = np.random.default_rng(seed)
    report = Report()
    while report.nodes < count:
        nodes = [random_node(rng) for _ in range(min(NODES_PER_MODEL, count - report.nodes))]
        for node, ort_y in zip(nodes, run_nodes(nodes)):
            try:
                check_node(library, node, ort_y, report)
            except lp.StatusError as error:
                report.fail(node, str(error))
            report.count_node(node)
    for _ in range(count // NODES_PER_GROUP):
        group, shared = random_group(rng)
        try:
            check_group(library, group, shared, run_nodes(group), report)
        except lp.StatusError as error:
            report.fail(group[0], f"per channel: {error}")
    print(f"lanepool {library.version}, ONNX Runtime {onnxruntime.__version__}, seed {seed}")
    report.print()
    if report.differing() > MOST_DIFFERING * report.outputs():
        print(f"FAILED  more than {MOST_DIFFERING:g} of the outputs differ")
        return 1
    if not report.exact_ties(True) or not report.exact_ties(False):
        print("FAILED  too few nodes: no exact tie tells how one of ONNX Runtime's paths rounds")
        return 1
    return 1 if report.failures > 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--library", default=os.environ.get("LANEPOOL_LIBRARY"))
    parser.add_argument("--nodes", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true", help="measure how often roundings differ")
    parser.add_argument("--time", action="store_true", help="measure times side by side")
    options = parser.parse_args()
    if not options.library:
        parser.error("which library? Give --library or set LANEPOOL_LIBRARY")
    library = lp.Library(options.library)
    if not library.supported_targets():
        sys.exit("the library supports no target on this machine")
    if options.table:
        return ort_table.measure(library, options.seed)
    if options.time:
        return ort_timing.measure(library, options.seed)
    return compare(library, options.nodes, options.seed)


if __name__ == "__main__":
    sys.exit(main())
