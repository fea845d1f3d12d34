"""What is inside the shared library, by its symbols and its machine code.

contents_test.py LIBRARY: it calls nothing but copying functions of the C library and cpuinfo, so no
lock, no allocation, no abort, no throw and no system call can be reached; it runs no code when
loaded; it changes nothing but what it knows of the CPU, in no section but those of that and none of
a thread's own; and on x86-64 the code that every CPU runs has no instruction that needs AVX, and
no code one that traps or calls the system.
"""

import functools
import re
import subprocess
import sys
import unittest

LIBRARY = sys.argv[1]

CALLS = re.compile(r"(mem(cpy|move|set|cmp)|cpuinfo_\w+)(@.*)?$")
# What the start files call where it is there.
WEAK_CALLS = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable",
              "_ITM_registerTMCloneTable"}  # fmt: skip
# What the compiler's start files bring into every library.
START_FILES = {"__frame_dummy_init_array_entry", "__do_global_dtors_aux_fini_array_entry"}
START_DATA = {"__dso_handle", "__TMC_END__", "completed.0", "completed.1"}
# Sections that can be written: two for data, and what the dynamic linker fills in.
WRITABLE = {".data", ".bss", ".data.rel.ro", ".dynamic", ".got", ".got.plt", ".init_array",
            ".fini_array"}  # fmt: skip
# Highway's and the library's own record of the CPU, see src/dispatch.cc.
CPU_DATA = {
    "hwy::supported_mask_",
    "hwy::supported_targets_for_test_",
    "hwy::GetChosenTarget()::chosen_target",
    "lanepool::(anonymous namespace)::supported",
}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


IS_X86 = "X86-64" in run("readelf", "--file-header", LIBRARY)
if IS_X86:
    CPU_DATA.add("lanepool::core")
ON_X86 = unittest.skipUnless(IS_X86, "other machine code")


class Section:
    """A section of the library: where it is, and whether it stays writable."""

    def __init__(self, name, address, size):
        self.name, self.address, self.size = name, address, size

    def holds(self, address):
        return self.address <= address < self.address + self.size


def sections():
    pattern = re.compile(r"\]\s+(\.\S+)\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)")
    rows = pattern.findall(run("readelf", "--section-headers", "--wide", LIBRARY))
    return {name: Section(name, int(address, 16), int(size, 16)) for name, address, size in rows}


def symbols():
    """Address and demangled name of each symbol that has an address."""
    for line in run("nm", "--demangle", LIBRARY).splitlines():
        match = re.match(r"([0-9a-f]{8,}) \w (.*)", line)
        if match:
            yield int(match[1], 16), match[2]


def needs_avx(instruction):
    """VEX and EVEX mnemonics begin with v; masks and wide registers are named."""
    mnemonic, _, operands = instruction.partition(" ")
    if re.search(r"%[yz]mm|%k[0-7]", operands):
        return True
    return mnemonic.startswith("v") and not re.match(r"ver[rw]$|vm", mnemonic)


@functools.lru_cache(maxsize=None)
def instructions():
    """The machine code as pairs: name of the function, instruction."""
    found, function = [], ""
    listing = run("objdump", "--disassemble", "--demangle", "--no-show-raw-insn", LIBRARY)
    for line in listing.splitlines():
        if line.endswith(">:"):
            function = line.partition("<")[2][:-2]
        elif "\t" in line:
            found.append((function, line.split("\t", 1)[1].strip()))
    return found


class Contents(unittest.TestCase):
    def test_calls(self):
        listing = run("nm", "--dynamic", "--undefined-only", LIBRARY)
        symbols_by_kind = [line.split() for line in listing.splitlines()]
        calls = [name for kind, name in symbols_by_kind if kind == "U"]
        self.assertIn("memcpy", {name.partition("@")[0] for name in calls})
        self.assertEqual([name for name in calls if not CALLS.match(name)], [])
        weak = {name.partition("@")[0] for kind, name in symbols_by_kind if kind != "U"}
        self.assertLessEqual(weak, WEAK_CALLS)

    def test_runs_nothing_when_loaded(self):
        arrays = [s for name, s in sections().items() if name in (".init_array", ".fini_array")]
        self.assertTrue(arrays)
        names = {name for address, name in symbols() if any(s.holds(address) for s in arrays)}
        self.assertLessEqual(names, START_FILES)
        self.assertEqual(sum(s.size for s in arrays), 8 * len(names))

    def test_writable_data(self):
        writable = [s for name, s in sections().items() if name in (".data", ".bss")]
        self.assertTrue(writable)
        names = {name for address, name in symbols() if any(s.holds(address) for s in writable)}
        self.assertEqual(names - START_DATA, CPU_DATA)
        self.assertLessEqual(sum(s.size for s in writable), 8 * len(names) + 16)  # none is large

    def test_writable_sections(self):
        listing = run("readelf", "--section-headers", "--wide", LIBRARY)
        flags = re.findall(r"\]\s+(\.\S+)\s+\S+(?:\s+[0-9a-f]+){4}\s+([A-Z]+)\s", listing)
        self.assertIn((".text", "AX"), flags)
        self.assertLessEqual({name for name, flag in flags if "W" in flag}, WRITABLE)
        self.assertEqual([name for name, flag in flags if "T" in flag], [])

    @ON_X86
    def test_common_code_needs_no_avx(self):
        self.assertTrue(needs_avx("vaddps %xmm0,%xmm1,%xmm2"))
        self.assertTrue(needs_avx("kmovb %k1,%eax"))
        self.assertFalse(needs_avx("addps %xmm0,%xmm1"))
        self.assertGreater(len(instructions()), 100000)
        self.assertEqual([(function, instruction) for function, instruction in instructions()
                          if "::N_AVX" not in function and needs_avx(instruction)], [])

    @ON_X86
    def test_no_traps(self):
        # What GCC makes of a path on which something undefined is certain, as a null pointer read.
        self.assertEqual({function for function, instruction in instructions()
                          if re.match(r"ud[0-2]|int3|hlt|syscall|int ", instruction)}, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
