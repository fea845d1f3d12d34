"""What the shared library shows to the dynamic linker.

exports_test.py HEADER LIBRARY SONAME: the exported symbols are exactly the functions that the
header declares, the SONAME is right, and no C++ runtime library is needed.
"""

import pathlib
import re
import subprocess
import sys
import unittest

HEADER, LIBRARY, SONAME = sys.argv[1:4]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def dynamic_entries(tag):
    pattern = rf"\({tag}\).*\[(.*)\]"
    return re.findall(pattern, run("readelf", "--dynamic", "--wide", LIBRARY))


def declared_functions():
    text = pathlib.Path(HEADER).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.findall(r"^LANEPOOL_API\s[^;()]*?\b(lanepool_\w+)\(", text, flags=re.MULTILINE)


class SharedLibrary(unittest.TestCase):
    def test_exports_are_the_declared_functions(self):
        declared = declared_functions()
        self.assertGreater(len(declared), 10)
        listing = run("nm", "--dynamic", "--defined-only", "--format=posix", LIBRARY)
        exported = {(line.split()[0], line.split()[1]) for line in listing.splitlines()}
        self.assertEqual(exported, {(name, "T") for name in declared})

    def test_soname(self):
        self.assertEqual(dynamic_entries("SONAME"), [SONAME])

    def test_needs_no_cxx_runtime(self):
        needed = dynamic_entries("NEEDED")
        self.assertIn("libc.so.6", needed)
        foreign = [name for name in needed if re.match(r"lib(stdc\+\+|c\+\+|c\+\+abi|gcc_s)\.", name)]
        self.assertEqual(foreign, [])

    def test_calls_no_cxx_runtime(self):
        listing = run("nm", "--dynamic", "--undefined-only", "--format=posix", LIBRARY)
        names = [line.split()[0] for line in listing.splitlines()]
        runtime = re.compile(r"_ZN?K?S|_Zn|_Zd|_ZT|__cxa_(throw|guard|allocate)|__gxx")
        self.assertEqual([name for name in names if runtime.match(name)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
