"""What bench/report makes of the JSON of bench/peers. report_browser_test.py looks at the page."""

import json
import math
import re
import subprocess
import sys
import xml.etree.ElementTree

import pytest
from report_support import ROOT, SAMPLE_FILE, changed, sample

import figures  # isort: skip
import findings  # isort: skip
import page  # isort: skip
import pictures  # isort: skip
import words  # isort: skip


def report(*documents, **options):
    return figures.Report(documents or [sample()], **options)


def row_of(made, name, layout, group=None):
    (row,) = [
        row
        for row in made.rows
        if (row.about["name"], row.layout) == (name, layout) and group in (None, row.group)
    ]
    return row


def test_speedup_is_the_best_correct_peer_over_lanepool():
    row = row_of(report(), "inception_a", "nhwc")
    assert row.best() == ("xnnpack", 80)
    assert row.speedup() == 2
    assert row.outcome() == "win"


def test_a_wrong_result_is_never_the_best():
    document = sample()
    assert row_of(report(document), "qavg/u8", "nchw").best() == ("xnnpack", 50)
    document = changed(document, "qavg/u8", "nchw", "xnnpack", status="wrong")
    assert row_of(report(document), "qavg/u8", "nchw").best() == ("onnxruntime", 2000)


@pytest.mark.parametrize("us, outcome", [(106, "win"), (104, "tie"), (96, "tie"), (95, "loss")])
def test_five_per_cent_are_a_tie(us, outcome):
    document = changed(sample(), "resnet_stem", "nchw", "onnxruntime", median_us=us)
    assert row_of(report(document), "resnet_stem", "nchw").outcome() == outcome


def test_a_row_that_no_peer_runs_has_no_speedup():
    made = report()
    row = row_of(made, "max_dilated", "nchw")
    assert (row.speedup(), row.outcome()) == (None, "alone")
    assert row not in figures.compared(made.rows)


def test_geometric_mean_of_the_workloads():
    made = report()
    known = figures.compared(made.workloads())
    speedups = [3, 2, 2.5, 80 / 70, 500 / 505, 0.8, 50 / 40, 5, 2.5]
    assert sorted(row.speedup() for row in known) == pytest.approx(sorted(speedups))
    mean = math.prod(speedups) ** (1 / len(speedups))
    assert words.factor(mean) in findings.headline(made.workloads())
    assert findings.outcomes(made.workloads()) == {"win": 7, "tie": 1, "loss": 1}


def test_disturbed_rows_are_marked():
    assert "≈" not in page.make_page(report())
    document = changed(sample(), "inception_a", "nhwc", "xnnpack", spread=0.3)
    made = report(changed(document, "inception_a", "nchw", "onednn", spread=9))
    disturbed = [row.title() for row in made.rows if row.is_disturbed()]
    assert disturbed == ["inception_a f32 NHWC"]  # oneDNN is not the best in NCHW
    text = page.make_page(made)
    assert "<b>≈2.0×</b>" in text and "disturbed 1 row;" in text


def test_losses_are_named():
    made = report()
    assert findings.losses(made.workloads()) == "A peer is faster on 1 of 9 rows"
    text = findings.lost_rows(made.workloads())
    assert text == "lanepool is slower on gap_resnet f32 NHWC (0.80×, oneDNN)."
    won = report(changed(sample(), "gap_resnet", "nhwc", "lanepool", median_us=1)).workloads()
    assert findings.losses(won) == "A peer is faster on none of 9 rows"
    assert findings.lost_rows(won) == ""


def test_of_passes_the_best_of_each_peer_counts():
    second = changed(sample(), "inception_a", "nhwc", "xnnpack", median_us=70)
    second = changed(second, "inception_a", "nhwc", "lanepool", median_us=50)
    made = report(sample(), second)
    row = row_of(made, "inception_a", "nhwc")
    assert (row.us("lanepool"), row.us("xnnpack")) == (40, 70)
    assert len(made.rows) == len(sample()["rows"])


def test_machines_are_not_mixed():
    other = sample()
    other["machine"]["cpu"] = "Another invented CPU"
    made = report(sample(), other)
    assert len(made.rows) == 2 * len(sample()["rows"])
    assert 'data-field="machine"' in page.make_page(made)
    assert 'data-field="machine"' not in page.make_page(report())


def test_minimum_or_median():
    assert row_of(report(statistic="median"), "resnet_stem", "nchw").us("lanepool") == 100
    assert row_of(report(statistic="min"), "resnet_stem", "nchw").us("lanepool") == 98


def test_growth():
    made = report()
    panel = figures.growth_panels(made.of("growth"))[(0, "max", "f32", "nchw")]
    assert [k for k, _, _ in panel["lanepool"]] == [3, 5, 51]
    assert figures.growth_of(panel["onednn"], 5, 51) == pytest.approx(10.2)
    assert figures.growth_of(panel["onednn"], 5, 31) is None


