"""What README.md says is so: its snippets compile and give what it says, each cell of the support
tables is what the library answers, the tool's lines run, links lead somewhere.

readme_test.py [--library FILE] [--include DIRECTORY] [--tool FILE] [--cc COMPILER]
               [--cxx COMPILER] [--cflags=FLAGS] [unittest's own arguments]

Without them: LANEPOOL_LIBRARY, LANEPOOL_INCLUDE, LANEPOOL_TOOL, CC, CXX, CFLAGS of the environment.
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
    parser.add_argument("--cxx", default=environment("CXX", "c++"))
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


FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# What the snippets of C and C++ leave to the reader.
C_PROGRAM = """#include <lanepool/lanepool.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
float x[25], y[9];
for (int i = 0; i < 25; ++i) x[i] = (float)i;
%s
for (int i = 0; i < 9; ++i) printf("%%g%%c", y[i], i %% 3 == 2 ? '\\n' : ' ');
return 0;
}"""
CPP_PROGRAM = """#include <lanepool/lanepool.hpp>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>
int main() {
std::vector<float> x(25), y(9);
std::iota(x.begin(), x.end(), 0.0f);
%s
for (size_t i = 0; i < 9; ++i) std::printf("%%g%%c", y[i], i %% 3 == 2 ? '\\n' : ' ');
}"""

# Snippets that are parts of programs which the tests of their packages run.
TESTED_ELSEWHERE = {
    "rust": "bindings/rust/lanepool/README.md",  # documentation tests
    "go": "bindings/go/examples/minimal/main.go",
    "python": "bindings/python/README.md",
}


def compiled_output(code, compiler, *flags):
    """What a program of C or C++ prints, linked with the library."""
    library = pathlib.Path(OPTIONS.library).resolve()
    with tempfile.TemporaryDirectory() as folder:
        command = [compiler, f"-I{OPTIONS.include}", *FLAGS, *flags, *shlex.split(OPTIONS.cflags)]
        link = ["-xnone", str(library), f"-Wl,-rpath,{library.parent}"]
        run([*command, "-", *link, "-o", f"{folder}/program"], input=code)
        return run([f"{folder}/program"]).stdout


def stripped(text):
    """Lines without their indentation."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


class Snippets(unittest.TestCase):
    """One job in five languages."""

    def setUp(self):
        self.printed = block_after("## Use it", "")

    def test_printed_averages_are_right(self):
        x = np.full((7, 7), np.nan)
        x[1:6, 1:6] = np.arange(25).reshape(5, 5)
        windows = [[x[i : i + 3, j : j + 3] for j in (0, 2, 4)] for i in (0, 2, 4)]
        expected = [[np.nanmean(window) for window in row] for row in windows]
        printed = [line.split() for line in self.printed.splitlines()]
        np.testing.assert_allclose(np.array(printed, float), expected, rtol=1e-5)

    def test_whole_program_in_c(self):
        code = (ROOT / "examples/c_minimal.c").read_text(encoding="utf-8")
        self.assertEqual(compiled_output(code, OPTIONS.cc, "-std=c99", "-xc"), self.printed)

    def test_c(self):
        code = C_PROGRAM % block_after("## Use it", "c")
        self.assertEqual(compiled_output(code, OPTIONS.cc, "-std=c99", "-xc"), self.printed)

    def test_cpp(self):
        code = CPP_PROGRAM % block_after("## Use it", "cpp")
        self.assertEqual(compiled_output(code, OPTIONS.cxx, "-std=c++17", "-xc++"), self.printed)

    def test_rust_go_and_python(self):
        for language, file in TESTED_ELSEWHERE.items():
            with self.subTest(language=language):
                program = (ROOT / file).read_text(encoding="utf-8")
                self.assertIn(stripped(block_after("## Use it", language)), stripped(program))


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
