"""The options for scales, zero points, rounding and clamp: what `lanepool plan` and `bench` say of
them, and what is refused, with nothing written."""

import sys

import numpy as np
import pytest
from tool_support import folder, refuse, succeed, succeed_json  # noqa: F401

SHAPE = ("--op", "average", "--shape", "1,4,6,6", "--kernel", "3")
PLAN = ("plan", *SHAPE, "--type", "u8")
X = ("--x-scale", "0.0235", "--x-zero-point", "128")
Y = ("--y-scale", "0.0187", "--y-zero-point", "121")


@pytest.fixture
def channels(tmp_path):
    """Files with one entry for each of four channels, some of them unsuitable."""
    arrays = {
        "f32": np.array([1, 0.5, 2, 0.25], np.float32),
        "f64": np.ones(4, np.float64),
        "f16": np.ones(4, np.float16),
        "u8": np.array([0, 1, 2, 255], np.uint8),
        "s8": np.array([0, 1, 2, -128], np.int8),
        "s32": np.array([0, 1, 2, 255], np.int32),
        "s64": np.zeros(4, np.int64),
        "three": np.ones(3, np.float32),
        "column": np.ones((4, 1), np.float32),
        "scalar": np.float32(1),
        "none": np.ones(0, np.float32),
        "zero": np.array([1, 1, 0, 1], np.float32),
        "nan": np.array([1, 1, 1, np.nan], np.float32),
        "negative": np.array([1, -1, 1, 1], np.float32),
        "s32_beyond": np.array([0, 1, 256, 0], np.int32),
    }
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    (tmp_path / "cut.npy").write_bytes((tmp_path / "f32.npy").read_bytes()[:-1])
    (tmp_path / "text.npy").write_text("1, 2, 3, 4\n")
    return lambda name: str(tmp_path / f"{name}.npy")


@pytest.mark.parametrize("command", ["plan", "run", "bench"])
def test_help_names_the_options(command):
    text = succeed(command, "--help")
    for option in "--y-type --x-scale --x-zero-point --y-scale --y-zero-point --rounding --clamp".split():
        assert option in text


# --- plan ----------------------------------------------------------------------------------------
def test_plan_tells_types_scales_and_rounding():
    plan = succeed_json(*PLAN, *X, *Y[:2], "--y-type", "s8", "--y-zero-point", "-7",
                        "--rounding", "half_away", "--clamp", "-3,6.5")
    assert (plan["x_type"], plan["y_type"]) == ("u8", "s8")
    assert np.float32(plan["x_scale"]) == np.float32(0.0235) and plan["x_zero_point"] == 128
    assert np.float32(plan["y_scale"]) == np.float32(0.0187) and plan["y_zero_point"] == -7
    assert plan["rounding"] == "half_away"
    assert (plan["clamp_low"], plan["clamp_high"]) == (-3, 6.5)
    assert plan["table_bytes"] == 0
    assert not plan["x_per_channel"] and not plan["y_per_channel"]
    assert plan["x_bytes"] == 4 * 36 and plan["y_bytes"] == 4 * 16


def test_plan_has_the_librarys_defaults():
    plan = succeed_json(*PLAN, "--x-scale", "2")
    assert (plan["x_scale"], plan["y_scale"]) == (2, 1), "no side is taken from the other"
    assert (plan["x_zero_point"], plan["y_zero_point"]) == (0, 0)
    assert plan["rounding"] == "half_even" and "clamp_low" not in plan
    assert succeed_json(*PLAN, "--dialect", "ort")["rounding"] == "after_zero_point"


def test_plan_is_silent_about_floats():
    plan = succeed_json("plan", *SHAPE)
    assert (plan["x_type"], plan["y_type"], plan["table_bytes"]) == ("f32", "f32", 0)
    assert not {"x_scale", "y_zero_point", "rounding", "x_per_channel"} & set(plan)
    text = succeed("plan", *SHAPE)
    assert "scale" not in text and "rounding" not in text and "table" not in text


@pytest.mark.parametrize("types, quantized", [(("u8", "f32"), "x"), (("f32", "s8"), "y")])
def test_plan_of_one_quantized_side(types, quantized):
    plan = succeed_json("plan", *SHAPE, "--type", types[0], "--y-type", types[1])
    assert (plan["x_type"], plan["y_type"]) == types
    assert [side for side in "xy" if f"{side}_scale" in plan] == [quantized]
    assert ("rounding" in plan) == (quantized == "y")


def test_plan_text_says_the_same():
    text = succeed(*PLAN, *X, *Y, "--clamp", "0,6.5")
    for words in ["average u8", "scale 0.0235, zero point 128", "scale 0.0187, zero point 121",
                  "rounding       half_even\n", "clamp          0 to 6.5\n"]:
        assert words in text


def test_plan_with_channels(channels):
    plan = succeed_json(*PLAN, "--x-scale", channels("f32"), "--x-zero-point", "9", *Y)
    assert plan["table_bytes"] > 0
    assert plan["x_per_channel"] and not plan["y_per_channel"]
    assert "x_scale" not in plan and plan["x_zero_point"] == 9
    text = succeed(*PLAN, *X, "--y-scale", "3", "--y-zero-point", channels("u8"))
    assert "scale 3, zero point per channel" in text
    assert "table " in text


@pytest.mark.parametrize(
    "decimal, scale",
    [
        ("0.1", np.float32(0.1)),
        # Just above the middle of two floats: by way of a double it would become the lower one.
        ("1.000000059604644775390625000000000001", np.float32(1) + np.float32(2.0**-23)),
        ("1.000000059604644775390625", np.float32(1)),
        ("1e-45", np.float32(1e-45)),
        ("1.17549e-38", np.float32(1.17549e-38)),
        ("3.4028235e38", np.float32(3.4028235e38)),
        ("0x1p-3", np.float32(0.125)),
    ],
)
def test_a_scale_is_the_nearest_float(decimal, scale):
    for side in "xy":
        plan = succeed_json(*PLAN, f"--{side}-scale", decimal)
        assert np.float32(plan[f"{side}_scale"]) == scale


