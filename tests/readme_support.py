"""The support tables of README.md against the library: each cell is planned in both layouts and all
ranks, and what is a "yes" is run as well. A part of readme_test.py."""

import itertools
import math
import pathlib
import re
import sys
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "onnx"))
import lanepool_ctypes  # noqa: E402  pylint: disable=wrong-import-position

LIBRARY = None  # path, set by readme_test.py
README = (ROOT / "README.md").read_text(encoding="utf-8")
HEADER = (ROOT / "include/lanepool/lanepool.h").read_text(encoding="utf-8")

# LANEPOOL_* numbers of the header, without the prefix.
CODES = {
    name: int(number) for name, number in re.findall(r"\bLANEPOOL_(\w+)(?: =)? (\d+)u?\b", HEADER)
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
    "index_mode": "INDEX",
    "storage_order": "STORAGE",
    "y_type": "TYPE",
    "rounding": "ROUND",
}
# Statuses that begin like the codes of a field.
NO_CODES = {"AUTO_PAD", "EMPTY_OUTPUT", "EMPTY_WINDOW", "INDEX_SIZE"}
EVERY_TYPE = "in every type of the op"
# Statuses that say: there is no such thing.
NO_MEANING = ("TYPE", "FLAG", "POLICY", "AUTO_PAD", "DILATION", "SCALE")
ANSWERS = {CODES[name]: "no" for name in NO_MEANING} | {CODES["UNSUPPORTED"]: "not yet"}
LAYOUTS_AND_RANKS = tuple(itertools.product(("NCHW", "NHWC"), (1, 2, 3)))
INPUT = 9  # of each axis
CHANNELS = 3


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


def names_in(text):
    """`a`, `b`: X, Y (remark) -> [a, b], [X, Y]"""
    fields = re.findall(r"`(\w+)`", text)
    codes = re.sub(r"\(.*?\)", "", text.partition(":")[2])
    return fields, [code.strip() for code in codes.split(",") if code.strip()]


