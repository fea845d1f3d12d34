"""What README.md says is so: the example is examples/c_minimal.c and prints what it says, each cell
of the support tables is what the library answers, the tool's lines run, links lead somewhere.

readme_test.py [--library FILE] [--include DIRECTORY] [--tool FILE] [--cc COMPILER]
               [--cflags=FLAGS] [unittest's own arguments]

Without them: LANEPOOL_LIBRARY, LANEPOOL_INCLUDE, LANEPOOL_TOOL, CC, CFLAGS of the environment.
"""

import argparse
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "onnx"))
import lanepool_ctypes  # noqa: E402  pylint: disable=wrong-import-position

README = (ROOT / "README.md").read_text(encoding="utf-8")
HEADER = (ROOT / "include/lanepool/lanepool.h").read_text(encoding="utf-8")

# LANEPOOL_* numbers of the header, without the prefix.
CODES = {
    name: int(number)
    for name, number in re.findall(r"\bLANEPOOL_(\w+)(?: =)? (\d+)u?\b", HEADER)
}
TYPES = {
    "f32": "FLOAT",
    "f64": "DOUBLE",
    "f16": "FLOAT16",
    "bf16": "BFLOAT16",
    "u8": "UINT8",
    "s8": "INT8",
    "u16": "UINT16",
    "s16": "INT16",
    "s32": "INT32",
}
CODE_PREFIXES = {
    "auto_pad": "AUTO_PAD",
    "ceil_mode": "CEIL",
    "divisor": "DIVISOR",
    "empty_window": "EMPTY",
    "nan_rule": "NAN",
    "flags": "FLAG",
    "index_type": "TYPE",
    "y_type": "TYPE",
    "rounding": "ROUND",
}
ANSWERS = {
    CODES["OK"]: "yes",
    CODES["UNSUPPORTED"]: "planned",
    CODES["TYPE"]: "no",
}
INPUT = 9  # of each axis
CHANNELS = 3


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


