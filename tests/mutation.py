#!/usr/bin/env python3
"""Mutation testing of the planner: how many small faults do the tests notice?

    tests/mutation.py --build build/coverage [--sample N --seed S] [--again] [--jobs N] [FILE...]
    tests/mutation.py --list [FILE...]      the mutants
    tests/mutation.py --check [FILE...]     only whether mutation_survivors.txt fits the sources

Each mutant (see mutants.py) is compiled by itself, with UndefinedBehaviorSanitizer, and linked with
the objects of a finished build into a library that the finished tests load. A mutant is killed when
a test fails, crashes or takes several times the CPU time that it should. Those that cannot be killed are
listed in mutation_survivors.txt with the reason. The score is killed / (killed + survived), without
those that are listed or compile to the same code. Exit status 0 when it is high enough.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import queue
import random
import resource
import shutil
import subprocess
import sys
from collections import Counter

from mutants import mutants_of, read_survivors
from rebuilt import ROOT, Build, with_objects, with_output

LISTED = ROOT / "tests/mutation_survivors.txt"
FILES = ("src/axis.h", "src/planner.cc", "src/api.cc", "src/desc.cc", "src/requant.cc",
         "src/requant.h", "src/requant_apply.cc", "src/requant_search.cc",
         "src/requant_steps.cc")  # fmt: skip
LINKER = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []  # twice as fast
LEAST_SCORE = 0.95
MOST_SECONDS = 600  # by the clock: a test that waits for ever
UBSAN = ["-O1", "-g0", "-w", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
# Programs, some with a filter of GoogleTest, in this order: first what is quick.
TESTS = ("bad_quantization_test", "sentences_test", "cases_test", "unpool_test", "index_call_test",
         "table_test", "bad_ops_test", "fuzz_desc_replay", "api_test", "fuzz_plan_replay",
         "quantized_plan_test", "bad_input_test -Extremes.Shapes*",
         "bad_input_test Extremes.Shapes*")  # fmt: skip
# Formulas of bytes: that a plan has the right ones, all else is for requant_test.
QUANTIZED_TESTS = ("cases_test", "table_test", "quantized_plan_test")
# These contain what they test instead of loading the library, and come before all others.
INTERNAL = {
    "axis_test": ("src/axis.h",),
    "machine_test": ("src/api.cc",),
    "requant_test": tuple(file for file in FILES if "requant" in file),
}
AXIS_FACTS = "Axis.*:AxisInt64.*:AxisSweep.EveryAdaptiveAxis"
INTERNAL_PARTS = {
    "axis_test": (AXIS_FACTS, "AxisSweep.SmallValues", "AxisSweep.RandomInt64", "AxisSweep.*"),
    "machine_test": ("*",),
    "requant_test": ("-RequantSweep.*", "RequantSweep.S*"),  # all but EverySum
}  # fmt: skip
KILLED, SURVIVED, KNOWN, SAME, BROKEN = VERDICTS = (
    "killed", "survived", "listed", "same code", "does not compile")  # fmt: skip


class Worker:
    """A copy of src, and what is built from it."""

    def __init__(self, build, number):
        self.build = build
        self.root = build.directory / "mutation" / str(number)
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(ROOT / "src", self.root / "src", ignore=lambda d, names: ["kernels"])
        (self.root / "lib").mkdir()

    def _run(self, command, directory):
        return subprocess.run(command, cwd=directory, capture_output=True,
                              start_new_session=True).returncode == 0  # fmt: skip

    def _compile(self, source, output, flags):
        command = with_output(self.build.compiles[source], output)
        counters = ("-fprofile-instr-generate", "-fcoverage-mapping")
        command = [a for a in command if a not in counters]
        command = [a.replace(f"{ROOT}/src", f"{self.root}/src") for a in command]
        return self._run(command + flags, self.build.directory)

    def _objects(self, sources, flags=()):
        """{object of the build: object of the source in the copy}; None if one does not compile."""
        fresh = {}
        for source in sources:
            output = self.root / (pathlib.Path(source).stem + ".o")
            if not self._compile(source, output, [*UBSAN, *flags]):
                return None
            fresh[self.build.object_of(source)] = str(output)
        return fresh

    def _link(self, command, output, fresh):
        """A link of the build, with those objects."""
        command = with_output(with_objects(command, fresh), output)
        return self._run(command + LINKER, self.build.directory)

    def build_test(self, test, sources):
        """The library, or an internal test, with those sources compiled from the copy. False if
        they do not compile."""
        name = program_of(test)
        if name not in INTERNAL:
            fresh = self._objects([s for s in sources if s.startswith(f"{ROOT}/src")])
            return fresh is not None and self._link(
                self.build.link("lanepool"), self.root / "lib/liblanepool.so.1", fresh)  # fmt: skip
        own = {str(ROOT / file) for file in INTERNAL[name]} | {str(ROOT / f"tests/{name}.cc")}
        # This takes seconds to compile, and runs for milliseconds.
        flags = ["-O0"] if test.endswith(AXIS_FACTS) else []
        fresh = self._objects([s for s in sources if s in own], flags)
        return fresh is not None and self._link(self.build.link(name), self.root / name, fresh)

    def passes(self, test, seconds):
        """Whether a test passes within so many seconds of CPU time."""
        name, _, part = test.partition(" ")
        program = (self.root if name in INTERNAL else self.build.directory / "bin") / name
        arguments = [f"--gtest_filter={part}"] if part else []
        if name.endswith("_replay"):
            corpus = ROOT / "fuzz/corpus" / name.removesuffix("_replay")
            arguments = [str(corpus), "--generate", "200000"]
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.root / "lib"),
                           GTEST_BREAK_ON_FAILURE="1", LLVM_PROFILE_FILE="/dev/null")  # fmt: skip
        process = subprocess.Popen([program, *arguments], env=environment, cwd=self.root,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)  # fmt: skip
        try:
            # CPU time: other work on the machine does not make a test fail.
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
            return process.wait(timeout=MOST_SECONDS) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return False

    def _same_code(self, mutant, text):
        """Whether the optimizer makes the same of the mutant and of the original."""
        flags = ["-O2", "-g0", "-w"]
        changed = self.root / mutant.file
        for source in self.build.sources_of(mutant.file):
            code = []
            for version in (text, mutant.applied(text)):
                changed.write_text(version, encoding="utf-8")
                output = self.root / "same.o"
                self._compile(source, output, flags)
                code.append(output.read_bytes())
            if code[0] != code[1]:
                return False
        return True

    def judge(self, mutant, text, limits):
        """What becomes of a mutant: (verdict, the test that killed it)."""
        changed = self.root / mutant.file
        changed.write_text(mutant.applied(text), encoding="utf-8")
        try:
            sources = self.build.sources_of(mutant.file)
            built = None
            tests = tests_of(mutant.file)
            for test in tests:
                if test == tests[-1] and self._same_code(mutant, text):  # few get so far
                    return SAME, ""
                if built != what_to_build(test) and not self.build_test(test, sources):
                    return BROKEN, ""
                built = what_to_build(test)
                if not self.passes(test, limits[test]):
                    return KILLED, test
            return SURVIVED, ""
        finally:
            changed.write_text(text, encoding="utf-8")


def program_of(test):
    return test.partition(" ")[0]


def what_to_build(test):
    """An internal test, the facts by themselves, or the library that serves all others."""
    if test.endswith(AXIS_FACTS):
        return test
    return program_of(test) if program_of(test) in INTERNAL else "library"


def tests_of(file):
    own = [f"{name} {part}" for name, files in INTERNAL.items() if file in files
           for part in INTERNAL_PARTS[name]]  # fmt: skip
    return own + list(QUANTIZED_TESTS if "src/requant" in file else TESTS)


def time_limits(worker, files):
    """Seconds of CPU time for each test; with the sources as they are, all must pass."""
    limits = {}
    sources = sorted({source for file in files for source in worker.build.sources_of(file)})
    built = None
    for test in sorted({t for file in files for t in tests_of(file)}, key=what_to_build):
        if built != what_to_build(test) and not worker.build_test(test, sources):
            sys.exit("mutation: the sources as they are do not build")
        built = what_to_build(test)
        start = cpu_seconds()
        if not worker.passes(test, MOST_SECONDS):
            sys.exit(f"mutation: {test} fails with the sources as they are")
        limits[test] = math.ceil(1 + 3 * (cpu_seconds() - start))
    return limits


def read_verdicts(path):
    """{mutant: (verdict, test)} of the last run, or of what there is of it."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return {tuple(mutant): (verdict, test) for verdict, test, *mutant in rows}