class Support(unittest.TestCase):
    """The table of types and those of options."""

    def setUp(self):
        self.library = lanepool_ctypes.Library(LIBRARY)
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
        return params

    def answer(self, params):
        try:
            self.run_once(params, self.library.plan(params))
            return "yes"
        except lanepool_ctypes.StatusError as error:
            return ANSWERS.get(error.status, str(error))

    def run_once(self, params, desc):
        """On zeros, and with indices that unpooling skips."""
        x = np.zeros(desc.x_bytes, np.uint8)
        y = np.full(desc.y_bytes, 0x55, np.uint8)
        index = np.full(desc.index_bytes, 0xFF, np.uint8) if desc.index_bytes else None
        if desc.table_bytes:
            scales, zero_points = [1.0] * CHANNELS, [0] * CHANNELS
            x_side = (scales, zero_points) if params.x_scale_count else (None, None)
            y_side = (scales, zero_points) if params.y_scale_count else (None, None)
            self.library.run_table(desc, self.library.table(desc, *x_side, *y_side), x, y)
        else:
            self.library.run(desc, x, y, index)
        self.assertTrue((y != 0x55).any())

    def set_option(self, params, field, code):
        rank = params.rank
        if field in ("x_strides", "y_strides"):
            sizes = params.input if field[0] == "x" else self.library.plan(params).output
            self.set_view(params, getattr(params, field), sizes)
        elif field.endswith("_scale_count"):
            setattr(params, field, CHANNELS)
        elif field.endswith(("_scale", "_zero_point")):
            setattr(params, field, 2)
        elif code is None:
            getattr(params, field)[:rank] = [1 if field.startswith("pads") else 2] * rank
        elif field == "flags":
            params.flags |= CODES[f"FLAG_{code}"]
        else:
            setattr(params, field, CODES[f"{CODE_PREFIXES[field]}_{code}"])
        if code in ("GLOBAL", "ADAPTIVE"):
            params.kernel[:rank] = [0] * rank
        if code == "ADAPTIVE":
            params.output_size[:rank] = [2] * rank
        if code == "CONSTANT":
            params.divisor_value = 3
        if code == "CLAMP":
            params.clamp_high = 6

    @staticmethod
    def set_view(params, strides, sizes):
        """Every other element of a dense tensor."""
        axes = list(range(2, 2 + params.rank))
        last_to_first = axes[::-1] + [1, 0]
        if params.layout == CODES["LAYOUT_NHWC"]:
            last_to_first = [1] + axes[::-1] + [0]
        step = 2
        for axis in last_to_first:
            strides[axis] = step
            step *= CHANNELS if axis == 1 else sizes[max(axis, 2) - 2]

    def types_with(self, op):
        """The types in which the first table has the op."""
        head, *rows = self.types
        cells = next(cells for name, *cells in rows if name == op)
        columns = [column for column, cell in zip(head[1:], cells) if cell == "yes"]
        return [name for column in columns for name in column.split(", ")]

    def test_types(self):
        head, *rows = self.types
        asked = 0
        for op, *cells in rows:
            for column, cell in zip(head[1:], cells, strict=True):
                for type_name in column.split(", "):
                    for layout, rank in LAYOUTS_AND_RANKS:
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

    def ask_cell(self, op, type_name, field, code, cell):
        for layout, rank in LAYOUTS_AND_RANKS:
            question = {"op": op, "type": type_name, "layout": layout, "rank": rank}
            with self.subTest(**question, field=field, code=code):
                params = self.params(op, type_name, layout, rank)
                self.set_option(params, field, code)
                self.assertEqual(self.answer(params), cell)

    def test_options(self):
        cells_asked = []
        for head, *rows in self.options:
            cells_asked.append(0)
            for text, *cells in rows:
                fields, codes = names_in(text)
                questions = list(itertools.product(fields, codes or [None]))
                for op, cell in zip(head[1:], cells, strict=True):
                    types = head[0].removeprefix("with ").split(", ")
                    types = self.types_with(op) if head[0] == EVERY_TYPE else types
                    for type_name, (field, code) in itertools.product(types, questions):
                        self.ask_cell(op, type_name, field, code, cell)
                        cells_asked[-1] += 1
        self.assertEqual(len(cells_asked), 3)
        self.assertGreater(min(cells_asked), 17)
        self.assertGreater(sum(cells_asked), 1000)

    def test_options_are_complete(self):
        """Every code of every policy of the header is in some table, and every flag."""
        texts = [text for _, *rows in self.options for text, *_ in rows]
        asked = {
            f"{CODE_PREFIXES[field]}_{code}"
            for fields, codes in map(names_in, texts)
            for field, code in itertools.product(fields, codes)
        }
        not_asked = {"AUTO_PAD_NOTSET", "CEIL_OFF"}  # the defaults: every other cell has them
        for prefix in set(CODE_PREFIXES.values()) - {"TYPE"}:
            in_header = {code for code in CODES if code.startswith(f"{prefix}_")}
            self.assertEqual(in_header - asked - not_asked - NO_CODES, set())

    def test_not_yet(self):
        """The sentence above the tables."""
        sentence = re.search(r"Not yet: .*? \(`LANEPOOL_UNSUPPORTED`\)", README, re.DOTALL)
        counted = r"NAN_IGNORE in windows of more than 2\^24 taps"
        self.assertRegex(sentence.group(0), counted + r".* that span 2\^32 positions, f64 excepted")
        for type_name, answer in (("f32", "not yet"), ("f64", None)):
            params = self.params("average", type_name, "NCHW", 1)
            params.input[0] = params.kernel[0] = 2**24 + 1
            self.set_option(params, "nan_rule", "IGNORE")
            self.assertEqual(self.plan_only(params), answer)
            params = self.params("max", type_name, "NCHW", 1)
            params.input[0] = params.kernel[0] = 2**32
            params.index_type = CODES["TYPE_INT64"]
            self.assertEqual(self.plan_only(params), answer)

    def plan_only(self, params):
        try:
            self.library.plan(params)
        except lanepool_ctypes.StatusError as error:
            return ANSWERS.get(error.status, str(error))

    def test_all_flags_together(self):
        """What excludes nothing may be combined."""
        for type_name, (layout, rank) in itertools.product(("f32", "u8"), LAYOUTS_AND_RANKS):
            with self.subTest(type=type_name, layout=layout, rank=rank):
                params = self.params("average", type_name, layout, rank)
                for code in ("ADAPTIVE", "STRICT_ORDER", "CLAMP"):
                    self.set_option(params, "flags", code)
                self.set_option(params, "nan_rule", "IGNORE")
                self.assertEqual(self.answer(params), "yes")
                self.assertTrue(math.prod(self.library.plan(params).output[:rank]) == 2**rank)
