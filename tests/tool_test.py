"""The command-line tool: info, plan, bench, and what is refused. LANEPOOL_TOOL names it."""

import os
import pty
import subprocess
import sys

import pytest
from tool_support import TOOL, refuse, succeed, succeed_json

MAX = ("--op", "max", "--shape", "1,2,6,6", "--kernel", "3")
AVERAGE = ("--op", "average", "--shape", "1,2,6,6", "--kernel", "3")


# --- help and info -------------------------------------------------------------------------------
@pytest.mark.parametrize("words", [[], ["info"], ["plan"], ["run"], ["bench"]])
def test_help_explains(words):
    text = succeed(*words, "--help")
    assert "Usage: lanepool" in text
    if words and words != ["info"]:
        for option in "--op --layout --kernel --strides --pads --auto-pad --ceil-mode --adaptive " \
                      "--output-size --nan-rule --lp-order --clamp --index-type --index-mode " \
                      "--storage-order --strict-order --accumulate-f64".split():
            assert option in text
        assert "Example:" in text


def test_version():
    assert succeed("--version") == f"lanepool {succeed_json('info')['version']}\n"


def test_info():
    info = succeed_json("info")
    assert info["abi_version"] == 1 and info["cores"] >= 1 and info["l1d_bytes"] > 0
    assert set(info["targets_supported"]) <= set(info["targets_compiled"])
    assert info["target_chosen"] in info["targets_supported"]
    text = succeed("info")
    for word in [info["version"], info["cpu"], *info["targets_compiled"]]:
        assert word in text


# --- plan ----------------------------------------------------------------------------------------
def test_plan_resolves_shape_and_pads():
    plan = succeed_json("plan", "--op", "average", "--shape", "2,3,7,10", "--kernel", "3,2",
                        "--strides", "2,3", "--auto-pad", "same_upper")
    assert plan["x_shape"] == [2, 3, 7, 10] and plan["y_shape"] == [2, 3, 4, 4]
    assert plan["pads_begin"] == [1, 0] and plan["pads_end"] == [1, 1]
    assert plan["x_bytes"] == 2 * 3 * 7 * 10 * 4 and plan["y_bytes"] == 2 * 3 * 4 * 4 * 4
    assert plan["element_count"] == 96 and plan["work_items"] >= 1
    assert plan["workspace_bytes"] >= 0 and plan["index_bytes"] == 0
    assert plan["explain"].startswith("average f32 nchw 2d 3x2")
    assert plan["has_empty_windows"] is False


def test_plan_keeps_the_order_of_the_layout():
    plan = succeed_json("plan", *MAX[:2], "--layout", "nhwc", "--shape", "1,8,6,2", "--kernel", "3")
    assert plan["x_shape"] == [1, 8, 6, 2] and plan["y_shape"] == [1, 6, 4, 2]


def test_plan_reads_pads_as_onnx_does():
    plan = succeed_json("plan", *MAX, "--pads", "0,1,2,2")
    assert plan["pads_begin"] == [0, 1] and plan["pads_end"] == [2, 2]
    assert plan["y_shape"] == [1, 2, 6, 7]


def test_plan_text_says_the_same():
    text = succeed("plan", *MAX, "--pads", "0,1,2,2")
    for words in ["max f32 nchw", "1,2,6,7", "begin 0,1, end 2,2", "work items", "workspace"]:
        assert words in text


def test_one_number_stands_for_every_axis():
    one = succeed_json("plan", *MAX, "--strides", "2", "--pads", "1", "--dilations", "2")
    all_of_them = succeed_json("plan", *MAX, "--strides", "2,2", "--pads", "1,1,1,1",
                               "--dilations", "2,2")
    assert one == all_of_them


def test_global():
    plan = succeed_json("plan", "--op", "max", "--shape", "1,2,5,6", "--global")
    assert plan["kernel"] == [5, 6] and plan["y_shape"] == [1, 2, 1, 1] and plan["global"]


