"""The snippets of all random jobs, compiled and run with the native library: each gives the job's
shape, or its refusal. A language whose tools are missing is skipped."""

import contextlib
import json
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
import onnx
import visits

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = None

C_PROGRAM = """#include <lanepool/lanepool.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned char x[1 << 20], y[1 << 20];
static const size_t x_bytes = sizeof x, y_bytes = sizeof y;
%s
static int (*const snippets[])(void) = {%s};
int main(void) {
  setvbuf(stderr, NULL, _IONBF, 0);
  for (size_t i = 0; i < sizeof snippets / sizeof snippets[0]; ++i) snippets[i]();
  return 0;
}
"""
C_FUNCTION = """static int snippet_%d(void) {
%s
printf("%%d", (int)plan.rank);
for (int i = 0; i < plan.rank; ++i) printf(" %%d", (int)plan.output[i]);
printf("\\n");
fflush(stdout);
return 0;
}
"""
RUST_PROGRAM = """%s
fn main() {
%s}
"""
RUST_FUNCTION = """fn snippet_%d() -> Result<usize, lanepool::Error> {
let x = vec![%s; %d];
%s
Ok(y.len())
}
"""
GO_PROGRAM = """package main

import (
\t"fmt"
\t"lanepool"
)

%s
func show(count int, err error) {
\tif err != nil {
\t\tfmt.Println(err)
\t} else {
\t\tfmt.Println(count)
\t}
}

func main() {
%s}
"""
GO_FUNCTION = """func snippet%d() (int, error) {
\tx, y := make([]%s, %d), make([]%s, %d)
%s
\treturn len(y), err
}
"""