def cpu_seconds():
    """What all processes that this one has waited for have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--sample", type=int, help="only so many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true",
                        help="go on after the last run: what it killed is not run again")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("files", nargs="*", default=FILES)
    options = parser.parse_args()

    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in options.files}
    mutants = [m for file, text in texts.items() for m in mutants_of(file, text)]
    listed = read_survivors(LISTED.read_text(encoding="utf-8"))
    present = {(m.file, m.line, m.change) for m in mutants}
    stale = [key for key in listed if key[0] in texts and key not in present]
    for key in stale:
        print("mutation_survivors.txt lists what is no mutant: " + " | ".join(key))
    if options.check:
        print(f"{len(listed)} mutants are listed, {len(stale)} of them do not fit the sources")
        return 1 if stale else 0
    random.Random(options.seed).shuffle(mutants)
    mutants = mutants[: options.sample]
    if options.list:
        print(*sorted(map(str, mutants)), sep="\n")
        return 0

    if options.build is None:
        parser.error("--build is needed")
    build = Build(options.build, rf"src/\w+\.cc|tests/({'|'.join(INTERNAL)})\.cc")
    verdicts_file = build.directory / "mutation/verdicts.txt"
    known = read_verdicts(verdicts_file) if options.again else {}
    workers = queue.Queue()
    for number in range(options.jobs):
        workers.put(Worker(build, number))
    worker = workers.get()
    limits = time_limits(worker, options.files)
    workers.put(worker)

    def judge(mutant):
        if (mutant.file, mutant.line, mutant.change) in listed:
            return KNOWN, ""
        verdict = known.get((mutant.file, mutant.line, mutant.change), (SURVIVED, ""))
        if verdict[0] not in (SURVIVED, KNOWN):
            return verdict
        worker = workers.get()
        try:
            return worker.judge(mutant, texts[mutant.file], limits)
        finally:
            workers.put(worker)

    def judge_and_log(mutant):
        verdict, test = judge(mutant)
        log.write("\t".join((verdict, test, mutant.file, mutant.line, mutant.change)) + "\n")
        return mutant, verdict, test

    verdicts, by_test = Counter(), Counter()
    log = open(verdicts_file, "w", encoding="utf-8", buffering=1)
    with log, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, verdict, test in pool.map(judge_and_log, mutants):
            verdicts[mutant.file, verdict] += 1
            by_test[test] += verdict == KILLED
            if verdict == SURVIVED:
                print(f"survived: {mutant}", flush=True)
    print(f"{'':26}" + "".join(f"{verdict:>17}" for verdict in VERDICTS) + "   score")
    for file in (*options.files, "all"):
        row = [sum(n for (f, v), n in verdicts.items() if file in (f, "all") and v == verdict)
               for verdict in VERDICTS]  # fmt: skip
        score = row[0] / max(1, row[0] + row[1])
        print(f"{file:26}" + "".join(f"{n:17}" for n in row) + f"{score:8.1%}")
    print("killed by " + ", ".join(f"{test} {n}" for test, n in by_test.most_common() if test))
    return 1 if stale or score < LEAST_SCORE else 0


if __name__ == "__main__":
    sys.exit(main())
