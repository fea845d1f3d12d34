#!/usr/bin/env python3
"""Fills the tables of docs/benchmarks.md from the files that the commands beside them have written.

A block between `<!-- NAME -->` and `<!-- end -->` is written anew if the file that it is made of is
given; the others stay as they are.

Usage: document.py [options] docs/benchmarks.md
"""

import argparse
import json
import pathlib
import re
import sys

import figures
import findings
from figures import GROUPS, OURS, compared, geomean, growth_of, growth_panels, median, name_of
from words import factor, micros, three

LAYOUTS = ("nchw", "nhwc")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--peers", action="append", help="JSON of bench/peers; repeat for several")
    parser.add_argument("--statistic", choices=figures.STATISTICS, default="median")
    parser.add_argument("--call", help="JSON of bench_call")
    parser.add_argument("--targets", help="JSON of bench_pool --targets all")
    parser.add_argument("--sweep", help="JSON of sweep.py")
    return parser.parse_args()


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def machine_text(report):
    machine = report.machines[0]
    peers = [peer for peer in report.peers.values() if peer.get("status") != "absent"]
    versions = ", ".join(f"{name_of(peer['name'])} {peer['version']}" for peer in peers)
    isa = report.peers[OURS].get("isa", "")
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['os']}, {machine.get('date', '')};"
        f" lanepool on {isa}. {versions}."
    )


def group_table(report):
    rows = []
    for group, name in GROUPS.items():
        known = compared(report.of(group))
        if known:
            numbers = findings.outcomes(known)
            mean = geomean(row.speedup() for row in known)
            worst = known[-1]
            counts = [numbers[kind] for kind in ("win", "tie", "loss")]
            worst_text = f"{factor(worst.speedup())} {worst.title()}"
            middle = factor(median(row.speedup() for row in known))
            rows.append([name, len(known), factor(mean), middle, *counts, worst_text])
    head = ["rows of", "compared", "geometric mean", "median", "faster", "equal", "slower", "worst"]
    return f"{findings.headline(report.workloads())}.\n\n{table(head, rows)}"


def row_cells(row):
    if row is None or not row.us(OURS):
        return ["–"] * 4
    best = f"{name_of(row.best()[0])} {three(row.best()[1])}" if row.best()[0] else "–"
    speedup = ("≈" if row.is_disturbed() else "") + factor(row.speedup())
    speedup = f"**{speedup}**" if row.outcome() == "loss" else speedup
    return [three(row.us(OURS)), factor(row.to_limit(row.us(OURS))), best, speedup]


def rows_table(rows):
    """Both layouts of each job beside each other; losses are bold."""
    jobs = {}
    for row in rows:
        jobs.setdefault((row.short(), row.type), {})[row.layout] = row
    head = ["row", "type", *[word for layout in LAYOUTS for word in column_words(layout)]]
    lines = [
        [name, kind, *[cell for layout in LAYOUTS for cell in row_cells(of.get(layout))]]
        for (name, kind), of in jobs.items()
    ]
    return table(head, lines)


def column_words(layout):
    return [f"{layout.upper()} µs", "× memcpy", "best peer, µs", "speed-up"]


def growth_table(report):
    panels = growth_panels(report.of("growth"))
    windows = sorted({k for panel in panels.values() for k, _, _ in panel.get(OURS, [])})
    lines = []
    for (_, op, kind, layout), panel in panels.items():
        of = {k: us / memcpy for k, us, memcpy in panel.get(OURS, [])}
        ratio = growth_of(panel.get(OURS, []), findings.SMALL, findings.LARGE)
        cells = [factor(of.get(k)) for k in windows]
        lines.append([f"{op} {kind} {layout.upper()}", *cells, factor(ratio)])
    last = f"{findings.LARGE} against {findings.SMALL}"
    return table(["× memcpy at k =", *windows, last], lines)


def threads_table(report):
    rows = [row for row in report.rows if row.threads > 1]
    lines = [
        [row.short(), row.layout.upper(), row.threads, factor(ratio), factor(row.speedup())]
        for row, ratio in findings.scaling(rows, report.rows)
    ]
    return table(["row", "layout", "threads", "of one thread", "of the best peer"], lines)


def tiny_table(report):
    lines = []
    for row in report.of("tiny"):
        if row.us(OURS):
            peer, us = row.best()
            best = f"{name_of(peer)} {micros(us)}" if peer else "–"
            lines.append([row.title(), micros(row.us(OURS)), best, factor(row.speedup())])
    return table(["row", "lanepool", "best peer", "speed-up"], lines)


def peers_blocks(report):
    return {
        "machine": machine_text(report),
        "groups": group_table(report),
        "rows": rows_table(report.workloads()),
        "growth": growth_table(report),
        "cold": rows_table([row for row in report.rows if row.cold]),
        "threads": threads_table(report),
        "tiny": tiny_table(report),
    }


def call_block(document):
    plans, lines = {}, []
    for row in document["benchmarks"]:
        kind, name = row["name"].split("/", 1)
        if kind == "plan":
            plans[name] = row["real_time"]
        else:
            name = name.split("/iterations")[0]
            numbers = [plans[name], row["call_ns"], row["image_ns"], row["over_ns"]]
            lines.append([name, *[f"{number:.0f}" for number in numbers]])
    return table(["shape", "plan, ns", "call, ns", "one more image, ns", "over, ns"], lines)


def targets_block(document):
    jobs = {}
    for row in document["benchmarks"]:
        name, target = row["name"].rsplit("/", 1)
        jobs.setdefault(name, {})[target] = row["ratio_to_memcpy"]
    targets = list(dict.fromkeys(target for of in jobs.values() for target in of))
    lines = [[name, *[factor(of.get(target)) for target in targets]] for name, of in jobs.items()]
    return table(["× memcpy", *targets], lines)


def sweep_block(document):
    cliffs = document["cliffs"]
    text = f"{len(document['costs'])} shapes, {len(cliffs)} cliffs."
    if cliffs:
        highest = [[f"{c['ratio']:.1f}×", c["job"], c["neighbour"]] for c in cliffs[:10]]
        text += f" The highest:\n\n{table(['slower', 'shape', 'than'], highest)}"
    return text


def fill(text, blocks):
    for name, content in blocks.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda m, c=content: f"{m[1]}\n{c}\n\n{m[2]}", text)
        if count != 1:
            sys.exit(f"document: there are {count} blocks <!-- {name} -->, not one")
    return text


def main():
    options = parse_arguments()
    blocks = {}
    if options.peers:
        blocks.update(peers_blocks(figures.Report(figures.read(options.peers), options.statistic)))
    for name, make in (("call", call_block), ("targets", targets_block), ("sweep", sweep_block)):
        path = getattr(options, name)
        if path:
            blocks[name] = make(load(path))
    text = options.document.read_text(encoding="utf-8")
    options.document.write_text(fill(text, blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
