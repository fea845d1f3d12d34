"""Defects that the checks must notice.

    python tests/seeded_defects.py               one by one, all must be caught
    python tests/seeded_defects.py --only NAME   some of them
    python tests/seeded_defects.py --check       only whether each still fits the sources: quick

A defect (see defects.py and defects_of_targets.py) is a text that stands once in a file, what it
becomes, and the ctest entries one of which must fail then. Everything is built once without defects,
for SSE2, where no mask hides what is read, and for the widest vectors of this machine, which have
loops of their own. Then, for each defect, the sources that see it are compiled from a copy of the
tree and linked with the other objects: planner and runner at once, of the kernels one source after
the other, until a test fails or all of them have the defect.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import time

from defects_of_targets import ALL_DEFECTS, DEFECTS, IS_WIDE
from rebuilt import ROOT, Build, with_objects, with_output

TARGETS = "AVX10_2;AVX3_SPR;AVX3_ZEN4;AVX3_DL;SSE4;SSSE3;" + ("AVX2" if IS_WIDE else "AVX3")
SCRIPTS = {"contents_test", "exports_test", "structure_test"}  # of Python: the library will do
SOURCES = r"src/(kernels/)?\w+\.cc|tests/\w+\.cc"
MOST_SECONDS = 1500  # as of ctest: a test that waits for ever has failed


def replaced(defect, text):
    """The text with the defect. A defect in several places of a file is made in the first."""
    return text.replace(defect.text, defect.becomes, 1)


def misfits(tree):
    """Defects whose text is not in its file any more."""
    return [d.name for d in ALL_DEFECTS if d.text not in (tree / d.file).read_text()]


def run(command, log, **options):
    return subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False,
                          **options).returncode


def is_kernel(source):
    return source.startswith(f"{ROOT}/src/kernels/")


class SeededBuild(Build):
    """The library and the programs of these tests without a defect."""

    def __init__(self, directory, tests, log):
        configure = ["cmake", "-S", ROOT, "-B", directory, "-G", "Ninja",
                     "-DCMAKE_BUILD_TYPE=Release", f"-DLANEPOOL_DISABLED_TARGETS={TARGETS}",
                     "-DLANEPOOL_BUILD_BENCH=OFF"]
        targets = ["lanepool", *(test for test in tests if test not in SCRIPTS)]
        make = ["cmake", "--build", directory, "--parallel", str(os.cpu_count() or 1), "--target"]
        if run(configure, log) or run([*make, *targets], log):
            sys.exit("the library does not build, see the log")
        super().__init__(directory, SOURCES)
        listing = subprocess.run(["ctest", "--test-dir", directory, "--show-only=json-v1"],
                                 check=True, capture_output=True, text=True).stdout
        self.tests = {test["name"]: test for test in json.loads(listing)["tests"]}
        self.library = self.directory / self.link("lanepool")[self.link("lanepool").index("-o") + 1]

    def steps(self, sources):
        """Which of these sources of the library are compiled at once: of the kernels one, the
        smallest first."""
        quick = [s for s in sources if s.startswith(f"{ROOT}/src/") and not is_kernel(s)]
        kernels = sorted(filter(is_kernel, sources), key=self._object_bytes)
        return ([quick] if quick else []) + [[source] for source in kernels]

    def _object_bytes(self, source):
        return (self.directory / self.object_of(source)).stat().st_size


class Worker:
    """A copy of the tree's files, and what is built from it."""

    def __init__(self, build, directory):
        self.build, self.tree, self.out = build, directory / "tree", directory / "out"
        shutil.rmtree(directory, ignore_errors=True)
        names = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True,
                               text=True).stdout.splitlines()
        for name in names:
            if (ROOT / name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.tree / name)
        self.out.mkdir()
        self.log = open(directory / "log.txt", "w", encoding="utf-8")

    def _moved(self, argument):
        """An argument of the build's commands as it is in the copy."""
        for part in ("src", "tests"):
            argument = argument.replace(f"{ROOT}/{part}/", f"{self.tree}/{part}/")
        argument = argument.replace(f"-I{ROOT}/src", f"-I{self.tree}/src")
        return argument.replace(str(self.build.library), str(self._library()))

    def _library(self):
        return self.out / self.build.library.name

    def _compile(self, source, fresh):
        """Whether it compiles. Then {object of the build: this object} is in `fresh`."""
        output = self.out / (pathlib.Path(source).stem + ".o")
        command = [self._moved(a) for a in self.build.compiles[source]]
        fresh[self.build.object_of(source)] = str(output)
        return run(with_output(command, output), self.log, cwd=self.build.directory) == 0

    def _link(self, target, fresh):
        output = self._library() if target == "lanepool" else self.out / target
        command = with_output(with_objects(self.build.link(target), fresh), output)
        return run(command, self.log, cwd=self.build.directory) == 0

    def build_library(self, sources, fresh):
        if not (all(self._compile(s, fresh) for s in sources) and self._link("lanepool", fresh)):
            return False
        soname = self._library().with_name("liblanepool.so.1")
        soname.unlink(missing_ok=True)
        soname.symlink_to(self._library())
        return True

    def build_program(self, test, sources, fresh):
        """Whether a test that contains what it tests, if it is one, can be built."""
        if test in SCRIPTS or not any(a.endswith("/liblanepool.a") for a in self.build.link(test)):
            return True
        own = f"{ROOT}/tests/{test}.cc"
        fresh = dict(fresh)
        return (own not in sources or self._compile(own, fresh)) and self._link(test, fresh)

    def passes(self, test):
        entry = self.build.tests[test]
        program, *arguments = [self._moved(argument) for argument in entry["command"]]
        if (self.out / test).exists():
            program = self.out / test
        properties = {p["name"]: p["value"] for p in entry.get("properties", ())}
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.out), GTEST_FAIL_FAST="1")
        environment.update(e.split("=", 1) for e in properties.get("ENVIRONMENT", ()))
        try:
            return run([program, *arguments], self.log, cwd=self.out, env=environment,
                       timeout=MOST_SECONDS) == 0
        except subprocess.TimeoutExpired:
            return False

    def clear(self):
        for path in self.out.iterdir():
            path.unlink()

    @contextlib.contextmanager
    def applied(self, defect):
        """The copy with a defect, then as before."""
        path = self.tree / defect.file
        whole = path.read_text()
        path.write_text(replaced(defect, whole))
        print(f"\n##### {defect.name}", file=self.log, flush=True)
        try:
            yield
        finally:
            path.write_text(whole)
            self.clear()

    def judge(self, defect):
        """What becomes of a defect: (whether it was caught, words)."""
        start = time.monotonic()
        sources = self.build.sources_of(defect.file)
        fresh = {}
        with self.applied(defect):
            for step in self.build.steps(sources):
                if not self.build_library(step, fresh):
                    return False, "DOES NOT BUILD"
                for test in defect.tests:
                    if not self.build_program(test, sources, fresh):
                        return False, f"DOES NOT BUILD in {test}"
                    if not self.passes(test):
                        where = " in " + pathlib.Path(step[0]).stem if is_kernel(step[0]) else ""
                        seconds = time.monotonic() - start
                        return True, f"caught by {test}{where} ({seconds:.0f} s)"
        return False, "MISSED"

    def failing_without(self, tests):
        """Those of the tests that fail without a defect, when everything that is quickly compiled,
        and a kernel, come from the copy."""
        sources = list(self.build.inputs)
        fresh = {}
        for step in self.build.steps(sources)[:2]:
            if not self.build_library(step, fresh):
                sys.exit("the copy does not build, see the log")
        broken = [t for t in tests
                  if not (self.build_program(t, sources, fresh) and self.passes(t))]
        self.clear()
        return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only whether defects fit the sources")
    parser.add_argument("--only", action="append", default=[], help="a part of a defect's name")
    parser.add_argument("--dir", type=pathlib.Path, default=ROOT / "build" / "seeded")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    misfit = misfits(ROOT)
    if misfit:
        sys.exit("not in the sources any more: " + "; ".join(misfit))
    print(f"{len(ALL_DEFECTS)} defects fit the sources, {len(DEFECTS)} of them for this machine")
    if arguments.check:
        return
    chosen = [d for d in DEFECTS
              if not arguments.only or any(part in d.name for part in arguments.only)]
    directory = arguments.dir.resolve()
    directory.mkdir(parents=True, exist_ok=True)
    tests = sorted({test for defect in chosen for test in defect.tests})
    start = time.monotonic()
    with open(directory / "log.txt", "w", encoding="utf-8") as log:
        build = SeededBuild(directory / "build", tests, log)
    workers = queue.Queue()
    for number in range(arguments.jobs):
        workers.put(Worker(build, directory / str(number)))
    worker = workers.get()
    broken = worker.failing_without(tests)
    if broken:
        sys.exit("these fail without a defect: " + ", ".join(broken))
    workers.put(worker)
    seconds = time.monotonic() - start
    print(f"{len(tests)} tests pass without a defect ({seconds:.0f} s)", flush=True)

    def judge(defect):
        worker = workers.get()
        try:
            return worker.judge(defect)
        finally:
            workers.put(worker)

    missed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for defect, (caught, words) in zip(chosen, pool.map(judge, chosen)):
            missed += not caught
            print(f"{defect.name}: {words}", flush=True)
    if missed:
        sys.exit(f"{missed} of {len(chosen)} defects missed")
    print(f"all {len(chosen)} defects were caught ({time.monotonic() - start:.0f} s)")


if __name__ == "__main__":
    main()
