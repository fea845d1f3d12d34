#!/usr/bin/env python3
"""Looks for cliffs: shapes that are far slower per byte than their neighbours.

Sweeps channels and widths 1 to 130, windows of 1 to 64, strides 1 to 4, dilations 1 to 3 and every
alignment within a cache line, for averages and maxima of f32, f16 and u8 in both layouts, and short
lines of neighbours at random places. Each shape pools about 64 KiB, so that all are in the cache.
Prints what is confirmed, the highest cliff first.
Exit status: 0 without cliffs, 1 with, 2 if nothing could be measured.

Usage: sweep.py [options]     about three minutes
Example: sweep.py --under "taskset -c 1" --types u8 --layouts nchw
"""

import argparse
import collections
import itertools
import json
import pathlib
import shlex
import subprocess
import sys

import sweep_cliffs
import sweep_shapes

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "build/release/bin/sweep_times"
JOBS_PER_PROCESS = 1000


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default=PROGRAM, help="sweep_times of a build")
    parser.add_argument("--under", default="", help="a command to run it under, as 'taskset -c 1'")
    parser.add_argument("--ops", default="average,max")
    parser.add_argument("--layouts", default="nchw,nhwc")
    parser.add_argument("--types", default="f32,f16,u8")
    parser.add_argument("--target", help="an instruction set, e.g. AVX2; else the best there is")
    parser.add_argument("--random", type=int, default=600, help="lines at random places")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", action="store_true", help="more windows, channels and samples")
    parser.add_argument("--limit", type=float, default=2, help="times slower than a neighbour")
    parser.add_argument("--top", type=int, default=5, help="how many to print of each group")
    parser.add_argument("--json", help="all costs and cliffs into this file")
    return parser.parse_args()


class Measure:
    """The measuring program, in as many processes as it takes."""

    def __init__(self, command, seconds, target=None):
        self.command = [*command, str(seconds), *([target] if target else [])]

    def __call__(self, jobs):
        costs = {}
        for start in range(0, len(jobs), JOBS_PER_PROCESS):
            part = jobs[start : start + JOBS_PER_PROCESS]
            answers = self.run("".join(job.line() + "\n" for job in part)).splitlines()
            for job, answer in zip(part, answers, strict=True):
                if not answer.startswith("refused"):
                    least, _, size, explanation = answer.split(" ", 3)
                    costs[job] = sweep_cliffs.Cost(float(least), int(size), explanation)
            if sys.stderr.isatty():
                print(f"\r{start + len(part)} of {len(jobs)} ", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return costs

    def run(self, lines):
        try:
            done = subprocess.run(
                self.command, input=lines, capture_output=True, text=True, check=True
            )
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"sweep: {error} {getattr(error, 'stderr', '')}".strip(), file=sys.stderr)
            sys.exit(2)
        return done.stdout


def way_of(explanation):
    """How lanepool_explain says that the job is done, without the job and the divisors."""
    loop, *others = explanation.split(": ", 1)[1].split(", ")
    return loop + (" requantize" if others[0].startswith("requantize") else "")


def group_of(cliff):
    job = cliff.job
    return f"{job.op} {job.layout} {job.type}, {cliff.name}"


def print_cliff(cliff, costs):
    slow, fast = costs[cliff.job], costs[cliff.neighbour]
    kind = "spike" if cliff.is_spike else "step"
    other = f"{cliff.name} {getattr(cliff.neighbour, cliff.name)}"
    print(
        f"{cliff.ratio:7.2f} {kind:5} {cliff.job.text()}: {slow.per_byte():.3g} ns/byte"
        f" ({way_of(slow.explanation)}); {other}: {fast.per_byte():.3g}"
        f" ({way_of(fast.explanation)})"
    )


def print_cliffs(cliffs, costs, top):
    """In groups of what changes, the group with the highest cliff first."""
    print(f"\n{len(cliffs)} cliffs")
    groups = collections.defaultdict(list)
    for cliff in cliffs:
        groups[group_of(cliff)].append(cliff)
    for name, group in groups.items():
        print(f"{name}: {len(group)}")
        for cliff in group[:top]:
            print_cliff(cliff, costs)


def print_stretches(stretches, costs, top):
    print(f"\n{len(stretches)} stretches above {sweep_cliffs.STRETCH} times their line's median")
    for jobs, ratio in stretches[: 4 * top]:
        name = "one shape"
        if len(jobs) > 1:
            name = sweep_cliffs.changed(jobs[0], jobs[-1])
            name += f" {getattr(jobs[0], name)} to {getattr(jobs[-1], name)}"
        print(f"{ratio:6.2f} {name}: {jobs[0].text()}   {way_of(costs[jobs[0]].explanation)}")


def write_json(path, costs, cliffs):
    document = {
        "costs": [
            {"job": job.text(), "ns": cost.nanoseconds, "bytes": cost.size, "how": cost.explanation}
            for job, cost in costs.items()
        ],
        "cliffs": [
            {
                "job": cliff.job.text(),
                "neighbour": cliff.neighbour.text(),
                "changes": cliff.name,
                "ratio": round(cliff.ratio, 3),
                "spike": cliff.is_spike,
            }
            for cliff in cliffs
        ],
    }
    pathlib.Path(path).write_text(json.dumps(document, indent=1), encoding="utf-8")


def main():
    options = parse_arguments()
    kinds = list(
        itertools.product(
            options.ops.split(","), options.layouts.split(","), options.types.split(",")
        )
    )
    lines = list(sweep_shapes.lines(kinds, options.long))
    lines += sweep_shapes.random_lines(kinds, options.random, options.seed)
    command = [*shlex.split(options.under), str(options.program)]
    measure = Measure(command, 0.02 if options.long else 0, options.target)
    costs, cliffs = sweep_cliffs.find_cliffs(lines, measure, options.limit)
    print(f"{len(lines)} lines, {len(costs)} shapes")
    print_cliffs(cliffs, costs, options.top)
    print_stretches(sweep_cliffs.slow_stretches(lines, costs), costs, options.top)
    if options.json:
        write_json(options.json, costs, cliffs)
    return 1 if cliffs else 0


if __name__ == "__main__":
    sys.exit(main())
