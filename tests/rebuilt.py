"""A finished build whose commands are repeated with changed sources, one or a few at a time."""

import functools
import json
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Build:
    """What a build of CMake with Ninja has done. `sources` is a regular expression: which sources,
    as paths in the tree, may be compiled anew."""

    def __init__(self, directory, sources):
        self.directory = directory.resolve()
        database = json.loads((self.directory / "compile_commands.json").read_text())
        self.compiles = {entry["file"]: shlex.split(entry["command"]) for entry in database}
        self.inputs = self._inputs(re.compile(rf"{re.escape(str(ROOT))}/({sources})"))

    def _ninja(self, *arguments):
        command = ["ninja", "-C", str(self.directory), "-t", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @functools.cache  # noqa: B019 - there are one or two of these, to the end
    def link(self, target):
        """The command that links a program or a library."""
        lines = [line for line in self._ninja("commands", target).splitlines() if " -o " in line]
        return shlex.split(lines[-1].split("&&")[1])

    def _inputs(self, pattern):
        """Of each of those sources: itself and its headers."""
        inputs, source = {}, None
        for line in self._ninja("deps").splitlines():
            if not line.startswith(" "):
                source = None
            elif source is None:
                source = line.strip()
                if pattern.fullmatch(source):
                    inputs[source] = set()
            elif source in inputs:
                inputs[source].add(line.strip())
        return inputs

    def sources_of(self, file):
        """What has to be compiled anew when `file` changes."""
        path = str(ROOT / file)
        inputs = sorted(self.inputs.items(), reverse=True)  # tests before src
        return [s for s, headers in inputs if s == path or path in headers]

    def object_of(self, source):
        command = self.compiles[source]
        return command[command.index("-o") + 1]


def with_output(command, output):
    """A command of the compiler that writes something else."""
    command = list(command)
    command[command.index("-o") + 1] = str(output)
    return command


def with_objects(command, fresh):
    """A command that links, with other objects ({object: other}): in place of those that it names,
    and before the archive of the library."""
    command = [fresh.get(argument, argument) for argument in command]
    for archive in [a for a in command if a.endswith("liblanepool.a")]:
        at = command.index(archive)
        command[at:at] = [path for path in fresh.values() if path not in command]
    return command
