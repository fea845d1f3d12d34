"""The snippets of all random jobs, compiled and run with the native library on 0, 1, 2, ...: each
gives the bytes that the library gives for the job, or its refusal. A language whose tools are
missing is skipped."""

import contextlib
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs
import numpy as np
import onnx
import visits
from jobs import lp

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = LIBRARY = None

# Programs print a line for each snippet: the digest of y, as digest() has it, or the refusal.
C_PROGRAM = """#include <lanepool/lanepool.h>
#include <stdio.h>
#include <stdlib.h>
static union { float f32[1 << 18]; unsigned char u8[1 << 20]; } in, out;
static const void* const x = &in;
static void* const y = &out;
static const size_t x_bytes = sizeof in, y_bytes = sizeof out;
%s
static int (*const snippets[])(void) = {%s};
int main(void) {
  setvbuf(stderr, NULL, _IONBF, 0);
  setvbuf(stdout, NULL, _IONBF, 0);
  for (size_t i = 0; i < sizeof snippets / sizeof snippets[0]; ++i) snippets[i]();
  return 0;
}
"""
C_FUNCTION = """static int snippet_%d(void) {
for (int i = 0; i < 1 << 18; ++i) in.%s[i] = (unsigned char)(i %% 251);
%s
unsigned digest = 0;
for (int i = 0; i < plan.y_bytes; ++i) digest = digest * 31 + out.u8[i];
printf("%%u\\n", digest & 0xffffffffu);
return 0;
}
"""
RUST_PROGRAM = """%s
fn main() {
%s}
"""
RUST_FUNCTION = """fn snippet_%d() -> Result<u32, lanepool::Error> {
let x: Vec<%s> = (0..%d).map(|i| (i %% 251) as %s).collect();
%s
let bytes = y.iter().flat_map(|v| v.to_ne_bytes());
Ok(bytes.fold(0u32, |digest, byte| digest.wrapping_mul(31).wrapping_add(u32::from(byte))))
}
"""
GO_PROGRAM = """package main

import (
\t"fmt"
\t"unsafe"

\t"lanepool"
)

func show[T any](y []T, err error) {
\tif err != nil {
\t\tfmt.Println(err)
\t\treturn
\t}
\tdigest := uint32(0)
\tfor _, b := range unsafe.Slice((*byte)(unsafe.Pointer(&y[0])), len(y)*int(unsafe.Sizeof(y[0]))) {
\t\tdigest = digest*31 + uint32(b)
\t}
\tfmt.Println(digest)
}

%s
func main() {
%s}
"""
GO_FUNCTION = """func snippet%d() {
\tx, y := make([]%s, %d), make([]%s, %d)
\tfor i := range x {
\t\tx[i] = %s(i %% 251)
\t}
%s
\tshow(y, err)
}
"""
PYTHON_PROGRAM = """import json, sys
import numpy

def example(shape, dtype):
    return (numpy.arange(numpy.prod(shape)) % 251).astype(dtype).reshape(shape)

numpy.zeros = example  # the x of the snippets
for code in json.load(sys.stdin):
    names = {}
    try:
        exec(code, names)
        digest = 0
        for byte in names["y"].tobytes():
            digest = (digest * 31 + byte) & 0xFFFFFFFF
        print(digest)
    except ValueError as refusal:
        print(refusal)
"""


def use(options, library):
    global OPTIONS, LIBRARY  # pylint: disable=global-statement
    OPTIONS, LIBRARY = options, library


def run(command, **options):
    """What a program prints that finds the library, and no run-time of a sanitizer."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    environment["LD_LIBRARY_PATH"] = str(pathlib.Path(OPTIONS.library).resolve().parent)
    environment |= options.pop("env", {})
    done = subprocess.run(command, capture_output=True, text=True, env=environment, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


@contextlib.contextmanager
def library_folder():
    """A folder with the library under the name that linkers look for."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(OPTIONS.library).resolve()
        (pathlib.Path(folder) / "liblanepool.so").symlink_to(library)
        yield folder