def test_threads_are_compared_with_one_thread():
    made = report()
    pairs = findings.scaling([row for row in made.rows if row.threads > 1], made.rows)
    assert [(row.short(), ratio) for row, ratio in pairs] == [("resnet_stem", 70 / 37)]


def test_text_of_the_files_cannot_become_markup():
    document = sample()
    document["machine"]["cpu"] = "<script>alert(1)</script>"
    document["rows"][0]["name"] = '"><b>'
    document["rows"][0]["results"][1]["note"] = "'\"<i>"
    text = page.make_page(report(document))
    assert "<script>alert" not in text and '"><b>"' not in text and "<i>'" not in text
    assert text.count("<script>") == 1


def test_page_needs_nothing_from_outside():
    text = page.make_page(report())
    assert not re.search(r"https?://|\burl\(|\bsrc=|@import", text)


def test_page_of_lanepool_alone():
    document = sample()
    for row in document["rows"]:
        row["results"] = [result for result in row["results"] if result["peer"] == "lanepool"]
    text = page.make_page(report(document))
    assert "No peer ran beside lanepool" in text
    assert pictures.make_pictures(report(document)).keys() == {"growth.svg"}


def test_pictures_are_svg_with_every_row():
    made = pictures.make_pictures(report())
    assert made.keys() == {"speed.svg", "growth.svg"}
    for svg in made.values():
        assert xml.etree.ElementTree.fromstring(svg).tag.endswith("svg")
    assert len(re.findall(r'<polygon class="(win|tie|loss)"', made["speed.svg"])) == 9


CALLS = {
    "benchmarks": [
        {"name": "plan/max/f32", "real_time": 301.2},
        {
            "name": "run/max/f32/iterations:400/manual_time",
            "call_ns": 150.4,
            "image_ns": 100.1,
            "over_ns": 50.3,
        },
    ]
}
TARGETS = {
    "benchmarks": [
        {"name": "vgg/nhwc/AVX2", "ratio_to_memcpy": 1.5},
        {"name": "vgg/nhwc/SSE2", "ratio_to_memcpy": 4.25},
    ]
}
CLIFFS = {
    "costs": [{}] * 3,
    "cliffs": [{"ratio": 2.54, "job": "max k4", "neighbour": "max k3"}],
}


def test_document_is_filled(tmp_path):
    files = {"call": CALLS, "targets": TARGETS, "sweep": CLIFFS}
    command = [sys.executable, ROOT / "bench/report/document.py", "--peers", SAMPLE_FILE]
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
        command += [f"--{name}", tmp_path / name]
    document = tmp_path / "benchmarks.md"
    document.write_text((ROOT / "docs/benchmarks.md").read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(2):  # what is filled can be filled again
        subprocess.run([*command, document], check=True)
        lines = document.read_text(encoding="utf-8").splitlines()
        assert "An invented CPU, 2 cores, An invented system" in "".join(lines)
        gap = "| gap_resnet | f32 | – | – | – | – | 5.00 | 1.67× | oneDNN 4.00 | **0.80×** |"
        assert lines.count(gap) == 1
        assert lines.count("| resnet_stem | NHWC | 2 | 1.89× | 1.62× |") == 1
        assert lines.count("| max f32 NCHW | 2.1× | 2.1× | 3.5× | 1.64× |") == 1
        assert lines.count("| max/f32 | 301 | 150 | 100 | 50 |") == 1
        assert lines.count("| vgg/nhwc | 1.50× | 4.2× |") == 1
        assert "3 shapes, 1 cliffs. The highest:" in lines
        assert lines.count("| 2.5× | max k4 | max k3 |") == 1


def test_document_without_its_blocks(tmp_path):
    document = tmp_path / "empty.md"
    document.write_text("# Benchmarks\n", encoding="utf-8")
    command = [sys.executable, ROOT / "bench/report/document.py", "--peers", SAMPLE_FILE, document]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, document.read_text(encoding="utf-8")) == (1, "# Benchmarks\n")
    assert "there are 0 blocks <!-- machine -->" in done.stderr


def test_command(tmp_path):
    script = ROOT / "bench/report/report.py"
    command = [sys.executable, script, "--html", tmp_path / "a/b.html", "--svg", tmp_path / "c"]
    done = subprocess.run([*command, SAMPLE_FILE], capture_output=True, text=True, check=True)
    files = ["a/b.html", "c/speed.svg", "c/growth.svg"]
    assert done.stdout.splitlines() == [str(tmp_path / file) for file in files]
    assert (tmp_path / files[0]).read_text(encoding="utf-8") == page.make_page(report())


@pytest.mark.parametrize("content", [None, "", "{"])
def test_file_that_cannot_be_read(tmp_path, content):
    file = tmp_path / "broken.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    command = [sys.executable, ROOT / "bench/report/report.py", "--html", tmp_path / "a.html", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and not (tmp_path / "a.html").exists()
    assert done.stderr.startswith(f"{file} cannot be read") and done.stderr.count("\n") == 1


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
