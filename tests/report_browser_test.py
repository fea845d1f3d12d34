#!/usr/bin/env python3
"""The report of a sample in a headless browser: no error, every row, the buttons do what they say.

A script that is added to the page presses its buttons and writes what it then sees into the page,
which the browser prints. Without Chromium or Chrome the test says so, and is skipped.
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import report_support

import figures  # isort: skip
import page  # isort: skip

SKIPPED = 77
BROWSERS = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
WATCH = """<script>
window.trouble = [];
window.addEventListener("error", (event) => trouble.push(String(event.message)), true);
for (const name of ["error", "warn"]) console[name] = (...words) => trouble.push(words.join(" "));
</script>"""
PROBE = """<script>
window.addEventListener("load", () => {
  const seen = {};
  const visible = (selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.offsetParent !== null);
  const look = (name) => {
    seen[name] = {shown: document.getElementById("shown").textContent};
    for (const part of ["speed", "limit", "growth", "cold", "threads", "calls", "table"]) {
      const rows = visible(`#${part} .row`);
      seen[name][part] = {count: rows.length, layouts: [...new Set(rows.map((r) => r.dataset.layout))],
        empty: visible(`#${part} .nothing`).length};
    }
    seen[name].values = visible("#speed .bars .row").map((row) => Number(row.dataset.value));
    seen[name].groups = visible("#speed .bars .row").map((row) => row.dataset.group);
  };
  const press = (selector) => document.querySelector(`#filters button${selector}`).click();
  look("start");
  press("[data-value=nchw]");
  look("nchw");
  press("[data-value=u8]");
  look("nchw u8");
  press("[data-field=layout][data-value='']");
  press("[data-field=type][data-value='']");
  press("[data-sort=group]");
  look("grouped");
  press("[data-sort=value]");
  look("end");
  seen.pressed = visible("#filters [aria-pressed=true]").map((button) => button.textContent);
  seen.beyond = document.documentElement.scrollWidth - window.innerWidth;
  seen.fetched = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.paper = getComputedStyle(document.body).backgroundColor;
  seen.trouble = trouble;
  const output = document.createElement("pre");
  output.id = "probe";
  output.textContent = JSON.stringify(seen);
  document.body.append(output);
});
</script>"""


def find_browser():
    """LANEPOOL_BROWSER, or the first of the known ones."""
    named = os.environ.get("LANEPOOL_BROWSER")
    return named or next(filter(None, map(shutil.which, BROWSERS)), None)


def look_at(width, *options):
    """What the probe saw in a window of this width, and what the browser's console said."""
    text = page.make_page(figures.Report([report_support.sample()]))
    text = text.replace("<style>", WATCH + "<style>").replace("</body>", PROBE + "</body>")
    # What the browser has started may still write there when it has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = pathlib.Path(folder) / "report.html"
        file.write_text(text, encoding="utf-8")
        command = [find_browser(), "--headless", "--disable-gpu", f"--window-size={width},900"]
        command += [f"--user-data-dir={folder}/profile", "--enable-logging=stderr", *options]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # which the browser demands of root
        command += ["--virtual-time-budget=2000", "--dump-dom", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.DOTALL)
    if not found:
        raise AssertionError(f"the page's scripts did not end: {done.stdout[-500:]} {done.stderr}")
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(found.group(1))), console


class Browser(unittest.TestCase):
    """The page on a wide screen, on a phone, in the dark."""

    @classmethod
    def setUpClass(cls):
        cls.wide, cls.console = look_at(1200)

    def test_no_errors(self):
        self.assertEqual((self.wide["trouble"], self.console), ([], []))

    def test_nothing_is_fetched(self):
        self.assertEqual(self.wide["fetched"], [])

    def test_every_row_is_shown(self):
        rows = figures.Report([report_support.sample()]).rows
        counts = {
            part: seen["count"] for part, seen in self.wide["start"].items() if "count" in seen
        }
        expected = {"speed": 9, "limit": 10, "growth": 2, "cold": 1, "threads": 2, "calls": 1}
        self.assertEqual(counts, {**expected, "table": len(rows)})
        self.assertIn("9 rows", self.wide["start"]["shown"])

    def test_a_filter_leaves_its_rows(self):
        seen = self.wide["nchw"]
        self.assertEqual(seen["speed"], {"count": 3, "layouts": ["nchw"], "empty": 0})
        self.assertEqual(seen["cold"], {"count": 0, "layouts": [], "empty": 1})
        self.assertEqual(seen["shown"], "3 rows: geometric mean 2.1×, worst 1.25×")

    def test_filters_add_up(self):
        self.assertEqual(self.wide["nchw u8"]["shown"], "1 row: geometric mean 1.25×, worst 1.25×")

    def test_order(self):
        falling = sorted(self.wide["start"]["values"], reverse=True)
        self.assertEqual(self.wide["start"]["values"], falling)
        groups = self.wide["grouped"]["groups"]
        self.assertEqual(len(list(dict.fromkeys(groups))), self.changes(groups) + 1)
        self.assertNotEqual(self.wide["grouped"]["values"], falling)

    @staticmethod
    def changes(groups):
        """How often neighbours differ: once less than there are groups if each stands together."""
        return sum(a != b for a, b in zip(groups, groups[1:]))

    def test_all_is_what_it_was(self):
        self.assertEqual(self.wide["end"], self.wide["start"])
        self.assertEqual(self.wide["pressed"], ["all", "all", "all", "by speed"])

    def test_phone_needs_no_sideways_scrolling(self):
        phone, console = look_at(390)
        self.assertLessEqual(phone["beyond"], 0)
        self.assertEqual((phone["trouble"], console), ([], []))
        self.assertEqual(phone["start"]["speed"]["count"], 9)

    def test_dark(self):
        dark, _ = look_at(1200, "--blink-settings=preferredColorScheme=0")
        self.assertEqual(self.wide["paper"], "rgb(255, 255, 255)")
        self.assertEqual(dark["paper"], "rgb(20, 23, 27)")


if __name__ == "__main__":
    if not find_browser():
        print("skipped: no browser: apt-get install chromium-headless-shell, or LANEPOOL_BROWSER")
        sys.exit(SKIPPED)
    unittest.main()
