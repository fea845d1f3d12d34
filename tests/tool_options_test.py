"""The options of ops, types and rules: what `lanepool plan` and `bench` say of them, results that were
worked out by hand, and what is refused."""

import math
import sys

import numpy as np
import pytest
from tool_support import folder, refuse, succeed, succeed_json  # noqa: F401
from tool_types import BF16

SHAPE = ("--shape", "1,4,6,6")
WINDOW = (*SHAPE, "--kernel", "3")
OPS_OF_TYPES = {
    "f32": ["average", "max", "min", "sum", "lp"],
    "f64": ["average", "max", "min", "sum", "lp"],
    "f16": ["average", "max", "min", "sum", "lp"],
    "bf16": ["average", "max", "min", "sum", "lp"],
    "u8": ["average", "max", "min"],
    "s8": ["average", "max", "min"],
    "u16": ["average", "max", "min"],
    "s16": ["average", "max", "min"],
    "s32": ["max", "min"],
}
BYTES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2, "u8": 1, "s8": 1, "u16": 2, "s16": 2, "s32": 4}
TYPES_AND_OPS = [(kind, op) for kind, ops in OPS_OF_TYPES.items() for op in ops]
REFUSED = [(kind, op) for kind in [*BYTES, "s64"] for op in OPS_OF_TYPES["f32"]
           if op not in OPS_OF_TYPES.get(kind, [])]


# --- plan ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind, op", TYPES_AND_OPS)
def test_plan_of_all_ops_and_types(kind, op):
    plan = succeed_json("plan", "--op", op, "--type", kind, *WINDOW)
    assert (plan["op"], plan["x_type"], plan["y_type"]) == (op, kind, kind)
    assert plan["x_bytes"] == 4 * 36 * BYTES[kind] and plan["y_bytes"] == 4 * 16 * BYTES[kind]
    assert plan["explain"].startswith(f"{op} {kind} nchw 2d 3x3")
    rounds = kind in ("u8", "s8") or (op == "average" and kind in ("u16", "s16"))
    assert ("rounding" in plan) == rounds and ("lp_order" in plan) == (op == "lp")


@pytest.mark.parametrize("kind, op", REFUSED)
def test_types_that_an_op_does_not_have(kind, op):
    assert "TYPE" in refuse("plan", "--op", op, "--type", kind, *WINDOW)


@pytest.mark.parametrize("kind", BYTES)
@pytest.mark.parametrize("index_type, index_bytes", [("int32", 4), ("int64", 8)])
def test_plan_with_index(kind, index_type, index_bytes):
    plan = succeed_json("plan", "--op", "max", "--type", kind, *WINDOW, "--index-type", index_type)
    assert plan["index_bytes"] == 4 * 16 * index_bytes
    assert (plan["index_type"], plan["index_mode"], plan["storage_order"]) == (index_type, "nchw", 0)


def test_plan_of_index_options():
    words = ["--op", "max", *WINDOW, "--index-type", "int64", "--index-mode", "plane"]
    words += ["--storage-order", "1"]
    plan = succeed_json("plan", *words)
    assert (plan["index_mode"], plan["storage_order"]) == ("plane", 1)
    text = succeed("plan", *words)
    assert "index          512 bytes, int64, counted in the plane, column major\n" in text
    torch = succeed_json("plan", *words[:-4], "--dialect", "torch")
    assert (torch["index_mode"], torch["storage_order"]) == ("plane", 0)
    without = succeed_json("plan", "--op", "max", *WINDOW)
    assert "index_type" not in without and without["index_bytes"] == 0


def test_an_index_too_large_for_32_bits():
    words = ["--op", "max", "--shape", "1,3,2000000000", "--kernel", "3", "--index-type"]
    assert succeed_json("plan", *words, "int64")["index_type"] == "int64"
    line = refuse("plan", *words, "int32")
    assert "index_type" in line and "OVERFLOW" in line
    assert succeed_json("plan", *words, "int32", "--index-mode", "plane")["index_type"] == "int32"


@pytest.mark.parametrize("op, kind", [("average", "f32"), ("max", "u8"), ("min", "s32"), ("lp", "f16")])
def test_plan_of_adaptive(op, kind):
    words = ["--op", op, "--type", kind, *SHAPE, "--adaptive", "--output-size"]
    plan = succeed_json("plan", *words, "4,7")
    assert plan["adaptive"] and not plan["global"] and plan["y_shape"] == [1, 4, 4, 7]
    assert plan["pads_begin"] == plan["pads_end"] == [0, 0]
    assert succeed_json("plan", *words, "2")["y_shape"] == [1, 4, 2, 2]
    text = succeed("plan", *words, "2")
    assert "flags          adaptive\n" in text and "kernel" not in text


