"""Cycles that llvm-mca expects a core to take for blocks of instructions.

Each block is taken as the body of a loop that runs a hundred times with everything in the first
cache and every branch foreseen. LLVM describes some cores by the model of another: this file, run
as a program, prints which.
"""

import functools
import json
import subprocess
import sys

import blocks

CORES = (
    "cortex-a55",
    "cortex-a510",
    "cortex-a76",
    "cortex-x3",
    "neoverse-n1",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v2",
)
LLVM = "19"
TRIPLE = "aarch64-linux-gnu"
TURNS = 100
SHARE = 0.9  # of all instructions: blocks that are looked at, the hottest first
# The last instruction is between blocks: a block may end with one that only some may follow.
REGION = "# LLVM-MCA-BEGIN {0}\n{1}\n# LLVM-MCA-END {0}\nnop\n"


def call(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]}: {done.stderr[:2000]}")
    return done.stdout


@functools.cache
def assembly(words):
    """The instructions of a block in words, one per line."""
    pairs = [words[i : i + 2] for i in range(0, len(words), 2)]
    each = blocks.DIGITS // 2  # bytes, the last digits first
    lines = [pairs[i : i + each][::-1] for i in range(0, len(pairs), each)]
    text = "\n".join(" ".join(f"0x{byte}" for byte in line) for line in lines)
    command = [f"llvm-mc-{LLVM}", "--disassemble", f"-triple={TRIPLE}", "-mattr=+all"]
    lines = call(command, text).splitlines()
    return "\n".join(line for line in lines if line.strip() != ".text")


def cycles(core, texts):
    """Of one turn of each text, in assembly."""
    regions = "".join(REGION.format(f"block{i}", text) for i, text in enumerate(texts))
    command = [f"llvm-mca-{LLVM}", f"-mtriple={TRIPLE}", f"-mcpu={core}", "--json"]
    command += ["-resource-pressure=false", "-instruction-info=false"]
    answer = json.loads(call([*command, f"-iterations={TURNS}"], regions))
    named = {region["Name"]: region for region in answer["CodeRegions"]}
    return [
        named[f"block{i}"]["SummaryView"]["TotalCycles"] / TURNS for i in range(len(texts))
    ]


def cycles_per_output(core, result):
    """What counts.py has counted, run by this core; blocks that are left out cost as the others."""
    counted, covered = [], 0
    for block in result["blocks"]:
        if covered >= SHARE * result["instructions"]:
            break
        counted.append(block)
        covered += block["runs"] * (len(block["words"]) // blocks.DIGITS)
    texts = [assembly(block["words"]) for block in counted]
    each = cycles(core, texts)
    total = sum(block["runs"] * one for block, one in zip(counted, each, strict=True))
    return total * result["instructions"] / covered / result["outputs"]


def main():
    """Cores that llvm-mca takes for the same."""
    sample = "ldp q0, q1, [x0], #32\nfadd v0.4s, v0.4s, v1.4s\nfmla v2.4s, v0.4s, v1.4s\n"
    sample += "fdiv v3.4s, v0.4s, v2.4s\nfmax v4.4s, v0.4s, v2.4s\nstp q3, q4, [x1], #32"
    alike = {}
    for core in CORES:
        command = [f"llvm-mca-{LLVM}", f"-mtriple={TRIPLE}", f"-mcpu={core}", "-timeline"]
        answer = call(command, sample)
        alike.setdefault(answer, []).append(core)
    for cores in alike.values():
        print(", ".join(cores))


if __name__ == "__main__":
    sys.exit(main())