@pytest.mark.parametrize(
    "options, y",
    [
        (["--ceil-mode", "0"], 2),
        (["--ceil-mode", "1"], 3),
        (["--ceil-mode", "1", "--kernel", "1", "--strides", "4", "--pads", "0,2"], 2),
        (["--ceil-mode", "keep", "--kernel", "1", "--strides", "4", "--pads", "0,2"], 3),
        (["--ceil-mode", "1", "--auto-pad", "valid"], 3),
        (["--ceil-mode", "1", "--auto-pad", "valid", "--valid-ceil", "floor"], 2),
        (["--kernel", "7", "--oversize-kernel", "truncate"], 1),
        (["--kernel", "7", "--dialect", "ort"], 1),
    ],
)
def test_rules_of_the_output_size(options, y):
    words = ["--op", "max", "--shape", "1,1,6"]
    words += [] if "--kernel" in options else ["--kernel", "3"]
    words += [] if "--strides" in options else ["--strides", "2"]
    assert succeed_json("plan", *words, *options)["y_shape"] == [1, 1, y]


def test_target_is_used():
    for target in succeed_json("info")["targets_supported"]:
        assert succeed_json("plan", *MAX, "--target", target)["explain"].endswith(target)


# --- refusals ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "words, says",
    [
        ([], "subcommand"),
        (["paint"], "subcommand"),
        (["plan"], "--op"),
        (["plan", "--op", "max", "--kernel", "3"], "--shape"),
        (["plan", "--op", "median", "--shape", "1,1,6", "--kernel", "3"], "average, max"),
        (["plan", "--op", "max", "--shape", "1,1,6"], "--kernel, --global or --adaptive"),
        (["plan", "--op", "max", "--shape", "1,6", "--kernel", "3"], "2 axes"),
        (["plan", "--op", "max", "--shape", "1,1,2,2,2,2", "--kernel", "1"], "6 axes"),
        (["plan", "--op", "max", "--shape", "1,,6", "--kernel", "3"], "--shape ''"),
        (["plan", "--op", "max", "--shape", "1,1,6\n7", "--kernel", "3"], "whole number"),
        (["plan", *MAX, "--kernel", "2"], "--kernel"),
        (["plan", *MAX, "--strides", "1,2,3"], "--strides has 3"),
        (["plan", *MAX, "--strides", "0"], "STRIDE"),
        (["plan", *MAX, "--strides", "-1"], "STRIDE"),
        (["plan", *MAX, "--strides", "1.5"], "whole number"),
        (["plan", *MAX, "--strides", "99999999999999999999"], "64 bits"),
        (["plan", *MAX, "--dilations", "0"], "DILATION"),
        (["plan", *MAX, "--dilations", "4611686018427387904"], "OVERFLOW"),
        (["plan", *MAX, "--pads", "1,1"], "--pads has 2 numbers, 4"),
        (["plan", *MAX, "--pads", "-1"], "PAD"),
        (["plan", *MAX, "--pads", "1", "--auto-pad", "valid"], "AUTO_PAD"),
        (["plan", *MAX, "--auto-pad", "same"], "same_upper"),
        (["plan", *MAX, "--ceil-mode", "2"], "keep"),
        (["plan", *MAX, "--layout", "chwn"], "nchw, nhwc"),
        (["plan", *MAX, "--type", "f33"], "bf16"),
        (["plan", *MAX, "--dialect", "caffe"], "tflite"),
        (["plan", *MAX, "--nan", "maybe"], "propagate, ignore"),
        (["plan", *MAX, "--target", "AVX9000"], "not compiled into"),
        (["plan", *MAX, "--pads", "3", "--empty-window", "reject"], "EMPTY_WINDOW"),
        (["plan", *MAX, "--global"], "KERNEL"),
        (["plan", *MAX, "extra"], "extra"),
        (["plan", *MAX, "--threads", "2"], "--threads"),
        (["plan", "--op", "max", "--shape", "1,1,2", "--kernel", "3"], "EMPTY_OUTPUT"),
        (["plan", "--op", "max", "--shape", "1,-1,2", "--kernel", "1"], "DIM"),
        (["plan", "--op", "max", "--shape", "1,1,0", "--kernel", "1"], "DIM"),
        (["plan", *AVERAGE, "--divisor", "half"], "exclude, include, full"),
        (["plan", *AVERAGE, "--divisor", "0"], "POLICY"),
        (["plan", *AVERAGE, "--count-include-pad", "2"], "0, 1"),
        (["plan", *AVERAGE, "--divisor", "full", "--count-include-pad", "1"], "exclude each other"),
        (["plan", *AVERAGE, "--lp-order", "two"], "not a number"),
        (["bench", *MAX, "--targets", "AVX9000"], "not compiled into"),
        (["bench", *MAX, "--targets", "all", "--target", "AVX2"], "--target excludes --targets"),
        (["bench", *MAX, "--threads", "0"], "--threads"),
        (["bench", *MAX, "--seconds", "-1"], "--seconds"),
        (["bench", "--op", "max", "--shape", "0,1,6", "--kernel", "3"], "empty"),
        (["bench", "--op", "max", "--shape", "1,1,9999999999999", "--kernel", "3"], "memory"),
        (["run", "--op", "max", "--kernel", "3", "--out", "y.npy"], "--in"),
        (["run", "--op", "max", "--kernel", "3", "--in", "x.npy"], "--out"),
    ],
)
def test_refusals_say_why(words, says):
    assert says in refuse(*words)