def tables():
    """The tables of the section on support: lists of rows, rows are lists of cells."""
    section = README.split("## What is supported\n")[1].split("\n## ")[0]
    result = [[]]
    for line in section.splitlines():
        if line.startswith("|"):
            result[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif result[-1]:
            result.append([])
    return [[row for row in table if set(row[0]) != {"-"}] for table in result if table]


def run(command, **options):
    """Runs a program without the sanitizer run-time that this process may have preloaded."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment, **options
    )


def names_in(text):
    """`a`, `b`: X, Y (remark) -> [a, b], [X, Y]"""
    fields = re.findall(r"`(\w+)`", text)
    codes = re.sub(r"\(.*?\)", "", text.partition(":")[2])
    return fields, [code.strip() for code in codes.split(",") if code.strip()]


class Support(unittest.TestCase):
    """The table of types and those of options."""

    def setUp(self):
        self.library = lanepool_ctypes.Library(OPTIONS.library)
        self.types, *self.options = tables()

    def params(self, op, type_name, layout, rank):
        params = self.library.params()
        params.op = CODES[f"OP_{op.upper()}"]
        params.layout = CODES[f"LAYOUT_{layout}"]
        params.rank = rank
        params.x_type = params.y_type = CODES[f"TYPE_{TYPES[type_name]}"]
        params.batch = 2
        params.channels = CHANNELS
        for axis in range(rank):
            params.input[axis] = INPUT
            params.kernel[axis] = 3
        if op == "max_unpool":
            params.index_type = CODES["TYPE_INT64"]
            params.output_size[:rank] = [2 * INPUT] * rank
        return params

    def answer(self, params):
        try:
            self.library.plan(params)
            return "yes"
        except lanepool_ctypes.StatusError as error:
            return ANSWERS.get(error.status, str(error))

    def set_option(self, params, field, code):
        rank = params.rank
        if field in ("x_strides", "y_strides"):
            size = INPUT if field[0] == "x" else self.library.plan(params).output[0]
            self.set_view(params, getattr(params, field), size)
        elif field.endswith("_scale_count"):
            setattr(params, field, CHANNELS)
        elif field.endswith(("_scale", "_zero_point")):
            setattr(params, field, 2)
        elif code is None:
            getattr(params, field)[:rank] = [1 if field.startswith("pads") else 2] * rank
        else:
            setattr(params, field, CODES[f"{CODE_PREFIXES[field]}_{code}"])
        if code in ("GLOBAL", "ADAPTIVE"):
            params.kernel[:rank] = [0] * rank
        if code == "ADAPTIVE":
            params.output_size[:rank] = [2] * rank
        if code == "CONSTANT":
            params.divisor_value = 3

    @staticmethod
    def set_view(params, strides, size):
        """Every other element of a dense tensor."""
        axes = list(range(2, 2 + params.rank))
        last_to_first = axes[::-1] + [1, 0]
        if params.layout == CODES["LAYOUT_NHWC"]:
            last_to_first = [1] + axes[::-1] + [0]
        step = 2
        for axis in last_to_first:
            strides[axis] = step
            step *= CHANNELS if axis == 1 else size

    def test_types(self):
        head, *rows = self.types
        asked = 0
        for op, *cells in rows:
            for column, cell in zip(head[1:], cells, strict=True):
                for type_name in column.split(", "):
                    for layout, rank in itertools.product(("NCHW", "NHWC"), (1, 2, 3)):
                        with self.subTest(op=op, type=type_name, layout=layout, rank=rank):
                            params = self.params(op, type_name, layout, rank)
                            self.assertEqual(self.answer(params), cell)
                        asked += 1
        self.assertEqual(asked, 6 * len(TYPES) * 6)

    def test_types_are_complete(self):
        head, *rows = self.types
        self.assertEqual(
            {f"OP_{row[0].upper()}" for row in rows}, {c for c in CODES if c.startswith("OP_")}
        )
        in_header = {c for c in CODES if c.startswith("TYPE_")} - {"TYPE_NONE", "TYPE_INT64"}
        in_table = {f"TYPE_{TYPES[name]}" for column in head[1:] for name in column.split(", ")}
        self.assertEqual(in_table, in_header)

    def ask_options(self, type_name, head, rows):
        asked = 0
        for text, *cells in rows:
            fields, codes = names_in(text)
            for field, code in itertools.product(fields, codes or [None]):
                for op, cell in zip(head[1:], cells, strict=True):
                    for layout, rank in itertools.product(("NCHW", "NHWC"), (1, 2, 3)):
                        with self.subTest(op=op, field=field, code=code, layout=layout, rank=rank):
                            params = self.params(op, type_name, layout, rank)
                            self.set_option(params, field, code)
                            self.assertEqual(self.answer(params), cell)
                        asked += 1
        return asked

    def test_options(self):
        asked = []
        for head, *rows in self.options:
            for type_name in head[0].removeprefix("with ").split(", "):
                asked.append(self.ask_options(type_name, head, rows))
        self.assertEqual(len(asked), 3)
        self.assertGreater(min(asked), 150)

    def test_what_f32_has_bytes_have(self):
        head, *rows = self.options[0]
        self.assertEqual(head[0], "with f32")
        both = [[text, *cells] for text, *cells in rows if set(cells) == {"yes"}]
        for type_name in ("u8", "s8"):
            self.assertGreater(self.ask_options(type_name, head, both), 150)

    def test_flags_are_complete(self):
        for _, *rows in self.options:
            codes = {
                f"FLAG_{code}"
                for text, *_ in rows
                for code in names_in(text)[1]
                if "`flags`" in text
            }
            self.assertEqual(codes, {c for c in CODES if c.startswith("FLAG_")})


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
        self.assertEqual(len(lines), 6)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", np.ones((1, 2, 8, 8), np.float32))
            np.save(f"{folder}/q.npy", np.full((1, 2, 8, 8), 7, np.uint8))
            for line in lines:
                with self.subTest(line=line):
                    brief = ["--seconds", "0.001"] if line.startswith("bench -") else []
                    done = run([OPTIONS.tool, *shlex.split(line), *brief], cwd=folder)
                    self.assertEqual(done.stderr, "")
            self.assertEqual(np.load(f"{folder}/y.npy").shape, (1, 2, 4, 4))
            self.assertTrue(np.array_equal(np.load(f"{folder}/p.npy"), np.full((1, 2, 4, 4), 14)))


if __name__ == "__main__":
    OPTIONS, OTHERS = parse_arguments()
    unittest.main(argv=[sys.argv[0], *OTHERS])
