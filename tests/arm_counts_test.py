"""The plugin of bench/arm counts a known loop exactly; what is made of counts adds up.

arm_counts_test.py --pool-calls PROGRAM --cc CC. What needs qemu, a cross compiler or llvm-mca is
skipped without.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARM = ROOT / "bench/arm"
sys.path.insert(0, str(ARM))

import blocks  # isort: skip
import models  # isort: skip
import tables  # isort: skip

ARGUMENTS = argparse.Namespace()
CROSS = "aarch64-linux-gnu-gcc"
BEFORE, TURN, AFTER = 2, 3, 3  # instructions
# Any C library would add instructions of its own.
LOOP = """
.globl _start
_start:
  mov x0, #0
  mov x1, #{turns}
1: fadd v0.4s, v0.4s, v0.4s
  subs x1, x1, #1
  b.ne 1b
  mov x8, #93
  mov x0, #0
  svc #0
"""


def needs(*tools):
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return unittest.skipIf(missing, f"without {', '.join(missing)}")


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)


def result(row, peer, instructions, **changes):
    """A row as counts.py writes it, of ten outputs and one block: two instructions, five runs."""
    common = {"row": row, "peer": peer, "isa": tables.NEON, "outputs": 10, "right": True, "note": ""}
    listed = [{"runs": 5, "words": "91000400" * 2}]  # add x0, x0, #1
    return {**common, "instructions": instructions, "blocks": listed, **changes}


@needs("qemu-aarch64", CROSS)
class Plugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.plugin = cls.path / "count_blocks.so"
        flags = ("-shared", "-fPIC", "-O2", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
        built = run(ARGUMENTS.cc, *flags, "-o", cls.plugin, ARM / "count_blocks.c")
        assert built.returncode == 0, built.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def count(self, turns):
        source, program, out = (self.path / f"{turns}{end}" for end in (".s", "", ".txt"))
        source.write_text(LOOP.format(turns=turns), encoding="ascii")
        built = run(CROSS, "-nostdlib", "-static", "-o", program, source)
        self.assertEqual(built.returncode, 0, built.stderr)
        done = run("qemu-aarch64", "-plugin", f"{self.plugin},out={out}", program)
        if "not enabled" in done.stderr or "invalid option" in done.stderr:
            self.skipTest("this qemu takes no plugins")
        self.assertEqual(done.returncode, 0, done.stderr)
        return blocks.read(out)

    def test_every_instruction_is_counted_once(self):
        for turns in (1, 2, 1000, 65535):
            runs = self.count(turns)
            total = sum(block.length * count for block, count in runs.items())
            self.assertEqual(total, BEFORE + turns * TURN + AFTER, turns)

    def test_words_are_the_instructions(self):
        (block, count), *_ = blocks.hottest(self.count(1000), share=0.9)
        self.assertEqual((block.length, count), (TURN, 999))
        self.assertEqual(block.words[:8], "4e20d400")

    def test_arguments(self):
        done = run("qemu-aarch64", "-plugin", f"{self.plugin},other=1", self.path / "none")
        self.assertNotEqual(done.returncode, 0)


class Blocks(unittest.TestCase):
    def test_hottest_stops_at_the_share(self):
        runs = {blocks.Block(0, "0" * 16): 30, blocks.Block(8, "0" * 8): 30, blocks.Block(9, "0" * 8): 10}
        self.assertEqual([b.address for b, _ in blocks.hottest(runs, 0.6)], [0])
        self.assertEqual([b.address for b, _ in blocks.hottest(runs, 0.7)], [0, 8])
        self.assertEqual(len(list(blocks.hottest(runs, 1))), 3)

    def test_a_block_that_was_translated_twice_is_one(self):
        with tempfile.NamedTemporaryFile("w+", encoding="ascii") as file:
            file.write("40 3 d503201f\n40 4 d503201f\n")
            file.flush()
            self.assertEqual(blocks.read(file.name), {blocks.Block(0x40, "d503201f"): 7})


class Tables(unittest.TestCase):
    ROW = "average/inception_a/nhwc"

    def test_counts(self):
        counts = tables.Counts(
            [
                result(self.ROW, "lanepool", 30),
                result(self.ROW, "xnnpack", 60),
                result(self.ROW, "lanepool", 20, isa=tables.SVE),
                result("quantized/inception_a/u8/nhwc", "lanepool", 10),
                result("quantized/inception_a/u8/nhwc", "xnnpack", 10, right=False),
            ]
        )
        lines = tables.counts_block(counts).splitlines()[2:]
        self.assertEqual(lines[0], "| inception_a f32 NHWC | 3.00 | 6.00 | 0.50 | 2.00 |")
        self.assertEqual(lines[1], "| inception_a u8 NHWC | 1.00 | – | – | – |")
        self.assertIn("0.50 times at most", tables.goal_block(counts))

    @needs("llvm-mc-19", "llvm-mca-19")
    def test_models_count_every_instruction(self):
        # One addition after the other, two in a block of five runs: ten cycles of ten outputs; what
        # was left out of the blocks costs as much.
        for instructions, expected in ((10, 1), (20, 2)):
            cycles = models.cycles_per_output("neoverse-n1", result(self.ROW, "", instructions))
            self.assertAlmostEqual(cycles, expected, delta=0.05 * expected)

    def test_document_has_the_blocks(self):
        text = (ROOT / "docs/arm.md").read_text(encoding="utf-8")
        for name in ("goal", "counts", "models"):
            self.assertEqual(text.count(f"<!-- {name} -->"), 1, name)


class PoolCalls(unittest.TestCase):
    def test_checks_its_row(self):
        done = run(ARGUMENTS.pool_calls, "lanepool", "tiny/tiny_average/nhwc", "check")
        self.assertEqual(done.returncode, 0, done.stderr)
        outputs, note = done.stdout.strip().split(" ", 1)
        self.assertEqual(int(outputs), 8 * 2 * 2)
        self.assertTrue(note.startswith("average f32 nhwc"), note)

    def test_calls_and_refuses(self):
        row = "tiny/tiny_average/nhwc"
        self.assertEqual(run(ARGUMENTS.pool_calls, "lanepool", row, 2).returncode, 0)
        for words in (("lanepool", "none", 1), ("none", row, 1), ("lanepool", row), ("lanepool", row, "x")):
            self.assertEqual(run(ARGUMENTS.pool_calls, *words).returncode, 1, words)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pool-calls", required=True)
    parser.add_argument("--cc", default="cc")
    ARGUMENTS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
