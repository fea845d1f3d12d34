#!/usr/bin/env python3
"""Counts the instructions that one call of a job executes on 64-bit Arm, under qemu.

Each row of ROWS is run with one call and with two; what the second adds is the call. Counts are
exact and the same on every repetition. Results of peers are checked first; lanepool's are what its
tests check. Writes JSON, which tables.py reads. scripts/arm_counts.sh builds what this needs.

Usage: counts.py --plugin FILE --neon FILE [--sve FILE] [--root FOLDER] --json FILE [--filter TEXT]
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import blocks

# As `bench_peers --list` prints them, without the layout. Those of XNNPACK's own kernels come first.
ROWS = (
    "average/inception_a",
    "average/inception_c",
    "average/densenet_t1",
    "average/gap_resnet",
    "average/psp",
    "average/a1d",
    "max/resnet_stem",
    "max/vgg_late",
    "max/googlenet28",
    "max/yolo_sppf",
    "quantized/inception_a/u8",
    "quantized/densenet_t1/u8",
    "quantized/gap_mobilenet/u8",
    "quantized/resnet_stem/u8",
    "types/inception_a/f16",
    "types/resnet_stem/f16",
    "types/gap_resnet/f16",
    "types/inception_a/bf16",
)
LAYOUTS = ("nhwc", "nchw")
UNSUPPORTED, WRONG = 3, 4  # exit statuses of pool_calls


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plugin", required=True, help="count_blocks.so")
    parser.add_argument("--neon", required=True, help="pool_calls of the preset aarch64")
    parser.add_argument("--sve", help="pool_calls of the preset sve")
    parser.add_argument("--root", help="unpacked packages for arm64, with their C library")
    parser.add_argument("--json", required=True)
    parser.add_argument("--filter", default="", help="only rows with this in their path")
    return parser.parse_args()


class Machine:
    """A program of an instruction set, under qemu with the C library of `root`."""

    def __init__(self, isa, cpu, program, arguments):
        self.isa = isa
        self.plugin = pathlib.Path(arguments.plugin).resolve()
        self.qemu = ["qemu-aarch64", "-cpu", cpu]
        self.command = [str(pathlib.Path(program).resolve())]
        loaders = sorted(pathlib.Path(arguments.root or "/nowhere").glob("usr/lib/*/ld-linux-*.so*"))
        if loaders:
            self.command[:0] = [str(loaders[0]), "--library-path", str(loaders[0].parent)]
        else:
            self.qemu += ["-L", "/usr/aarch64-linux-gnu"]

    def run(self, extra, words):
        command = [*self.qemu, *extra, *self.command, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=600)

    def count(self, peer, row, calls):
        """What pool_calls prints, and the blocks that it executes."""
        with tempfile.NamedTemporaryFile() as file:
            done = self.run(["-plugin", f"{self.plugin},out={file.name}"], [peer, row, str(calls)])
            if done.returncode != 0:
                raise SystemExit(f"counts.py: {peer} {row}: {done.stderr}")
            return done.stdout.strip(), blocks.read(file.name)

    def measure(self, peer, row):
        """What one call executes; None if the peer cannot do the row."""
        right = True
        if peer != "lanepool":
            checked = self.run([], [peer, row, "check"])
            if checked.returncode == UNSUPPORTED:
                return None
            if checked.returncode not in (0, WRONG):
                raise SystemExit(f"counts.py: {peer} {row}: {checked.stderr}")
            right = checked.returncode == 0
        text, call = self.count(peer, row, 2)
        call.subtract(self.count(peer, row, 1)[1])
        outputs, note = text.split(" ", 1)
        return {
            "row": row,
            "peer": peer,
            "isa": self.isa,
            "outputs": int(outputs),
            "instructions": sum(block.length * runs for block, runs in call.items()),
            "right": right,
            "note": note,
            "blocks": [
                {"runs": runs, "words": block.words}
                for block, runs in blocks.hottest(call, share=0.97)
            ],
        }


def main():
    arguments = parse_arguments()
    entrants = [(Machine("NEON", "cortex-a72", arguments.neon, arguments), "lanepool")]
    if arguments.root:
        entrants.append((entrants[0][0], "xnnpack"))
    if arguments.sve:
        sve = Machine("SVE 256", "max,sve256=on", arguments.sve, arguments)
        entrants.append((sve, "lanepool"))
    results = []
    for row in (f"{row}/{layout}" for row in ROWS for layout in LAYOUTS):
        if arguments.filter not in row:
            continue
        for machine, peer in entrants:
            result = machine.measure(peer, row)
            if result is None:
                continue
            results.append(result)
            each = result["instructions"] / result["outputs"]
            wrong = "" if result["right"] else ", WRONG"
            print(f"{row} {peer} {machine.isa}: {each:.2f}{wrong}", flush=True)
    pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
