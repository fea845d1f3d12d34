"""What README.md says is so: the example is examples/c_minimal.c and prints what it says, each cell
of the support tables is what the library answers, the tool's lines run, links lead somewhere.

readme_test.py [--library FILE] [--include DIRECTORY] [--tool FILE] [--cc COMPILER]
               [--cflags=FLAGS] [unittest's own arguments]

Without them: LANEPOOL_LIBRARY, LANEPOOL_INCLUDE, LANEPOOL_TOOL, CC, CFLAGS of the environment.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import readme_support
from readme_support import README, ROOT
from readme_support import Support  # noqa: F401  pylint: disable=unused-import


def parse_arguments():
    environment = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--library", default=environment("LANEPOOL_LIBRARY"))
    include = environment("LANEPOOL_INCLUDE", str(ROOT / "include"))
    parser.add_argument("--include", default=include)
    parser.add_argument("--tool", default=environment("LANEPOOL_TOOL"))
    parser.add_argument("--cc", default=environment("CC", "cc"))
    parser.add_argument("--cflags", default=environment("CFLAGS", ""))
    options, others = parser.parse_known_args()
    if not options.library:
        parser.error("--library or LANEPOOL_LIBRARY is needed")
    return options, others


def block_after(marker, fence):
    """The fenced block that begins with `fence`, the first one behind `marker`."""
    start = README.index(marker)
    match = re.compile(rf"^```{fence}\n(.*?)^```$", re.DOTALL | re.MULTILINE).search(README, start)
    return match.group(1)


def run(command, **options):
    """Runs a program without the sanitizer run-time that this process may have preloaded."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment, **options
    )


class Example(unittest.TestCase):
    """The C program."""

    def test_is_the_file(self):
        file = (ROOT / "examples/c_minimal.c").read_text(encoding="utf-8")
        self.assertEqual(block_after("## Use it from C", "c"), file)

    def test_compiles_as_c99_and_prints_what_readme_says(self):
        code = block_after("## Use it from C", "c")
        library = pathlib.Path(OPTIONS.library).resolve()
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-xc", "-"]
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/example"
            link = ["-xnone", str(library), f"-Wl,-rpath,{library.parent}"]
            command = [OPTIONS.cc, f"-I{OPTIONS.include}", *flags, *shlex.split(OPTIONS.cflags)]
            run([*command, *link, "-o", program], input=code)
            output = run([program]).stdout
        self.assertEqual(output, block_after("It prints", ""))

    def test_printed_averages_are_right(self):
        x = np.full((7, 7), np.nan)
        x[1:6, 1:6] = np.arange(25).reshape(5, 5)
        windows = [[x[i : i + 3, j : j + 3] for j in (0, 2, 4)] for i in (0, 2, 4)]
        expected = [[np.nanmean(window) for window in row] for row in windows]
        printed = [line.split() for line in block_after("It prints", "").splitlines()]
        np.testing.assert_allclose(np.array(printed, float), expected, rtol=1e-5)


class Text(unittest.TestCase):
    """Everything else."""

    def test_is_short(self):
        self.assertLess(README.count("\n"), 200)

    def test_the_two_commands(self):
        for script in ("scripts/quickstart.sh", "scripts/test.sh"):
            self.assertIn(f"./{script}", README)
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)

    def test_links(self):
        documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
        documents += [*ROOT.glob("bindings/*/README.md"), *ROOT.glob("bindings/*/*/README.md")]
        links = 0
        for document in documents:
            text = document.read_text(encoding="utf-8")
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                links += 1
                with self.subTest(document=document.name, link=link):
                    self.assertTrue((document.parent / link).exists())
        self.assertGreater(links, 20)

    def test_tool(self):
        if not OPTIONS.tool:
            self.skipTest("no tool given")
        section = README.split("## The tool\n")[1].split("\n## ")[0]
        lines = re.findall(r"^    lanepool (.*?)(?:  +#.*)?$", section, re.MULTILINE)
        self.assertEqual(len(lines), 7)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", np.ones((1, 2, 8, 8), np.float32))
            np.save(f"{folder}/q.npy", np.full((1, 2, 8, 8), 7, np.uint8))
            for line in lines:
                with self.subTest(line=line):
                    brief = ["--seconds", "0.001"] if line.startswith("bench -") else []
                    done = run([OPTIONS.tool, *shlex.split(line), *brief], cwd=folder)
                    self.assertEqual(done.stderr, "")
            self.assertEqual(np.load(f"{folder}/y.npy").shape, (1, 2, 4, 4))
            first_of_each = np.add.outer([0, 64], np.add.outer([0, 16, 32, 48], [0, 2, 4, 6]))
            self.assertTrue(np.array_equal(np.load(f"{folder}/i.npy"), first_of_each[None]))
            self.assertTrue(np.array_equal(np.load(f"{folder}/p.npy"), np.full((1, 2, 4, 4), 14)))


if __name__ == "__main__":
    OPTIONS, OTHERS = parse_arguments()
    readme_support.LIBRARY = OPTIONS.library
    unittest.main(argv=[sys.argv[0], *OTHERS])