@pytest.mark.parametrize(
    "options, y, index_bytes",
    [
        (["--output-size", "9,8"], [1, 4, 9, 8], 4 * 36 * 8),
        (["--kernel", "2", "--strides", "2", "--index-type", "int32"], [1, 4, 12, 12], 4 * 36 * 4),
        (["--kernel", "2", "--strides", "2", "--pads", "1,0,0,1"], [1, 4, 11, 11], 4 * 36 * 8),
        (["--kernel", "2", "--strides", "2", "--output-size", "13"], [1, 4, 13, 13], 4 * 36 * 8),
    ],
)
def test_plan_of_max_unpool(options, y, index_bytes):
    plan = succeed_json("plan", "--op", "max_unpool", *SHAPE, *options)
    assert plan["y_shape"] == y and plan["index_bytes"] == index_bytes
    text = succeed("plan", "--op", "max_unpool", *SHAPE, *options)
    assert text.startswith("plan           max_unpool") and f"index          {index_bytes} bytes" in text


def test_plan_of_flags_and_values():
    plan = succeed_json("plan", "--op", "lp", *WINDOW, "--lp-order", "2.5", "--strict-order",
                        "--accumulate-f64", "--clamp=-1,6")
    assert plan["strict_order"] and plan["accumulate_f64"] and plan["lp_order"] == 2.5
    assert (plan["clamp_low"], plan["clamp_high"]) == (-1, 6)
    text = succeed("plan", "--op", "lp", *WINDOW, "--lp-order", "inf", "--strict-order",
                   "--accumulate-f64", "--clamp", "0,6")
    for words in ["lp order       inf\n", "clamp          0 to 6\n",
                  "flags          strict order, accumulate in f64\n"]:
        assert words in text


@pytest.mark.parametrize("dialect", ["onnx", "ort", "torch", "tflite", "onednn"])
@pytest.mark.parametrize("op", ["average", "max", "min", "sum", "lp"])
def test_dialects_have_all_ops(dialect, op):
    assert succeed_json("plan", "--op", op, *WINDOW, "--dialect", dialect)["op"] == op


# --- results that were worked out by hand --------------------------------------------------------
INF, NAN = math.inf, math.nan


def run(folder, x, *words):
    folder.save(np.array([[x]], np.float32) if isinstance(x, list) else x.reshape(1, 1, -1))
    return folder.run(*words).ravel().tolist()


@pytest.mark.parametrize(
    "words, x, y",
    [
        (["--op", "lp", "--pads", "1"], [3, 4, -3], [3, 5, 5, 3]),
        (["--op", "lp", "--lp-order", "1"], [3, -4, 5], [7, 9]),
        (["--op", "lp", "--lp-order", "inf"], [3, -4, 5], [4, 5]),
        (["--op", "lp", "--lp-order", "3", "--strides", "2", "--ceil-mode", "1"], [3, -4, 5],
         [np.float32(91 ** (1 / 3)), 5]),
        (["--op", "lp"], [INF, 1, NAN, 1], [INF, NAN, NAN]),
        (["--op", "lp", "--nan-rule", "ignore"], [3, NAN, 4, NAN, NAN], [3, 4, 4, NAN]),
        (["--op", "sum"], [1, 2, -7], [3, -5]),
        (["--op", "sum", "--pads", "2"], [1, 2], [0, 1, 3, 2, 0]),
        (["--op", "sum", "--nan-rule", "ignore"], [1, NAN, NAN, 2], [1, NAN, 2]),
        (["--op", "min"], [3, -4, 5, INF], [-4, -4, 5]),
        (["--op", "min", "--pads", "2"], [3, -4], [INF, 3, -4, -4, INF]),
        (["--op", "min"], [3, NAN, 5], [NAN, NAN]),
        (["--op", "min", "--nan", "ignore"], [3, NAN, NAN], [3, NAN]),
        (["--op", "average", "--nan-rule", "ignore"], [1, NAN, NAN, 2], [1, NAN, 2]),
        (["--op", "average", "--nan-rule", "ignore", "--divisor", "4"], [1, NAN, NAN, 2],
         [0.25, NAN, 0.5]),
        (["--op", "average", "--nan-rule", "ignore", "--divisor", "full", "--pads", "1,0"], [6, NAN, 2],
         [3, 6, 2]),
        (["--op", "average"], [3e38, 3e38], [INF]),
        (["--op", "average", "--accumulate-f64"], [3e38, 3e38], [np.float32(3e38)]),
        (["--op", "sum", "--kernel", "3", "--strict-order"], [1, 1e8, -1e8], [0]),
        (["--op", "sum", "--kernel", "3", "--accumulate-f64"], [1, 1e8, -1e8], [1]),
        (["--op", "average", "--clamp", "0,6"], [-4, 2, 8, 20, NAN], [0, 5, 6, NAN]),
        (["--op", "max", "--clamp=-1,inf", "--pads", "2"], [-4], [-1, -1, -1, -1]),
    ],
)
def test_floats(folder, words, x, y):
    words = words if "--kernel" in words else [*words, "--kernel", "2"]
    np.testing.assert_array_equal(run(folder, x, *words), np.array(y, np.float32))