def use(options):
    global OPTIONS  # pylint: disable=global-statement
    OPTIONS = options


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
    def output(view):
        """The spatial sizes of y by the page; None if it refuses."""
        sizes = view["rows"][0]["output"]
        return None if view["refused"] else [int(size) for size in sizes.split(",")]

    @staticmethod
    def sentence(view):
        return view["refusal"].split(" ", 1)[1]

    def elements(self, job, view):
        """(of x, of y); of y 0 for a job that is refused."""
        channels = job["batch"] * job["channels"]
        x, y = channels, channels
        for size in job["input"]:
            x *= size
        for size in self.output(view) or [0]:
            y *= size
        return x, y

    def test_c(self):
        codes = self.codes("C")
        functions = "".join(C_FUNCTION % (i, code) for i, (_, _, code) in enumerate(codes))
        names = ", ".join(f"snippet_{i}" for i in range(len(codes)))
        with tempfile.TemporaryDirectory() as folder:
            flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT}/include"]
            link = ["-xnone", OPTIONS.library, "-o", f"{folder}/program"]
            run([OPTIONS.cc, *flags, "-xc", "-", *link], input=C_PROGRAM % (functions, names))
            lines = self.lines([f"{folder}/program"], len(codes))
        for (job, view, _), line in zip(codes, lines):
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                output = self.output(view)
                expected = (
                    self.sentence(view)
                    if output is None
                    else " ".join(map(str, [job["rank"], *output]))
                )
                self.assertEqual(line, expected)

    def lines(self, command, count):
        """What a program prints, one line for each snippet, whether it went there or to stderr."""
        printed = run(["sh", "-c", f"{shlex.join(command)} 2>&1"])
        lines = printed.splitlines()
        self.assertEqual(len(lines), count)
        return lines

    def check_counts(self, codes, lines):
        for (job, view, _), line in zip(codes, lines, strict=True):
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                refused = self.output(view) is None
                line = line.removeprefix("lanepool: ")  # which Go puts before an error
                self.assertEqual(
                    line, self.sentence(view) if refused else str(self.elements(job, view)[1])
                )

    @unittest.skipUnless(shutil.which("rustc"), "there is no rustc")
    def test_rust(self):
        codes = self.codes("Rust")
        functions = "".join(
            RUST_FUNCTION
            % (i, "0u8" if job["type"] == "u8" else "0f32", self.elements(job, view)[0], code)
            for i, (job, view, code) in enumerate(codes)
        )
        calls = "".join(
            f'match snippet_{i}() {{ Ok(n) => println!("{{n}}"), Err(e) => println!("{{e}}") }}\n'
            for i in range(len(codes))
        )
        with library_folder() as folder:
            source = pathlib.Path(folder) / "main.rs"
            source.write_text(RUST_PROGRAM % (functions, calls), encoding="utf-8")
            rustc = [
                "rustc",
                "--edition=2021",
                "-Copt-level=0",
                f"-L{folder}",
                f"--out-dir={folder}",
            ]
            crates = ROOT / "bindings/rust"
            library = [
                "--crate-type=rlib",
                '--cfg=feature="std"',
                '--cfg=feature="alloc"',
                "-Awarnings",
            ]
            run(
                [
                    *rustc,
                    *library,
                    "--crate-name=lanepool_sys",
                    str(crates / "lanepool-sys/src/lib.rs"),
                ]
            )
            run(
                [
                    *rustc,
                    *library,
                    "--crate-name=lanepool",
                    str(crates / "lanepool/src/lib.rs"),
                    f"--extern=lanepool_sys={folder}/liblanepool_sys.rlib",
                ]
            )
            run(
                [
                    *rustc,
                    "-Dwarnings",
                    str(source),
                    f"--extern=lanepool={folder}/liblanepool.rlib",
                    "-ldylib=lanepool",
                ]
            )
            self.check_counts(codes, self.lines([f"{folder}/main"], len(codes)))

    @unittest.skipUnless(shutil.which("go"), "there is no go")
    def test_go(self):
        codes = self.codes("Go")
        types = {"u8": "uint8", "f32": "float32"}
        functions = ""
        for i, (job, view, code) in enumerate(codes):
            x, y = self.elements(job, view)
            functions += GO_FUNCTION % (i, types[job["type"]], x, types[job["type"]], y, code)
        calls = "".join(f"\tshow(snippet{i}())\n" for i in range(len(codes)))
        with library_folder() as folder:
            files = {
                "main.go": GO_PROGRAM % (functions, calls),
                "go.mod": "module snippets\n\ngo 1.21\n\nrequire lanepool v0.0.0\n\n"
                f"replace lanepool => {ROOT}/bindings/go\n",
            }
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
            self.check_counts(codes, self.lines([f"{folder}/program"], len(codes)))

    def test_python(self):
        if not OPTIONS.python_site or not (pathlib.Path(OPTIONS.python_site) / "lanepool").exists():
            self.skipTest("the Python package is not installed")
        codes = self.codes("Python")
        program = (
            "import json, sys\nfor code in json.load(sys.stdin):\n    names = {}\n    try:\n"
            "        exec(code, names)\n        print(json.dumps(names['y'].shape))\n"
            "    except ValueError as refusal:\n        print(json.dumps(str(refusal)))\n"
        )
        printed = run(
            [sys.executable, "-c", program],
            input=json.dumps([code for _, _, code in codes]),
            env={"PYTHONPATH": OPTIONS.python_site},
        )
        for (job, view, _), line in zip(codes, printed.splitlines(), strict=True):
            with self.subTest(job=jobs.address_of(jobs.options_of(job))):
                output = self.output(view)
                expected = self.sentence(view) if output is None else jobs.shape(job, output)
                self.assertEqual(json.loads(line), expected)

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
                output = self.output(view)
                if output is None:
                    self.assertIn(self.sentence(view), done.stderr + done.stdout)
                else:
                    y = re.search(r"^y +([\d,]+), ", done.stdout, re.MULTILINE)
                    self.assertEqual(y[1], ",".join(map(str, jobs.shape(job, output))), done.stderr)
