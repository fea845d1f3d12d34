"""The binary interface against abi/lanepool-1.abi, the committed dump of libabigail: functions with
their types, structs with the places of their fields, exported symbols. Any difference fails, and so
do changes that are made here on purpose.

abi_gate_test.py --library FILE [--cxx COMPILER]
abi_gate_test.py --renew [--cxx COMPILER]          writes the dump anew, for a change that is meant

Compiled for it is src/api.cc alone, with debug information: all functions of the interface are
defined there. Exit status 77: libabigail is missing, or the machine is not of the dump's kind.
"""

import argparse
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = "include/lanepool/lanepool.h"
SOURCE = "src/api.cc"


def version_of_interface():
    text = (ROOT / HEADER).read_text(encoding="utf-8")
    return re.search(r"#define LANEPOOL_ABI_VERSION (\d+)", text)[1]


DUMP = ROOT / f"abi/lanepool-{version_of_interface()}.abi"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_interface(tree, library):
    """The functions of the interface, which call what is not there: it is only looked at."""
    flags = ["-std=c++17", "-g", "-O0", "-fPIC", "-shared", "-nostdlib", "-fvisibility=hidden"]
    flags += ["-fno-exceptions", "-fno-rtti", "-DLANEPOOL_BUILD", "-Iinclude", "-Isrc"]
    if "clang" in must(OPTIONS.cxx, "--version"):
        flags.append("-fstandalone-debug")  # structs that api.cc has no need to look into
    # Relative names, so that the dump does not tell where it was made.
    must(OPTIONS.cxx, *flags, SOURCE, "-o", str(library), cwd=tree)


def write_dump(library, dump):
    must(
        "abidw", "--headers-dir", str(ROOT / "include"), "--drop-private-types", "--no-show-locs",
        "--no-corpus-path", "--no-comp-dir-path", "--out-file", str(dump), str(library),
    )  # fmt: skip


def difference(tree):
    """What abidiff says of a tree's interface; "" if it is that of the dump."""
    with tempfile.TemporaryDirectory() as folder:
        library, dump = f"{folder}/interface.so", f"{folder}/interface.abi"
        compile_interface(tree, library)
        write_dump(library, dump)
        done = run("abidiff", str(DUMP), dump)
    if done.returncode == 0:
        return ""
    return done.stdout + done.stderr


class Interface(unittest.TestCase):
    """As it is."""

    def test_is_that_of_the_dump(self):
        self.assertEqual(difference(ROOT), "")

    def test_library_exports_the_symbols_of_the_dump(self):
        names = re.findall(r"<elf-symbol name='(\w+)'", DUMP.read_text(encoding="utf-8"))
        self.assertGreater(len(names), 10)
        listing = must("nm", "--dynamic", "--defined-only", "--format=posix", OPTIONS.library)
        self.assertEqual(sorted(line.split()[0] for line in listing.splitlines()), sorted(names))

    def test_dump_tells_nothing_of_the_machine(self):
        text = DUMP.read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"path='([^']*)'", text)), {SOURCE})


class Changes(unittest.TestCase):
    """Each must be noticed."""

    def expect(self, told, *edits):
        """Edits are files with what to replace in them, and by what."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "include", f"{folder}/include")
            shutil.copytree(ROOT / "src", f"{folder}/src", ignore=shutil.ignore_patterns("kernels"))
            for name, pattern, by in edits:
                path = pathlib.Path(folder, name)
                text, count = re.subn(pattern, by, path.read_text(encoding="utf-8"))
                self.assertEqual(count, 1, pattern)
                path.write_text(text, encoding="utf-8")
            self.assertRegex(difference(folder), told)

    def test_field_moved(self):
        fields = r"(  int64_t batch;.*\n)(  int64_t channels;.*\n)"
        self.expect("offset changed from", (HEADER, fields, r"\2\1"))

    def test_field_of_another_type(self):
        field = "int32_t has_empty_windows"
        self.expect("type of '.*has_empty_windows' changed", (HEADER, field, f"u{field}"))

    def test_struct_grown(self):
        field = r"(  double real; .*\n)(\} lanepool_error;)"
        self.expect("type size changed", (HEADER, field, r"\1  double more;\n\2"))

    def test_symbol_dropped(self):
        self.expect("1 Removed", (HEADER, "LANEPOOL_API (int64_t lanepool_machine)", r"\1"))

    def test_symbol_added(self):
        function = 'extern "C" LANEPOOL_API int lanepool_new(void) { return 0; }'
        self.expect("1 Added", (SOURCE, r"\Z", function))

    def test_argument_of_another_type(self):
        argument = r"(lanepool_targets\()int32_t"
        edits = [(file, argument, r"\1int64_t") for file in (HEADER, SOURCE)]
        self.expect("parameter 1 of type", *edits)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--library")
    parser.add_argument("--cxx", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--renew", action="store_true")
    options, others = parser.parse_known_args()
    if not (options.library or options.renew):
        parser.error("--library or --renew is needed")
    return options, others


def main(others):
    if not (shutil.which("abidw") and shutil.which("abidiff")):
        print("skipped: there is no libabigail; Debian has it in abigail-tools")
        return 77
    if platform.machine() != "x86_64":
        print("skipped: the dump is of x86_64")
        return 77
    if OPTIONS.renew:
        with tempfile.TemporaryDirectory() as folder:
            compile_interface(ROOT, f"{folder}/interface.so")
            write_dump(f"{folder}/interface.so", DUMP)
        return 0
    return unittest.main(argv=[sys.argv[0], *others])


if __name__ == "__main__":
    OPTIONS, OTHERS = parse_arguments()
    sys.exit(main(OTHERS))
