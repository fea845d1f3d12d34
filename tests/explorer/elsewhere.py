"""The rows of other libraries, compared with ONNX shape inference, ONNX Runtime and, where it is
installed, PyTorch: the same sizes and values for the same attributes, or a refusal by both."""

import importlib.util
import re
import unittest

import jobs
import numpy as np
import onnx
import onnxruntime
import visits

OPERATORS = {"average": "AveragePool", "max": "MaxPool", "lp": "LpPool"}
ELEMENTS = {"f32": onnx.TensorProto.FLOAT, "u8": onnx.TensorProto.UINT8}


def attributes(job):
    """Of the ONNX node, as a user would write them."""
    written = {
        "kernel_shape": job["kernel"],
        "strides": job["strides"],
        "dilations": job["dilations"],
    }
    if job["autoPad"] == "notset":
        written["pads"] = job["begin"] + job["end"]
    else:
        written["auto_pad"] = job["autoPad"].upper()
    written["ceil_mode"] = int(job["ceilMode"] != "0")
    if job["op"] == "average":
        written["count_include_pad"] = int(job["divisor"] == "include")
    return written


def model(job, opset):
    node = onnx.helper.make_node(OPERATORS[job["op"]], ["x"], ["y"], **attributes(job))
    element = ELEMENTS[job["type"]]
    x = onnx.helper.make_tensor_value_info("x", element, [1, 1, *job["input"]])
    y = onnx.helper.make_tensor_value_info("y", element, None)
    graph = onnx.helper.make_graph([node], "pool", [x], [y])
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    made.ir_version = 10
    return made


def inferred(job, opset):
    """The spatial sizes by shape inference."""
    graph = onnx.shape_inference.infer_shapes(model(job, opset)).graph
    return [dim.dim_value for dim in graph.output[0].type.tensor_type.shape.dim[2:]]


def run_ort(job, x):
    """y, or None if ONNX Runtime refuses."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        made = model(job, 22).SerializeToString()
        session = onnxruntime.InferenceSession(made, options, providers=["CPUExecutionProvider"])
        return session.run(None, {"x": x})[0]
    except Exception:  # pylint: disable=broad-exception-caught  # it has classes for each status
        return None


def run_torch(job, x):
    """y, or None if PyTorch refuses."""
    import torch  # pylint: disable=import-outside-toplevel

    functional, rank = torch.nn.functional, job["rank"]
    kernel, strides = tuple(job["kernel"]), tuple(job["strides"])
    if rank == 1 and job["op"] == "lp":  # lp_pool1d multiplies by kernel_size
        kernel, strides = kernel[0], strides[0]
    padding = tuple(job["begin"]) if job["autoPad"] == "notset" else (0,) * rank
    ceil = job["ceilMode"] != "0"
    x = torch.from_numpy(x)
    try:
        if job["op"] == "max":
            pool = getattr(functional, f"max_pool{rank}d")
            return pool(x, kernel, strides, padding, tuple(job["dilations"]), ceil).numpy()
        if job["op"] == "lp":
            return getattr(functional, f"lp_pool{rank}d")(x, 2.0, kernel, strides, ceil).numpy()
        words = {"count_include_pad": job["divisor"] != "exclude"}
        override = {"full": int(np.prod(kernel)), "constant": job["divisorValue"]}.get(
            job["divisor"]
        )
        if job["op"] == "sum" or override:
            words["divisor_override"] = 1 if job["op"] == "sum" else override
        return getattr(functional, f"avg_pool{rank}d")(
            x, kernel, strides, padding, ceil, **words
        ).numpy()
    except RuntimeError:
        return None


class Elsewhere(unittest.TestCase):
    """Rows of the table, by their ids."""

    def each(self, row_id, check):
        """check(job, row, view) for every random job that has windows of its own."""
        random_jobs, seen, *_ = visits.first()
        for job, view in zip(random_jobs, seen["jobs"]):
            rows = [row for row in view["rows"] if row["id"] == row_id]
            self.assertEqual(len(rows), 1)
            if job["window"] == "kernel":
                with self.subTest(row=row_id, job=jobs.address_of(jobs.options_of(job))):
                    check(job, rows[0], view)

    def compare_inferred(self, row_id, opset):
        compared = []

        def check(job, row, _):
            if row["output"] is not None:
                self.assertEqual(row["output"], ",".join(map(str, inferred(job, opset))))
                compared.append(job)

        self.each(row_id, check)
        self.assertGreater(len(compared), 50)

    def test_onnx_22(self):
        self.compare_inferred("onnx", 22)

    def test_onnx_before_22(self):
        self.compare_inferred("onnx10", 21)

    def compare_run(self, row_id, run, unlike):
        """Where the row has a shape, so has the other's result; where it refuses, the other does,
        but for reasons that are not in its attributes, which `unlike` knows."""
        compared, refused, counted = [], [], []

        def check(job, row, view):
            if unlike(job, row):
                return
            y = run(job, jobs.example(job["type"], job["input"]))
            if y is not None and y.size == 0:
                self.assertIn("an empty tensor", row["cells"][1])
            elif row["output"] is None:
                self.assertIsNone(y, row["cells"])
                refused.append(job)
            else:
                self.assertIsNotNone(y, row["cells"])
                self.assertEqual(row["output"], ",".join(map(str, y.shape[2:])))
                compared.append(job)
                if job["op"] != "lp":  # which others round in steps
                    counted.append(self.compare_values(view, row, y))

        self.each(row_id, check)
        self.assertGreater(len(compared), 20)
        self.assertGreater(len(set(counted)), 2)
        return refused

    def compare_values(self, view, row, y):
        """How many results differ from the job's, which the row says. None: it cannot."""
        here = view["rows"][0]["output"]
        if here != row["output"] or view["outputs"] is None:
            return None
        ours = np.array([float(cell["value"]) for cell in view["outputs"]])
        theirs = y.astype(np.float64).ravel()
        theirs[theirs == np.finfo(np.float32).min] = -np.inf  # D11: a maximum of nothing
        different = int(np.sum(ours != theirs))
        said = re.search(r"(\d+) other result", row["cells"][4])
        self.assertEqual(int(said[1]) if said else 0, different, row["cells"])
        return different

    def test_onnxruntime(self):
        def unlike(job, row):
            no_node = job["op"] not in OPERATORS or job["divisor"] in ("full", "constant")
            return (
                no_node
                or (job["op"], job["type"]) == ("average", "u8")
                or "negative" in row["cells"][1]
            )

        refused = self.compare_run("ort", run_ort, unlike)
        self.assertGreater(len(refused), 5)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed")
    def test_pytorch(self):
        def unlike(job, row):
            pads = job["autoPad"] == "notset" and (
                job["begin"] != job["end"] or (job["op"] == "lp" and any(job["begin"]))
            )
            dilated = job["op"] != "max" and set(job["dilations"]) != {1}
            said = job["autoPad"].startswith("same") or pads or dilated or job["op"] == "min"
            if said:  # no argument of PyTorch says it
                self.assertIsNone(row["output"])
            return said or (
                job["rank"] == 1 and job["op"] in ("average", "sum") and row["output"] is None
            )

        refused = self.compare_run("torch", run_torch, unlike)
        self.assertGreater(len(refused), 5)
