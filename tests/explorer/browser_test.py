#!/usr/bin/env python3
"""The explorer in a headless browser, against the native library: random jobs entered into the form
or followed as addresses, refusals, windows, pooled pictures, other libraries' rows, snippets.

browser_test.py --library FILE [--folder DIRECTORY] [--build] [--tool FILE] [--cc COMPILER]
                [--python-site DIRECTORY] [unittest's own arguments]

--folder is a built explorer (build/wasm/explorer); --build brings it up to date, with the preset
wasm, first. Exit status 77: not tried, for the reason that is printed.
"""

import argparse
import base64
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import jobs
import numpy as np
import serve
import snippets
import visits
from elsewhere import Elsewhere  # noqa: F401  pylint: disable=unused-import
from jobs import lp
from snippets import Snippets  # noqa: F401  pylint: disable=unused-import
from visits import LARGE, RANDOM_JOBS, REFUSED, WINDOWS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/wasm/explorer")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--tool", help="of the snippets of the shell")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--python-site", help="where the Python package is installed")
    return parser.parse_known_args()


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def build():
    """Configures and builds with the preset, which knows what is up to date."""
    for command in (["--preset", "wasm"], ["--build", "--preset", "wasm", "--target", "explorer"]):
        done = subprocess.run(["cmake", *command], cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stdout[-4000:], done.stderr[-4000:])
            sys.exit(1)


def native(job):
    """(desc, None) or (None, the library's refusal)."""
    params = jobs.params_of(LIBRARY, job)
    try:
        return LIBRARY.plan(params), None
    except lp.StatusError as refusal:
        return None, str(refusal)


def planned_windows():
    """(params, desc) of the job that WINDOWS says."""
    params = LIBRARY.params()
    params.op, params.layout, params.rank = lp.OP_AVERAGE, lp.LAYOUT_NCHW, 2
    params.x_type = params.y_type = lp.TYPE_FLOAT
    fields = {"input": (5, 6), "kernel": (3, 2), "strides": (2, 3), "dilations": (1, 2)}
    for name, values in {**fields, "pads_begin": (1, 0), "pads_end": (1, 2)}.items():
        getattr(params, name)[:2] = values
    params.ceil_mode = lp.CEIL_ON
    return params, LIBRARY.plan(params)


def terms(address):
    return dict((*term.split("=", 1), "")[:2] for term in address.lstrip("#").split("&"))


