"""How the tests of the command-line tool call it."""

import json
import os
import subprocess

import numpy as np
import pytest

TOOL = os.environ.get("LANEPOOL_TOOL", "")


def call(*arguments, **keywords):
    assert TOOL, "LANEPOOL_TOOL must name the lanepool command to test"
    words = [TOOL, *(str(a) for a in arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **keywords)


def succeed(*arguments):
    """What the tool printed. Nothing may be on stderr."""
    done = call(*arguments)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def succeed_json(*arguments):
    return json.loads(succeed(*arguments, "--json"))


def refuse(*arguments):
    """The one line that tells what is wrong with the input."""
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("lanepool: ") and done.stderr.endswith("\n"), done
    assert done.stderr.count("\n") == 1, done
    return done.stderr


class Folder:
    """A directory with an x.npy, in which only a y.npy may appear."""

    def __init__(self, path):
        self.path = path
        self.x = path / "x.npy"
        self.y = path / "y.npy"

    def save(self, x):
        np.save(self.x, x)

    def run(self, *options):
        succeed("run", "--in", self.x, "--out", self.y, *options)
        assert sorted(os.listdir(self.path)) == ["x.npy", "y.npy"]
        return np.load(self.y)

    def refuse_run(self, *options):
        before = sorted(os.listdir(self.path))
        line = refuse("run", "--in", self.x, "--out", self.y, *options)
        assert sorted(os.listdir(self.path)) == before, "a file was left behind"
        return line


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path)
