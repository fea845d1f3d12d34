"""bench/sweep.py finds the cliffs that are there, no others; sweep_times does what it is told."""

import dataclasses
import os
import pathlib
import random
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import sweep  # isort: skip
import sweep_cliffs  # isort: skip
import sweep_shapes  # isort: skip

PROGRAM = os.environ.get("LANEPOOL_SWEEP_TIMES", "")
KIND = ("average", "nhwc", "f32")
BASE = sweep_shapes.Job(*KIND)
SIZE = 1000  # bytes of every job of the model

# What sweep_times would answer if the time of a job depended on channels alone.
MODEL = """
import sys
for line in sys.stdin:
    channels = int(line.split()[4])
    print(1000.0 if channels == 40 else 100.0, 110.0, 1000, "average f32 nhwc: columns, AVX3")
"""


def measure_with(per_byte):
    """A measuring function by a model; it counts its calls."""

    def measure(jobs):
        measure.calls += 1
        return {job: sweep_cliffs.Cost(per_byte(job) * SIZE, SIZE, "") for job in jobs}

    measure.calls = 0
    return measure


def find(lines, per_byte):
    _, cliffs = sweep_cliffs.find_cliffs(lines, measure_with(per_byte), limit=2)
    return cliffs


def channels_line(values=range(1, 31)):
    return sweep_shapes.line_of(BASE, "channels", values)


def test_an_even_line_has_no_cliff():
    measure = measure_with(lambda job: 1 + 0.9 * (job.channels % 2))
    _, cliffs = sweep_cliffs.find_cliffs([channels_line()], measure, limit=2)
    assert cliffs == []


def test_a_spike():
    cliffs = find([channels_line()], lambda job: 3 if job.channels == 17 else 1)
    assert [(c.job.channels, c.neighbour.channels, c.is_spike) for c in cliffs] == [
        (17, 16, True),
        (17, 18, True),
    ]
    assert all(c.ratio == pytest.approx(3) and c.name == "channels" for c in cliffs)


def test_a_step():
    (cliff,) = find([channels_line()], lambda job: 2.5 if job.channels > 16 else 1)
    assert (cliff.job.channels, cliff.neighbour.channels, cliff.is_spike) == (17, 16, False)


def test_the_highest_comes_first():
    heights = {5: 3, 15: 9, 25: 4}
    cliffs = find([channels_line()], lambda job: heights.get(job.channels, 1))
    assert [cliff.job.channels for cliff in cliffs] == [15, 15, 25, 25, 5, 5]


def test_what_is_not_confirmed_is_noise():
    rng = random.Random(1)
    noisy = measure_with(lambda job: 5 if rng.random() < 0.05 else 1)
    _, cliffs = sweep_cliffs.find_cliffs([channels_line(range(1, 131))], noisy, limit=2)
    assert noisy.calls == 3
    assert cliffs == []


def test_a_copy_is_no_measure():
    line = sweep_shapes.line_of(BASE, "kernel", range(1, 5))
    assert find([line], lambda job: 1 if job.kernel == 1 else 4) == []
    (cliff,) = find([line], lambda job: 4 if job.kernel == 1 else 1)
    assert cliff.job.kernel == 1


def test_fewer_outputs_must_not_cost_more():
    line = sweep_shapes.line_of(BASE, "stride", range(1, 5))
    assert find([line], lambda job: 4 / job.stride**2) == []
    (cliff,) = find([line], lambda job: 4 if job.stride == 2 else 1 / job.stride)
    assert (cliff.job.stride, cliff.neighbour.stride) == (2, 1)


def test_what_leaves_out_input_is_no_measure():
    base = sweep_shapes.Job(*KIND, height=28, width=28, kernel=3, stride=2)
    line = sweep_shapes.line_of(base, "dilation", range(1, 4))
    assert [job.share_read() for job in line] == [1, 0.25, 1]
    assert find([line], lambda job: 1 if job.dilation == 2 else 4) == []
    (cliff,) = find([line], lambda job: 4 if job.dilation == 2 else 1)[:1]
    assert cliff.job.dilation == 2
    (cliff,) = find([[line[0], line[2]]], lambda job: job.dilation)
    assert (cliff.job.dilation, cliff.neighbour.dilation) == (3, 1)


def test_half_of_the_taps_is_no_measure():
    line = sweep_shapes.line_of(dataclasses.replace(BASE, kernel=3), "width", range(1, 5))
    along_h = line[0].taps()
    assert [job.taps() / along_h for job in line] == [1, 2, 7 / 3, 5 / 2]
    assert find([line], lambda job: 1 if job.width == 1 else 4) == []
    (cliff,) = find([line], lambda job: 1 if job.width < 3 else 4)
    assert (cliff.job.width, cliff.neighbour.width) == (3, 2)


