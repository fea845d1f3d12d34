"""What README.md says is so."""

import contextlib
import io
import pathlib
import re

import lanepool
import pytest

README = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def test_snippets():
    pytest.importorskip("dask.array")
    snippets = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert len(snippets) == 4
    printed, names = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        for snippet in snippets:
            exec(snippet, names)  # each goes on where the one before ended
    assert f"It prints `{printed.getvalue().strip()}`." in README


def test_functions():
    table = README.split("## Functions")[1].split("## Plans")[0]
    told = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", row)}  # fmt: skip
    functions = {
        name for name in lanepool.__all__ if callable(getattr(lanepool, name)) and name.islower()
    }
    assert told == functions - {"targets", "version"}
