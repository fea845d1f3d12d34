"""bench_pool times what its options say, and what it prints can be read by other programs."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = os.environ.get("LANEPOOL_BENCH_POOL", "")


def call(*options):
    assert PROGRAM, "LANEPOOL_BENCH_POOL must name the bench_pool to test"
    command = [PROGRAM, "--benchmark_format=json", "--benchmark_min_time=0.001", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def rows(pattern, *options):
    done = call(f"--benchmark_filter=^({pattern})$", *options)
    assert done.returncode == 0, done
    document = json.loads(done.stdout)
    assert document["context"]["lanepool"]
    for row in document["benchmarks"]:
        assert "error_occurred" not in row, row
        assert row["ratio_to_memcpy"] > 0 and row["GB/s"] > 0
    return {row["name"]: row["label"] for row in document["benchmarks"]}


def test_rows_name_strategy_and_instruction_set():
    found = rows("tiny_max/n(hwc|chw)")
    assert sorted(found) == ["tiny_max/nchw", "tiny_max/nhwc"]
    assert found["tiny_max/nhwc"].startswith("max f32 nhwc 2d 3x3/2: ")


def test_every_target_is_a_row():
    found = rows("tiny_average/nchw/.*", "--targets", "all")
    assert len(found) >= 1
    for name, label in found.items():
        assert label.endswith(", " + name.rsplit("/", maxsplit=1)[1])
    target, *_ = (name.rsplit("/", maxsplit=1)[1] for name in found)
    assert rows("tiny_average/nchw/.*", f"--targets={target}").keys() == {
        f"tiny_average/nchw/{target}"
    }


def test_threads():
    assert rows("densenet_t3/nhwc/threads:2/real_time", "--threads", "2")


def test_cold():
    assert rows("densenet_t3/nhwc/cold", "--cold")
    too_small = call("--benchmark_filter=tiny_max", "--cold")
    assert (too_small.returncode, too_small.stdout) == (0, "")
    assert "Failed to match any benchmarks" in too_small.stderr


@pytest.mark.parametrize(
    "options",
    [["--threads", "0"], ["--threads"], ["--targets", "none"], ["--cold=1"], ["--bogus"], ["word"]],
)
def test_bad_options(options):
    done = call(*options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bench_pool: ") and done.stderr.count("\n") == 1


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