class Snippets(unittest.TestCase):
    """One method for each language."""

    @classmethod
    def setUpClass(cls):
        random_jobs, seen, *_ = visits.first()
        cls.pairs = list(zip(random_jobs, seen["jobs"]))

    def codes(self, language):
        return [(job, view, view["code"][language]) for job, view in self.pairs]

    @staticmethod
    def expected(job):
        """(elements of x, elements of y, what a program prints)."""
        params = jobs.params_of(LIBRARY, job)
        x = (np.arange(math.prod(jobs.shape(job))) % 251).astype(jobs.TYPES[job["type"]][1])
        try:
            desc = LIBRARY.plan(params)
        except lp.StatusError as refusal:
            return x.size, 0, str(refusal).split(": ", 1)[1]
        y = np.empty(desc.element_count, x.dtype)
        LIBRARY.run(desc, x, y)
        digest = 0
        for byte in y.tobytes():
            digest = (digest * 31 + byte) & 0xFFFFFFFF
        return x.size, y.size, str(digest)

    def check_lines(self, codes, printed):
        lines = printed.splitlines()
        for (job, _, _), line in zip(codes, lines, strict=True):
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                line = line.removeprefix("lanepool: ")  # which Go puts before an error
                self.assertEqual(line, self.expected(job)[2])
        self.assertGreater(len(set(lines)), len(lines) // 2)

    def test_c(self):
        codes = self.codes("C")
        functions = "".join(
            C_FUNCTION % (i, job["type"], code) for i, (job, _, code) in enumerate(codes)
        )
        names = ", ".join(f"snippet_{i}" for i in range(len(codes)))
        with tempfile.TemporaryDirectory() as folder:
            flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT}/include"]
            link = ["-xnone", OPTIONS.library, "-o", f"{folder}/program"]
            run([OPTIONS.cc, *flags, "-xc", "-", *link], input=C_PROGRAM % (functions, names))
            self.check_lines(codes, run(["sh", "-c", f"{folder}/program 2>&1"]))

    @unittest.skipUnless(shutil.which("rustc"), "there is no rustc")
    def test_rust(self):
        codes = self.codes("Rust")
        functions = "".join(
            RUST_FUNCTION % (i, job["type"], self.expected(job)[0], job["type"], code)
            for i, (job, _, code) in enumerate(codes)
        )
        calls = "".join(
            f'match snippet_{i}() {{ Ok(n) => println!("{{n}}"), Err(e) => println!("{{e}}") }}\n'
            for i in range(len(codes))
        )
        with library_folder() as folder:
            source = pathlib.Path(folder) / "main.rs"
            source.write_text(RUST_PROGRAM % (functions, calls), encoding="utf-8")
            rustc = ["rustc", "--edition=2021", f"-L{folder}", f"--out-dir={folder}"]
            features = ['--cfg=feature="std"', '--cfg=feature="alloc"']
            library = [*rustc, "--crate-type=rlib", *features, "-Awarnings"]
            crates, extern = ROOT / "bindings/rust", ""
            for name in ("lanepool-sys", "lanepool"):
                crate = name.replace("-", "_")
                found = [f"--extern={extern}={folder}/lib{extern}.rlib"] if extern else []
                run([*library, f"--crate-name={crate}", *found, str(crates / name / "src/lib.rs")])
                extern = crate
            found = [f"--extern=lanepool={folder}/liblanepool.rlib", "-ldylib=lanepool"]
            run([*rustc, "-Dwarnings", str(source), *found])
            self.check_lines(codes, run([f"{folder}/main"]))

    @unittest.skipUnless(shutil.which("go"), "there is no go")
    def test_go(self):
        codes = self.codes("Go")
        types = {"u8": "uint8", "f32": "float32"}
        functions = ""
        for i, (job, _, code) in enumerate(codes):
            x, y, _ = self.expected(job)
            name = types[job["type"]]
            functions += GO_FUNCTION % (i, name, x, name, y, name, code)
        calls = "".join(f"\tsnippet{i}()\n" for i in range(len(codes)))
        with library_folder() as folder:
            module = "module snippets\n\ngo 1.21\n\nrequire lanepool v0.0.0\n\n"
            module += f"replace lanepool => {ROOT}/bindings/go\n"
            files = {"main.go": GO_PROGRAM % (functions, calls), "go.mod": module}
            for name, text in files.items():
                (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
            environment = {
                "CGO_ENABLED": "1",
                "GOTOOLCHAIN": "local",
                "GOFLAGS": "-mod=mod",
                "CGO_CFLAGS": f"-I{ROOT}/include",
                "CGO_LDFLAGS": f"-L{folder} -llanepool",
            }
            build = ["go", "build", "-tags", "lanepool_flags", "-o", "program", "."]
            run(build, cwd=folder, env=environment)
            self.check_lines(codes, run([f"{folder}/program"]))

    def test_python(self):
        site = OPTIONS.python_site
        if not site or not (pathlib.Path(site) / "lanepool").exists():
            self.skipTest("the Python package is not installed")
        codes = self.codes("Python")
        todo = json.dumps([code for _, _, code in codes])
        printed = run([sys.executable, "-c", PYTHON_PROGRAM], input=todo, env={"PYTHONPATH": site})
        self.check_lines(codes, printed)

    def test_onnx(self):
        """Nodes are valid, and shape inference gives the row of ONNX."""
        made = 0
        for job, view, code in self.codes("ONNX"):
            if code.startswith("# ONNX has no") and "import" not in code:
                continue
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                names = {}
                exec(code, names)  # pylint: disable=exec-used
                element = {"f32": onnx.TensorProto.FLOAT, "u8": onnx.TensorProto.UINT8}[job["type"]]
                x = onnx.helper.make_tensor_value_info("x", element, [1, 1, *job["input"]])
                y = onnx.helper.make_tensor_value_info("y", element, None)
                graph = onnx.helper.make_graph([names["node"]], "pool", [x], [y])
                model = onnx.helper.make_model(
                    graph, opset_imports=[onnx.helper.make_opsetid("", 22)]
                )
                model = onnx.shape_inference.infer_shapes(model)
                onnx.checker.check_model(model)
                row = next(row for row in view["rows"] if row["id"] == "onnx")
                if row["output"] is not None and job["window"] == "kernel":
                    y = model.graph.output[0].type.tensor_type
                    sizes = [dim.dim_value for dim in y.shape.dim[2:]]
                    self.assertEqual(row["output"], ",".join(map(str, sizes)))
                made += 1
        self.assertGreater(made, 60)

    def test_shell(self):
        if not OPTIONS.tool:
            self.skipTest("no --tool")
        for job, view, code in self.codes("Shell"):
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                words = shlex.split(code)
                self.assertEqual(words[:2], ["lanepool", "plan"])
                done = subprocess.run([OPTIONS.tool, *words[1:]], capture_output=True, text=True)
                if view["refused"]:
                    refusal = view["refusal"].split(" ", 1)[1]
                    self.assertIn(refusal, done.stderr + done.stdout)
                else:
                    output = view["rows"][0]["output"].split(",")
                    y = re.search(r"^y +([\d,]+), ", done.stdout, re.MULTILINE)
                    self.assertEqual(y[1], ",".join(map(str, jobs.shape(job, output))), done.stderr)
