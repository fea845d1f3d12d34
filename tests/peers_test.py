"""bench_peers with lanepool alone and with a peer that misbehaves, on the tiny rows.

peers_test.py --bench BENCH_PEERS --modules FOLDER: the JSON is what bench/peers/schema.md says, and
wrong, refusing and absent peers are told apart.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
MERGE = ROOT / "bench/peers/merge.py"
SCHEMA = ROOT / "bench/peers/schema.md"
TIMED = {"median_us", "min_us", "spread", "samples", "gbps", "ratio", "difference"}
ARGUMENTS = argparse.Namespace()


def call(*arguments):
    words = [ARGUMENTS.bench, *(str(a) for a in arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def measure(path, *arguments):
    """The JSON of a run that takes as few samples as it may."""
    done = call("--json", path, "--seconds", 0, *arguments)
    assert done.returncode == 0, done
    return json.loads(path.read_text(encoding="utf-8"))


def example():
    """The example of schema.md, which lists every field."""
    text = SCHEMA.read_text(encoding="utf-8")
    return json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL).group(1))


def results_by_path(content):
    return {(r["name"], r["layout"], x["peer"]): x for r in content["rows"] for x in r["results"]}


class Peers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "peers.json"
        cls.content = measure(
            cls.path, "--filter", "tiny/", "--peers", "onednn,ncnn", "--modules", ARGUMENTS.modules
        )
        cls.results = results_by_path(cls.content)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_fields_are_those_of_the_schema(self):
        documented = example()
        self.assertEqual(set(self.content), set(documented))
        self.assertEqual(set(self.content["machine"]), set(documented["machine"]))
        for peer in self.content["peers"]:
            self.assertLessEqual(set(peer), {key for p in documented["peers"] for key in p})
        for row in self.content["rows"]:
            self.assertEqual(set(row), set(documented["rows"][0]))
            for result in row["results"]:
                is_timed = result["status"] in ("ok", "wrong")
                expected = {"peer", "status", "note"} | (TIMED if is_timed else set())
                self.assertEqual(set(result), expected)

    def test_rows(self):
        rows = {(r["name"], r["layout"]): r for r in self.content["rows"]}
        names = ("tiny_average", "tiny_max")
        self.assertEqual(set(rows), {(n, x) for n in names for x in ("nchw", "nhwc")})
        row = rows["tiny_max", "nhwc"]
        self.assertEqual((row["op"], row["type"], row["group"]), ("max", "f32", "tiny"))
        self.assertEqual((row["shape"], row["output"]), ([1, 16, 8, 8], [1, 16, 3, 3]))
        self.assertEqual((row["kernel"], row["strides"]), ([3, 3], [2, 2]))
        self.assertEqual((row["pads"], row["dilations"]), ([0, 0, 0, 0], [1, 1]))
        self.assertEqual(row["bytes"], 4 * 16 * (64 + 9))
        self.assertEqual((row["threads"], row["cold"], row["checked_by"]), (1, False, "oracle"))

    def test_lanepool_is_right_and_timed(self):
        for row in self.content["rows"]:
            own = row["results"][0]
            self.assertEqual((own["peer"], own["status"]), ("lanepool", "ok"))
            self.assertTrue(0 < own["min_us"] <= own["median_us"])
            self.assertGreaterEqual(own["samples"], 5)
            ratio = own["median_us"] / row["memcpy_us"]
            self.assertAlmostEqual(own["ratio"] / ratio, 1, places=3)
            gbps = row["bytes"] * 1e-3 / own["median_us"]
            self.assertAlmostEqual(own["gbps"] / gbps, 1, places=3)

    def test_peer_within_the_tolerance_is_ok(self):
        result = self.results["tiny_average", "nchw", "onednn"]
        self.assertEqual((result["status"], result["note"]), ("ok", "fake"))
        self.assertTrue(0 < result["difference"] <= 5 * 2**-24)

    def test_peer_that_does_not_write_is_wrong(self):
        result = self.results["tiny_max", "nchw", "onednn"]
        self.assertEqual(result["status"], "wrong")
        self.assertGreater(result["difference"], 1e30)

    def test_peer_that_refuses_is_unsupported(self):
        result = self.results["tiny_max", "nhwc", "onednn"]
        self.assertEqual(result["status"], "unsupported")
        self.assertTrue(result["note"].startswith("no NHWC"))
        self.assertNotIn("\n", result["note"])

    def test_peer_without_a_module_is_absent(self):
        self.assertEqual(self.results["tiny_max", "nchw", "ncnn"]["status"], "absent")
        absent = [p for p in self.content["peers"] if p.get("status") == "absent"]
        self.assertEqual([p["name"] for p in absent], ["ncnn"])

    def test_threads(self):
        done = call("--threads", 2, "--list")
        self.assertEqual(done.returncode, 0)
        self.assertIn("threads/resnet_stem/nchw\n", done.stdout)
        path = pathlib.Path(self.folder.name) / "threads.json"
        row = ("--filter", "resnet_stem/nhwc", "--peers", "lanepool")
        content = measure(path, "--threads", 2, *row)
        self.assertEqual([r["threads"] for r in content["rows"]], [2])
        self.assertEqual(content["rows"][0]["results"][0]["status"], "ok")
        both = pathlib.Path(self.folder.name) / "both.json"
        subprocess.run([sys.executable, MERGE, both, self.path, path], check=True)
        merged = json.loads(both.read_text(encoding="utf-8"))
        self.assertEqual(merged["rows"], self.content["rows"] + content["rows"])
        self.assertEqual(merged["machine"], self.content["machine"])

    def test_every_group_has_rows(self):
        listed = call("--list").stdout.split()
        groups = {path.split("/")[0] for path in listed}
        known = {"max", "average", "quantized", "types", "tiny", "growth", "cold"}
        self.assertEqual(groups, known)
        self.assertIn("quantized/inception_a/u8/nhwc", listed)
        self.assertEqual(len(listed), len(set(listed)))

    def test_what_cannot_be_is_refused(self):
        for arguments in (["--peers", "nobody"], ["--filter", "nothing"]):
            done = call(*arguments)
            self.assertEqual(done.returncode, 2, done)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", required=True)
    parser.add_argument("--modules", required=True)
    ARGUMENTS, remaining = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *remaining])