def test_refused_jobs_are_left_out():
    line = channels_line(range(1, 4))

    def measure(jobs):
        return {job: sweep_cliffs.Cost(SIZE, SIZE, "") for job in jobs if job.channels != 2}

    costs, cliffs = sweep_cliffs.find_cliffs([line], measure, limit=2)
    assert ([job.channels for job in costs], cliffs) == ([1, 3], [])


def test_a_slope_is_a_slow_stretch():
    costs = measure_with(lambda job: max(1, 8 / job.channels))(channels_line())
    ((jobs, ratio),) = sweep_cliffs.slow_stretches([channels_line()], costs)
    assert ([job.channels for job in jobs], ratio) == ([1, 2], 8)


def test_lines_cover_what_they_promise():
    lines = list(sweep_shapes.lines([KIND]))
    jobs = [job for line in lines for job in line]
    assert {job.channels for job in jobs} == set(range(1, 131))
    assert {job.width for job in jobs} >= set(range(1, 131))
    assert {job.kernel for job in jobs} == set(range(65))
    assert {job.stride for job in jobs} >= {1, 2, 3, 4}
    assert {job.dilation for job in jobs} == {1, 2, 3}
    assert {job.x_shift for job in jobs} == set(range(0, 64, 4))
    bytes_shifts = {
        job.y_shift for line in sweep_shapes.lines([("max", "nchw", "u8")]) for job in line
    }
    assert bytes_shifts == set(range(64))


def test_random_lines_repeat_with_their_seed():
    first, again, other = (list(sweep_shapes.random_lines([KIND], 20, s)) for s in (1, 1, 2))
    assert first == again != other
    assert all(len(line) > 1 and all(job.is_possible() for job in line) for line in first)


def test_command(tmp_path):
    model = tmp_path / "model.py"
    model.write_text(MODEL, encoding="utf-8")
    command = [sys.executable, ROOT / "bench/sweep.py", "--under", f"{sys.executable} {model}"]
    command += ["--program", "ignored", "--random", "3", "--types", "f32", "--ops", "max"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "10.00 spike max nchw f32 40x13x17 k3 s1 same" in done.stdout
    calm = subprocess.run([*command, "--limit", "11"], capture_output=True, text=True, check=False)
    assert (calm.returncode, calm.stderr) == (0, "")
    assert "\n0 cliffs\n" in calm.stdout


@pytest.mark.parametrize("program", ["/nonexistent/sweep_times", sys.executable])
def test_command_cannot_measure(program):
    command = [sys.executable, ROOT / "bench/sweep.py", "--program", program, "--types", "f32"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sweep: ")


def sweep_times(jobs, *arguments):
    return subprocess.run(
        [PROGRAM, *arguments], input=jobs, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.skipif(not PROGRAM, reason="LANEPOOL_SWEEP_TIMES does not name sweep_times")
def test_sweep_times():
    jobs = [BASE, sweep_shapes.Job("max", "nchw", "u8", kernel=0, auto_pad="valid", x_shift=3)]
    impossible = sweep_shapes.Job(*KIND, kernel=20, auto_pad="valid")
    done = sweep_times("".join(job.line() + "\n" for job in [*jobs, impossible]))
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = done.stdout.splitlines()
    assert third.startswith("refused kernel[0] is 20")
    for line, size in ((first, 2 * 4 * 13 * 17 * 16), (second, 13 * 17 * 16 + 16)):
        least, median, total, explanation = line.split(" ", 3)
        assert 0 < float(least) <= float(median)
        assert int(total) % size == 0
        assert "2d" in explanation


@pytest.mark.skipif(not PROGRAM, reason="LANEPOOL_SWEEP_TIMES does not name sweep_times")
def test_sweep_times_on_an_instruction_set():
    job = BASE.line() + "\n"
    best = sweep_times(job).stdout.split()[-1]
    assert sweep_times(job, "0", best.lower()).stdout.split()[-1] == best
    done = sweep_times(job, "0", "MMX")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sweep_times: TARGETS 'MMX' is not ")


def test_the_target_is_handed_on():
    assert sweep.Measure(["a", "b"], 0, "AVX2").command == ["a", "b", "0", "AVX2"]
    assert sweep.Measure(["a", "b"], 0.5).command == ["a", "b", "0.5"]


@pytest.mark.skipif(not PROGRAM, reason="LANEPOOL_SWEEP_TIMES does not name sweep_times")
@pytest.mark.parametrize("jobs", ["", "average nhwc f32\n", BASE.line().replace("f32", "f31")])
def test_sweep_times_refuses(jobs):
    done = sweep_times(jobs)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sweep_times: ") and done.stderr.count("\n") == 1


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