@pytest.mark.parametrize(
    "size, average, maximum",
    [
        ("1", [3], [5]),
        ("2", [2, 4], [3, 5]),
        ("3", [1.5, 3, 4.5], [2, 4, 5]),
        ("5", [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
        ("7", [1, 1.5, 2.5, 3, 3.5, 4.5, 5], [1, 2, 3, 3, 4, 5, 5]),
    ],
)
def test_adaptive(folder, size, average, maximum):
    words = ["--adaptive", "--output-size", size]
    assert run(folder, [1, 2, 3, 4, 5], "--op", "average", *words) == average
    assert run(folder, [1, 2, 3, 4, 5], "--op", "max", *words) == maximum


@pytest.mark.parametrize("x, y", [([60000] * 4, 60000), ([2048, 2050, 2050, 2050], 2050)])
def test_f16_rounds_once(folder, x, y):
    assert run(folder, np.array(x, np.float16), "--op", "average", "--kernel", "4") == [y]


def test_f16_sum_overflows_where_the_type_ends(folder):
    x = np.array([65504, 8, 8, -65504], np.float16)
    assert run(folder, x, "--op", "sum", "--kernel", "2") == [65504, 16, -65504]
    x = np.array([65504, 16], np.float16)
    assert run(folder, x, "--op", "sum", "--kernel", "2") == [INF]


def test_bf16_rounds_once(folder):
    """1 + 2^-8 is a tie, the sum of the small taps makes it more."""
    x = BF16.array(np.array([1, 2.0**-9, 2.0**-9, 2.0**-20]))
    y = run(folder, x, "--op", "sum", "--kernel", "4", "--bf16")
    assert y == BF16.array(np.array([1 + 2.0**-7])).tolist()


@pytest.mark.parametrize(
    "rounding, unsigned, signed",
    [
        ("half_even", [0, 2, 2, 65535], [0, -2, -2, -32768]),
        ("after_zero_point", [0, 2, 2, 65535], [0, -2, -2, -32768]),
        ("half_away", [1, 2, 3, 65535], [-1, -2, -3, -32768]),
    ],
)
def test_means_of_integers(folder, rounding, unsigned, signed):
    words = ["--op", "average", "--kernel", "2", "--strides", "2", "--rounding", rounding]
    x = np.array([0, 1, 1, 2, 2, 3, 65535, 65535], np.uint16)
    assert run(folder, x, *words) == unsigned
    x = np.array([0, -1, -1, -2, -2, -3, -32768, -32768], np.int16)
    assert run(folder, x, *words) == signed


def test_means_of_integers_saturate(folder):
    words = ["--op", "average", "--kernel", "2", "--divisor", "1"]
    assert run(folder, np.array([40000, 40000, 2], np.uint16), *words) == [65535, 40002]
    assert run(folder, np.array([-30000, -30000, 2], np.int16), *words) == [-32768, -29998]
    assert run(folder, np.array([40000, 40000, 2], np.uint16), *words, "--clamp", "0,50000.5") == [
        50000, 40002]


@pytest.mark.parametrize("kind", ["u2", "i2", "i4"])
def test_extremes_of_integers(folder, kind):
    info = np.iinfo(kind)
    x = np.array([info.min, info.max, 7], kind)
    assert run(folder, x, "--op", "max", "--kernel", "2") == [info.max, info.max]
    assert run(folder, x, "--op", "min", "--kernel", "2") == [info.min, 7]
    assert run(folder, x, "--op", "max", "--kernel", "1", "--pads", "1")[0] == info.min
    assert run(folder, x, "--op", "min", "--kernel", "1", "--pads", "1")[0] == info.max


# --- bench ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind, op", TYPES_AND_OPS)
def test_bench_of_all_ops_and_types(kind, op):
    bench = succeed_json("bench", "--op", op, "--type", kind, *WINDOW, "--seconds", "0.005",
                         "--targets", "all")
    assert bench["explain"].startswith(f"{op} {kind}") and bench["x_type"] == kind
    assert len(bench["targets"]) == len(succeed_json("info")["targets_supported"])


@pytest.mark.parametrize(
    "options, index_bytes",
    [
        (["--op", "max", *WINDOW, "--index-type", "int64"], 4 * 16 * 8),
        (["--op", "max", *WINDOW, "--index-type", "int32", "--layout", "nhwc"], 6 * 2 * 4 * 4),
        (["--op", "max_unpool", *SHAPE, "--output-size", "9", "--dialect", "torch"], 4 * 36 * 8),
        (["--op", "max_unpool", *SHAPE, "--kernel", "2", "--strides", "2"], 4 * 36 * 8),
        (["--op", "max_unpool", *SHAPE, "--kernel", "2", "--strides", "2", "--output-size", "5"],
         4 * 36 * 8),
        (["--op", "max_unpool", *SHAPE, "--output-size", "3,40", "--storage-order", "1"], 4 * 36 * 8),
        (["--op", "max_unpool", *SHAPE, "--output-size", "9", "--index-mode", "nhwc", "--layout",
          "nhwc", "--index-type", "int32"], 4 * 36 * 4),
    ],
)
def test_bench_counts_the_bytes_of_the_index(options, index_bytes):
    bench = succeed_json("bench", *options, "--seconds", "0.005", "--targets", "all")
    moved = bench["x_bytes"] + bench["y_bytes"] + bench["index_bytes"]
    assert bench["index_bytes"] == index_bytes
    assert bench["gb_per_s"] == pytest.approx(moved / bench["min_us"] * 1e-3, 1e-4)
    assert "index int" in succeed("bench", *options, "--seconds", "0.005", "--threads", "2")


def test_bench_of_several_types():
    words = ["bench", "--op", "average", *WINDOW, "--types", "f32,f16,bf16", "--seconds", "0.005"]
    results = succeed_json(*words)["types"]
    assert [result["x_type"] for result in results] == ["f32", "f16", "bf16"]
    for result in results:
        assert result["ratio_to_memcpy"] == pytest.approx(
            result["min_us"] / result["memcpy_min_us"], 1e-4)
    text = succeed(*words)
    assert [text.count(f"average {kind} ") for kind in ("f32", "f16", "bf16")] == [1, 1, 1]


# --- refusals ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "words, says",
    [
        (["--op", "average", *SHAPE, "--adaptive"], "--adaptive needs --output-size"),
        (["--op", "average", *SHAPE, "--adaptive", "--output-size", "0"], "DIM"),
        (["--op", "average", *SHAPE, "--adaptive", "--output-size", "1,2,3"], "--output-size has 3"),
        (["--op", "average", *SHAPE, "--adaptive", "--output-size", "3", "--global"], "FLAG"),
        (["--op", "average", *SHAPE, "--adaptive", "--output-size", "3", "--kernel", "2"], "KERNEL"),
        (["--op", "average", *SHAPE, "--adaptive", "--output-size", "3", "--pads", "1"], "PAD"),
        (["--op", "average", *WINDOW, "--output-size", "3"], "DIM"),
        (["--op", "lp", *WINDOW, "--lp-order", "0.5"], "POLICY"),
        (["--op", "lp", *WINDOW, "--lp-order", "nan"], "POLICY"),
        (["--op", "lp", *WINDOW, "--lp-order", "-inf"], "POLICY"),
        (["--op", "max", *WINDOW, "--accumulate-f64"], "FLAG"),
        (["--op", "average", *WINDOW, "--type", "f16", "--accumulate-f64"], "FLAG"),
        (["--op", "average", *WINDOW, "--type", "f64", "--accumulate-f64"], "FLAG"),
        (["--op", "average", *WINDOW, "--type", "u16", "--y-type", "u8"], "TYPE"),
        (["--op", "average", *WINDOW, "--type", "f16", "--y-type", "f32"], "TYPE"),
        (["--op", "sum", *WINDOW, "--y-type", "u8"], "TYPE"),
        (["--op", "average", *WINDOW, "--type", "u16", "--y-zero-point", "1"], "ZERO_POINT"),
        (["--op", "max", *WINDOW, "--type", "s32", "--x-zero-point", "1"], "ZERO_POINT"),
        (["--op", "average", *WINDOW, "--clamp", "3,2"], "SCALE"),
        (["--op", "max", *WINDOW, "--type", "s32", "--clamp", "0.25,0.75"], "SCALE"),
        (["--op", "max", *WINDOW, "--nan-rule", "skip"], "--nan-rule 'skip'"),
        (["--op", "max", *WINDOW, "--type", "f32", "--bf16"], "--bf16"),
    ],
)
def test_refusals(words, says):
    assert says in refuse("plan", *words)


@pytest.mark.parametrize(
    "words, says",
    [
        (["--types", "f32,f33"], "--types 'f33'"),
        (["--types", "f32,"], "--types ''"),
        (["--types", "f32", "--type", "f16"], "excludes"),
        (["--types", "f32,s32"], "TYPE"),
    ],
)
def test_refusals_of_bench(words, says):
    """They come before anything is timed and printed."""
    assert says in refuse("bench", "--op", "average", *WINDOW, *words)


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