class Explorer(unittest.TestCase):
    """One visit, looked at from all sides."""

    @classmethod
    def setUpClass(cls):
        cls.jobs, cls.seen, cls.asked, cls.console = visits.first()
        cls.pairs = list(zip(cls.jobs, cls.seen.get("jobs", [])))

    def each(self, check):
        """check(job, seen, desc, refusal) for every random job; desc is None if it is refused."""
        for job, seen in self.pairs:
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                check(job, seen, *native(job))

    def test_no_trouble(self):
        self.assertEqual((self.seen["trouble"], self.console), ([], []))
        self.assertEqual(len(self.pairs), RANDOM_JOBS)
        self.assertEqual(self.seen["version"], f"lanepool {LIBRARY.version}, WASM")

    def test_nothing_is_asked_of_others(self):
        own = {"/", "/probe.js", "/orders.json", "/lanepool.wasm", "/explorer.css"}
        own |= {f"/{path.name}" for path in visits.FOLDER.glob("*.js")}
        self.assertEqual(set(self.asked), own)
        hosts = {
            re.match(r"(data:|http://127\.0\.0\.1:)", name)[0] for name in self.seen["fetched"]
        }
        self.assertLessEqual(hosts, {"data:", "http://127.0.0.1:"})

    def test_shapes_and_pads(self):
        refusals = []

        def check(job, seen, desc, refusal):
            if refusal:
                refusals.append(refusal)
                self.assertEqual(seen["refusal"].replace(" ", ": ", 1), refusal)
                return
            rank = job["rank"]
            self.assertEqual(seen["x"], " × ".join(map(str, jobs.shape(job))))
            self.assertEqual(seen["y"], " × ".join(map(str, jobs.shape(job, desc.output[:rank]))))
            pads = (" ".join(map(str, p[:rank])) for p in (desc.pads_begin, desc.pads_end))
            self.assertTrue(seen["facts"].startswith("pads {} before, {} behind".format(*pads)))
            self.assertEqual(
                "some windows are empty" in seen["facts"], bool(desc.has_empty_windows)
            )

        self.each(check)
        self.assertGreater(len(refusals), RANDOM_JOBS // 50)
        self.assertLess(len(refusals), RANDOM_JOBS // 2)

    def test_sizes_in_words_end_in_the_size(self):
        def check(_, seen, desc, refusal):
            for i, words in enumerate([] if refusal else seen["sizes"]):
                sizes = re.findall(r"(?:= |: )(\d+)(?=$|[;:])", words)
                self.assertIn(str(desc.output[i]), sizes[-1:], words)

        self.each(check)

    def test_windows_divisors_and_values(self):
        values = []

        def check(job, seen, desc, refusal):
            if refusal or job["rank"] == 3:
                self.assertIsNone(seen["outputs"])
                return
            params = jobs.params_of(LIBRARY, job)
            expected = list(jobs.windows(params, desc))
            self.assertEqual(len(seen["outputs"]), len(expected))
            for cell, (taps, divisor) in zip(seen["outputs"], expected):
                found = (int(cell["taps"]), int(cell["divisor"]))
                self.assertEqual(found, (taps, divisor if taps > 0 else 0))
            found = np.array([float(cell["value"]) for cell in seen["outputs"]])
            y = jobs.pooled(LIBRARY, params, job["type"])
            np.testing.assert_array_equal(found, y.astype(np.float64))
            values.extend(found)

        self.each(check)
        self.assertGreater(len(values), 1000)

    def test_addresses_tell_the_job(self):
        def check(job, seen, *_):
            self.assertEqual(terms(seen["hash"]), jobs.options_of(job))

        self.each(check)

    def test_refusals_name_the_field(self):
        for (address, field), seen in zip(REFUSED, self.seen["jobs"][RANDOM_JOBS:]):
            with self.subTest(address=address):
                self.assertTrue(seen["refused"])
                if field:
                    self.assertEqual(seen["marked"], [field])
        self.assertEqual(
            self.seen["jobs"][RANDOM_JOBS]["refusal"],
            "KERNEL kernel[1] is 0; it must be at least 1",
        )

    def test_large_sizes_are_not_drawn(self):
        visited = self.seen["jobs"][RANDOM_JOBS + len(REFUSED) :]
        for (address, y), seen in zip(LARGE, visited, strict=True):
            with self.subTest(address=address):
                self.assertEqual(seen["y"], y)

    def test_the_chosen_window_is_marked(self):
        params, desc = planned_windows()
        last = [max(jobs.axis_taps(params, desc, i, desc.output[i] - 1)) + 1 for i in (0, 1)]
        width = max(last[1], 6 + 2)
        self.assertEqual(len(self.seen["windows"]), desc.output[0] * desc.output[1])
        for o, seen in enumerate(self.seen["windows"]):
            self.assertEqual(seen["pressed"], 1)
            h, w = (
                jobs.axis_taps(params, desc, i, at)
                for i, at in enumerate(divmod(o, desc.output[1]))
            )
            expected = {
                (t + 1) * width + u: self.kind((t, u), (5, 6), (6, 8)) for t in h for u in w
            }
            self.assertEqual(dict(map(tuple, seen["marked"])), expected)
            inside = sum(kind == "inside" for kind in expected.values())
            self.assertIn(f": {inside} of 6 taps", seen["words"])

    @staticmethod
    def kind(tap, sizes, ends):
        if any(t >= end for t, end in zip(tap, ends)):
            return "over"
        return "inside" if all(0 <= t < n for t, n in zip(tap, sizes)) else "pad"

    def test_pictures_are_the_bytes_of_the_native_library(self):
        source = self.seen["source"]
        x = np.frombuffer(base64.b64decode(source["bytes"]), np.uint8)
        self.assertGreater(len(np.unique(x)), 100)
        for seen in self.seen["pictures"]:
            params = LIBRARY.params()
            params.op, params.layout, params.rank, params.channels = (
                jobs.OPS[seen["op"]],
                lp.LAYOUT_NHWC,
                2,
                4,
            )
            params.x_type = params.y_type = lp.TYPE_UINT8
            params.input[:2] = source["height"], source["width"]
            params.kernel[:2] = [int(seen["kernel"])] * 2
            params.strides[:2] = [int(seen["strides"])] * 2
            params.auto_pad = lp.AUTO_PAD_SAME_UPPER
            desc = LIBRARY.plan(params)
            y = np.empty(desc.y_bytes, np.uint8)
            LIBRARY.run(desc, x, y)
            with self.subTest(op=seen["op"], kernel=seen["kernel"]):
                self.assertEqual([seen["y"]["height"], seen["y"]["width"]], desc.output[:2])
                self.assertEqual(base64.b64decode(seen["y"]["bytes"]), y.tobytes())
                self.assertRegex(seen["words"], r"in \d+\.\d\d ms: \d+ million pixels")

    def test_start_is_the_example_of_the_readme(self):
        start = self.seen["start"]
        values = [float(cell["value"]) for cell in start["outputs"]]
        self.assertEqual(values, [3, 4.5, 6, 10.5, 12, 13.5, 18, 19.5, 21])

    def test_one_file_without_a_server(self):
        page = (visits.FOLDER / "explorer.html").resolve().as_uri()
        # Virtual time does not wait for the thread that compiles the library.
        for seconds in (20, 200, 2000):
            with serve.profile_folder() as profile:
                words = [f"--virtual-time-budget={seconds}000", "--dump-dom", f"{page}#{WINDOWS}"]
                done = subprocess.run(
                    serve.command(profile, *words),
                    capture_output=True,
                    text=True,
                    timeout=120,
                    check=True,
                )
            if "data-ready" in done.stdout.split("<head>")[0]:
                break
        self.assertNotIn("CONSOLE", done.stderr)
        _, desc = planned_windows()
        self.assertIn(
            f'<code id="y-shape">1 × 1 × {desc.output[0]} × {desc.output[1]}<', done.stdout
        )

    def test_phone_in_the_dark(self):
        todo = {"jobs": [{"hash": WINDOWS}], "windows": WINDOWS, "pictures": []}
        seen, _, console = visits.visit(
            todo, "--window-size=420,900", "--blink-settings=preferredColorScheme=0"
        )
        self.assertEqual((seen["trouble"], console), ([], []))
        self.assertLessEqual(seen["beyond"], 0)
        self.assertEqual(
            (self.seen["paper"], seen["paper"]), ("rgb(255, 255, 255)", "rgb(20, 23, 27)")
        )


if __name__ == "__main__":
    OPTIONS, others = parse_arguments()
    if not serve.find_browser():
        skip("no browser: apt-get install chromium-headless-shell, or LANEPOOL_BROWSER")
    if OPTIONS.build:
        if not shutil.which("em++"):
            skip("no Emscripten: scripts/deps.sh --wasm")
        build()
    elif not (OPTIONS.folder / "lanepool.wasm").exists():
        skip(f"no explorer in {OPTIONS.folder}")
    visits.FOLDER = OPTIONS.folder
    LIBRARY = lp.Library(OPTIONS.library)
    snippets.use(OPTIONS, LIBRARY)
    unittest.main(argv=[sys.argv[0], *others])
