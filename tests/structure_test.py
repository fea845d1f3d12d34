#!/usr/bin/env python3
"""The rules of the source tree that no compiler checks.

Kernels know no planner, the planner knows no Highway, the oracle knows neither; files stay short;
no sanitizer is switched off. Prints each offence and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE_SUFFIXES = {".c", ".cc", ".h", ".hpp", ".inc"}
MOST_LINES = 400
# What kernels may include of src besides each other: the seam, and what it is made of.
KERNEL_SEAM = {"compiled_in.h", "kernel_blocks.h", "kernel_end.h", "kernel_in_place.h",
               "kernel_moves.h", "kernel_rules.h", "kernel_table.h", "kernel_windows.h", "requant.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
# Spelt so that this file is not an offence itself.
SWITCHES_OFF = ("no_" + "sanitize", "-fno-" + "sanitize=")


def sources(folder):
    """Source files below a folder of the project."""
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in SOURCE_SUFFIXES)


def includes(path):
    """What a file includes, as it is written there."""
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def own_headers():
    """Headers of src outside of src/kernels, by the name under which they are included."""
    return {p.name for p in (ROOT / "src").glob("*.h")}


def is_highway(include):
    return include.startswith("hwy/")


def kernels_know_no_planner():
    forbidden = own_headers() - KERNEL_SEAM
    for path in sources("src/kernels"):
        for include in includes(path):
            if pathlib.PurePosixPath(include).name in forbidden:
                yield path, f"a kernel includes {include}"


def seam_knows_no_planner():
    forbidden = own_headers() - KERNEL_SEAM
    for name in sorted(KERNEL_SEAM):
        for include in includes(ROOT / "src" / name):
            if pathlib.PurePosixPath(include).name in forbidden:
                yield ROOT / "src" / name, f"the seam includes {include}"


def highway_stays_in_kernels():
    allowed = {"dispatch.cc", "dispatch.h", "highway_abort.cc"}
    for path in sources("src"):
        if "kernels" in path.parts or path.name in allowed:
            continue
        for include in includes(path):
            if is_highway(include) or include.startswith("kernels/"):
                yield path, f"includes {include}"


def oracle_is_independent():
    here = {p.name for p in sources("tests/oracle")}
    for path in sources("tests/oracle"):
        for include in includes(path):
            if "/" not in include and include not in here and include.endswith(".h"):
                yield path, f"the oracle includes {include}"
            if "/" in include and include != "lanepool/lanepool.h":
                yield path, f"the oracle includes {include}"


def header_is_alone():
    path = ROOT / "include/lanepool/lanepool.h"
    for include in includes(path):
        if include not in ("stddef.h", "stdint.h"):
            yield path, f"the public header includes {include}"
    path = ROOT / "include/lanepool/lanepool.hpp"
    for include in includes(path):
        if include != "lanepool/lanepool.h" and not include.isalpha() and include != "type_traits":
            yield path, f"the header for C++ includes {include}"


def files_are_short():
    for path in sources("src"):
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > MOST_LINES:
            yield path, f"{lines} lines, more than {MOST_LINES}"


def sanitizers_stay_on():
    builds = [*ROOT.glob("CMake*"), *(ROOT / "cmake").rglob("*.cmake")]
    for folder in ("include", "src", "tests", "tools", "bench", "examples", "fuzz", "bindings"):
        builds += sources(folder)
        builds += (ROOT / folder).rglob("CMakeLists.txt")
    for path in builds:
        for text in SWITCHES_OFF:
            if text in path.read_text(encoding="utf-8"):
                yield path, f"contains {text}"


RULES = (
    kernels_know_no_planner,
    seam_knows_no_planner,
    highway_stays_in_kernels,
    oracle_is_independent,
    header_is_alone,
    files_are_short,
    sanitizers_stay_on,
)


def main():
    # A rule that looks at nothing proves nothing.
    for folder in ("include", "src", "src/kernels", "tests/oracle"):
        if not sources(folder):
            print(f"no sources in {folder}")
            return 1
    offences = [(path, what) for rule in RULES for path, what in rule()]
    for path, what in offences:
        print(f"{path.relative_to(ROOT)}: {what}")
    print(f"{len(RULES)} rules, {len(sources('src'))} files of src, {len(offences)} offences")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
