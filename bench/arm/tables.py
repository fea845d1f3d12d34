#!/usr/bin/env python3
"""Fills the tables of docs/arm.md from what counts.py has counted.

Usage: tables.py COUNTS.json docs/arm.md
"""

import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report"))

import models  # isort: skip
from document import fill, table  # isort: skip
from words import three  # isort: skip

NEON, SVE = "NEON", "SVE 256"
OURS, PEER = "lanepool", "xnnpack"
WIDE_CORE = "neoverse-v1"  # the one with vectors of 256 bits
# What the rows of f32 with channels last say about the op; the goal is for these.
GOALS = ("inception_a", "densenet_t1", "resnet_stem", "vgg_late", "gap_resnet")


class Counts:
    def __init__(self, results):
        self.results = results
        self.found = {(r["row"], r["peer"], r["isa"]): r for r in results}
        self.rows = list(dict.fromkeys(r["row"] for r in results))

    def get(self, row, peer, isa):
        """None where the peer cannot do the row, or not rightly."""
        result = self.found.get((row, peer, isa))
        return result if result and result["right"] else None


def name_of(row):
    """As: inception_a u8 NHWC."""
    words = row.split("/")[1:]
    kind = words[1] if len(words) == 3 else "f32"
    return f"{words[0]} {kind} {words[-1].upper()}"


def each(result):
    return result["instructions"] / result["outputs"] if result else None


def ratio(a, b):
    return f"{a / b:.2f}" if a is not None and b is not None else "–"


def counts_block(counts):
    rows = []
    for row in counts.rows:
        ours, peer = (each(counts.get(row, p, NEON)) for p in (OURS, PEER))
        wide = each(counts.get(row, OURS, SVE))
        rows.append([name_of(row), three(ours), three(peer), ratio(ours, peer), three(wide)])
    return table(["row", "lanepool, NEON", "XNNPACK, NEON", "ratio", "lanepool, SVE 256"], rows)


def goal_block(counts):
    ratios = []
    for row in counts.rows:
        words = row.split("/")
        if len(words) == 3 and words[1] in GOALS and words[2] == "nhwc":
            ours, peer = (each(counts.get(row, p, NEON)) for p in (OURS, PEER))
            if ours and peer:
                ratios.append(ours / peer)
    if not ratios:
        return "XNNPACK was not there to be counted."
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return (
        f"On f32 with channels last, where XNNPACK has kernels of its own (3x3/1 and 2x2/2 averages, 3x3/2 and 2x2/2 "
        f"maxima, the global average of 7x7), lanepool executes {mean:.2f} times its instructions on the geometric "
        f"mean, and {max(ratios):.2f} times at most."
    )


def models_block(counts):
    head = ["row", *models.CORES, f"{WIDE_CORE}, SVE"]
    rows = []
    for row in counts.rows:
        ours, peer = (counts.get(row, p, NEON) for p in (OURS, PEER))
        wide = counts.get(row, OURS, SVE)
        if ours is None or peer is None or len(row.split("/")) != 3:  # f32 that XNNPACK has too
            continue
        cells = []
        for core in models.CORES:
            cycles = models.cycles_per_output(core, ours)
            cell = three(cycles)
            if peer:
                cell += f" ({ratio(cycles, models.cycles_per_output(core, peer))})"
            cells.append(cell)
        wide_cycles = models.cycles_per_output(WIDE_CORE, wide) if wide else None
        rows.append([name_of(row), *cells, three(wide_cycles)])
    return table(head, rows)


def main():
    counts_file, document = map(pathlib.Path, sys.argv[1:])
    counts = Counts(json.loads(counts_file.read_text(encoding="utf-8")))
    blocks = {
        "goal": goal_block(counts),
        "counts": counts_block(counts),
        "models": models_block(counts),
    }
    document.write_text(fill(document.read_text(encoding="utf-8"), blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
