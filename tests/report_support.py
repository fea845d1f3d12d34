"""What the tests of the report share: the modules of bench/report, and a sample to report on."""

import copy
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench/report"))

SAMPLE_FILE = ROOT / "tests/report_sample.json"  # invented figures, in the format of bench/peers


def sample():
    """A fresh copy of the sample."""
    return json.loads(SAMPLE_FILE.read_text(encoding="utf-8"))


def changed(document, name, layout, peer, **fields):
    """The document with other fields in one result."""
    document = copy.deepcopy(document)
    for row in document["rows"]:
        if (row["name"], row["layout"]) == (name, layout):
            for result in row["results"]:
                if result["peer"] == peer:
                    result.update(fields)
    return document