# --- bench ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("x", ["u8", "s8", "f32"])
@pytest.mark.parametrize("y", ["u8", "s8", "f32"])
def test_bench_of_all_types(x, y):
    size = {"u8": 1, "s8": 1, "f32": 4}
    words = ["bench", *SHAPE, "--type", x, "--y-type", y, "--seconds", "0.01", "--targets", "all"]
    bench = succeed_json(*words)
    assert (bench["x_type"], bench["y_type"]) == (x, y)
    assert (bench["x_bytes"], bench["y_bytes"]) == (4 * 36 * size[x], 4 * 16 * size[y])
    assert len(bench["targets"]) == len(succeed_json("info")["targets_supported"])


def test_bench_with_channels(channels):
    words = ["bench", *SHAPE, "--type", "u8", "--x-scale", channels("f32"), "--seconds", "0.01"]
    assert succeed_json(*words, "--targets", "all", "--threads", "2")["min_us"] > 0
    assert "average u8" in succeed(*words)


# --- refusals ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options, says",
    [
        (["--x-scale", "0"], "SCALE"),
        (["--x-scale", "-1"], "SCALE"),
        (["--x-scale", "nan"], "SCALE"),
        (["--y-scale", "inf"], "SCALE"),
        (["--y-scale", "-inf"], "SCALE"),
        (["--y-scale", "1e-60"], "SCALE"),
        (["--y-scale", "1e60"], "SCALE"),
        (["--x-scale", "1,5"], "--x-scale (a number or a .npy file)"),
        (["--x-scale", ""], "--x-scale (a number or a .npy file)"),
        (["--x-scale", "."], "not a regular file"),
        (["--x-zero-point", "256"], "ZERO_POINT"),
        (["--x-zero-point", "-1"], "ZERO_POINT"),
        (["--y-zero-point", "2147483648"], "32 bits"),
        (["--y-zero-point", "-99999999999999999999"], "32 bits"),
        (["--y-zero-point", "1.5"], "--y-zero-point (a number or a .npy file)"),
        (["--type", "s8", "--x-zero-point", "128"], "ZERO_POINT"),
        (["--y-type", "s8", "--y-zero-point", "-129"], "ZERO_POINT"),
        (["--type", "f32", "--x-zero-point", "1"], "ZERO_POINT"),
        (["--rounding", "up"], "half_even, after_zero_point, half_away"),
        (["--y-type", "u9"], "u8"),
        (["--clamp", "1"], "--clamp has 1 numbers"),
        (["--clamp", "1,2,3"], "--clamp has 3 numbers"),
        (["--clamp", "1,b"], "--clamp 'b'"),
        (["--clamp", "2,1"], "SCALE"),
        (["--clamp", "1.2,1.8"], "SCALE"),
        (["--clamp", "nan,3"], "SCALE"),
        (["--y-type", "f32", "--clamp", "6,0"], "SCALE"),
        (["--y-type", "f32", "--clamp", "0,nan"], "SCALE"),
    ],
)
def test_numbers_that_are_refused(options, says):
    words = [*PLAN[:-2]] if "--type" in options else [*PLAN]
    assert says in refuse(*words, *options)


SCALES_ARE = "scales are f32"
ZERO_POINTS_ARE = "zero points are u8, s8 or s32"


@pytest.mark.parametrize("side", ["x", "y"])
@pytest.mark.parametrize(
    "value, name, says",
    [
        ("scale", "missing", "No such file"),
        ("scale", "three", "3 entries for 4 channels"),
        ("scale", "none", "0 entries for 4 channels"),
        ("scale", "column", "2 axes, not 1"),
        ("scale", "scalar", "0 axes, not 1"),
        ("scale", "f64", SCALES_ARE),
        ("scale", "f16", SCALES_ARE),
        ("scale", "s32", SCALES_ARE),
        ("scale", "u8", SCALES_ARE),
        ("scale", "cut", "needs 16 bytes, the file has 15"),
        ("scale", "text", "not a .npy file"),
        ("scale", "zero", "SCALE"),
        ("scale", "nan", "SCALE"),
        ("scale", "negative", "SCALE"),
        ("zero-point", "missing", "No such file"),
        ("zero-point", "f32", ZERO_POINTS_ARE),
        ("zero-point", "s64", ZERO_POINTS_ARE),
        ("zero-point", "three", "3 entries for 4 channels"),
        ("zero-point", "s8", "ZERO_POINT"),
        ("zero-point", "s32_beyond", "ZERO_POINT"),
    ],
)
def test_files_that_are_refused(channels, folder, side, value, name, says):
    option = [f"--{side}-{value}", channels(name)]
    assert says in refuse(*PLAN, *option)
    folder.save(np.zeros((1, 4, 6, 6), np.uint8))
    folder.y.write_text("old")
    line = folder.refuse_run(*SHAPE[:2], *SHAPE[4:], *option)
    assert says in line and folder.y.read_text() == "old"
    if says.isupper():
        assert "[2]" in line or "[3]" in line or "[1]" in line, "the channel must be told"
    else:
        assert option[0] in line and option[1] in line


def test_a_float_side_has_no_channels(channels):
    words = ["plan", *SHAPE, "--type", "f32", "--y-type", "u8", "--x-scale", channels("f32")]
    assert "x_scale_count" in refuse(*words)


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