def test_a_target_that_this_cpu_lacks():
    info = succeed_json("info")
    lacking = [t for t in info["targets_compiled"] if t not in info["targets_supported"]]
    if not lacking:
        pytest.skip("this CPU runs every instruction set that is compiled in")
    assert "not supported by this CPU" in refuse("plan", *MAX, "--target", lacking[0])


def test_what_is_not_in_this_version_is_the_librarys_to_say():
    wide = ["--op", "average", "--shape", f"1,1,{(1 << 24) + 1}", "--global"]
    assert "UNSUPPORTED" in refuse("plan", *wide, "--nan-rule", "ignore")


def test_output_that_cannot_be_printed_is_a_failure():
    with open("/dev/full", "w") as full:
        done = subprocess.run([TOOL, "info"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1


# --- bench ---------------------------------------------------------------------------------------
BENCH = ("bench", *MAX, "--seconds", "0.02")


def test_bench_ratio_is_that_of_the_times():
    bench = succeed_json(*BENCH)
    assert bench["ratio_to_memcpy"] == pytest.approx(bench["min_us"] / bench["memcpy_min_us"], 1e-4)
    assert bench["ratio_to_memcpy_median"] == pytest.approx(
        bench["median_us"] / bench["memcpy_median_us"], 1e-4)
    moved = bench["x_bytes"] + bench["y_bytes"]
    assert moved == (2 * 36 + 2 * 16) * 4
    assert bench["gb_per_s"] == pytest.approx(moved / bench["min_us"] * 1e-3, 1e-4)
    assert 0 < bench["min_us"] <= bench["median_us"] and bench["samples"] >= 5


def test_bench_all_targets_begins_with_the_chosen_one():
    info = succeed_json("info")
    bench = succeed_json(*BENCH, "--targets", "all")
    names = [row["target"] for row in bench["targets"]]
    assert sorted(names) == sorted(info["targets_supported"])
    assert names[0] == bench["target"] == info["target_chosen"]
    assert bench["ratio_to_memcpy"] == bench["targets"][0]["ratio_to_memcpy"]


def test_bench_text_threads_and_types():
    text = succeed(*BENCH, "--threads", "3")
    assert "memcpy" in text and "threads 3" in text
    assert text.splitlines()[-1].split()[0] == succeed_json("info")["target_chosen"]


def on_terminal(*words):
    """Exit status, and what a terminal on stderr would show."""
    terminal, stderr = pty.openpty()
    process = subprocess.Popen([TOOL, *words], stdout=subprocess.DEVNULL, stderr=stderr)
    os.close(stderr)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    return process.wait(), shown.decode()


def test_progress_is_for_long_work_on_a_terminal():
    status, shown = on_terminal("bench", *MAX, "--seconds", "0.02")
    assert (status, shown) == (0, "")
    status, shown = on_terminal("bench", *MAX, "--seconds", "2")
    assert status == 0 and "\rlanepool: timing, " in shown and " %" in shown
    assert shown.endswith("\r\x1b[K"), "the line must be wiped at the end"


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
