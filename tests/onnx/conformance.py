#!/usr/bin/env python3
"""ONNX conformance of the shared library: AveragePool, MaxPool, GlobalAveragePool, GlobalMaxPool.

Every f32, u8 and s8 node test of the installed onnx package runs as it is, and again in each
spelling of each operator version that can express it; MaxPool in f32 also with its values mapped to
u8 and s8. Every spelling runs in NCHW and in NHWC on every instruction set of this machine.
Attributes and types that a version does not have must be refused. The last line counts:
`N passed, M failed, K skipped`. What is skipped is listed: cases that the library itself answers
with UNSUPPORTED, none of them f32, u8 or s8 without Indices, and models with nodes beside the pool.

Usage: conformance.py [--library liblanepool.so]   (or LANEPOOL_LIBRARY in the environment)
"""

import argparse
import os
import sys

import numpy as np
import onnx

import lanepool_ctypes as lp
from compare import differs
from node_cases import load_cases
from node_front_end import ADDED_ATTRIBUTES, NodeError, attributes_of_version
from node_front_end import has_type, plan_from_node, since_version, versions
from node_spellings import can_express, spellings

PROMISED_TYPES = (np.float32, np.uint8, np.int8)
LAYOUTS = (("NCHW", lp.LAYOUT_NCHW), ("NHWC", lp.LAYOUT_NHWC))


class Report:
    def __init__(self, verbose):
        self.verbose = verbose
        self.passed, self.failed, self.skipped, self.runs = 0, 0, 0, 0

    def result(self, name, problems):
        if problems:
            self.failed += 1
            print(f"FAILED  {name}")
            for problem in problems:
                print(f"        {problem}")
        else:
            self.passed += 1
            if self.verbose:
                print(f"passed  {name}")

    def skip(self, name, reason):
        self.skipped += 1
        print(f"skipped {name}: {reason}")


def is_valid_onnx(case, node, opset):
    """Whether the onnx package accepts the node at this opset."""
    # The outputs' sizes are left open: shape inference before opset 22 has no drop rule.
    arrays = [(case.x, case.x.shape)] + [(y, [None] * y.ndim) for y in case.outputs]
    infos = [
        onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), shape
        )
        for name, (array, shape) in zip([node.input[0], *node.output], arrays)
    ]
    graph = onnx.helper.make_graph([node], "pool", infos[:1], infos[1:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    try:
        onnx.checker.check_model(model, full_check=True)  # with types
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return False
    return True


def to_layout(array, layout):
    return np.ascontiguousarray(np.moveaxis(array, 1, -1) if layout == "NHWC" else array)


def from_layout(array, layout):
    return np.moveaxis(array, -1, 1) if layout == "NHWC" else array


def garbage_like(want, layout):
    """An output buffer in the layout, filled with what no result is: NaN, or -1."""
    y = to_layout(np.empty_like(want), layout)
    y.view(np.uint8)[...] = 0xFF
    return y


def run_once(library, case, params, layout):
    """Runs the params; returns the bytes of the outputs and a description of what is wrong."""
    desc = library.plan(params)
    shape = case.x.shape[:2] + tuple(desc.output[: desc.rank])
    if shape != case.outputs[0].shape:
        return None, f"output shape {shape}, not {case.outputs[0].shape}"
    outputs = [garbage_like(want, layout) for want in case.outputs]
    library.run(desc, to_layout(case.x, layout), *outputs)
    problem = differs(case, params, from_layout(outputs[0], layout))
    if problem is None and len(outputs) > 1:
        if not np.array_equal(from_layout(outputs[1], layout), case.outputs[1]):
            problem = "Indices differ"
    if problem is not None:
        problem += f" [{library.explain(desc)}]"
    return [output.tobytes() for output in outputs], problem


def run_everywhere(library, case, params, report):
    """Both layouts on every target; the bytes must be the same on all targets."""
    problems = []
    for layout, code in LAYOUTS:
        params.layout = code
        first = None
        for target in library.supported_targets():
            params.target_mask = target
            report.runs += 1
            try:
                result, problem = run_once(library, case, params, layout)
            except lp.StatusError as error:
                result, problem = None, str(error)
            if problem is None and first not in (None, result):
                problem = "other bits than the first target"
            first = first or result
            if problem is not None:
                problems.append(f"{layout} {library.target_name(target)}: {problem}")
    return problems


def check_spelling(library, case, node, opset, report):
    if not is_valid_onnx(case, node, opset):
        return ["the onnx package does not accept this spelling: the test is wrong"]
    element_type = onnx.helper.np_dtype_to_tensor_dtype(case.x.dtype)
    try:
        params = plan_from_node(library, node, opset, case.x.shape, element_type)
    except NodeError as error:
        return [f"refused: {error}"]
    return run_everywhere(library, case, params, report)


def check_refused(library, case, opset):
    """The node has something that this opset lacks: both the package and we must say so."""
    problems = []
    element_type = onnx.helper.np_dtype_to_tensor_dtype(case.x.dtype)
    if is_valid_onnx(case, case.node, opset):
        problems.append("the onnx package accepts the node")
    try:
        plan_from_node(library, case.node, opset, case.x.shape, element_type)
        problems.append("the front end accepts the node")
    except NodeError:
        pass
    return problems


def respelled(library, case, report):
    """The case at every version of its operator."""
    for opset in versions(case.node.op_type):
        name = f"{case.name} as {case.node.op_type}-{opset}"
        element_type = onnx.helper.np_dtype_to_tensor_dtype(case.x.dtype)
        if can_express(case.node, opset, case.rank, element_type):
            for label, node in spellings(case.node, opset, case.input_sizes):
                problems = check_spelling(library, case, node, opset, report)
                report.result(f"{name}, {label}", problems)
        else:
            report.result(f"{name}: refused", check_refused(library, case, opset))


def unsupported(library, case):
    """Why this version of the library has no kernel for the case, or None."""
    element_type = onnx.helper.np_dtype_to_tensor_dtype(case.x.dtype)
    params = plan_from_node(library, case.node, case.opset, case.x.shape, element_type)
    try:
        library.plan(params)
    except lp.StatusError as error:
        return str(error) if error.status == lp.STATUS_UNSUPPORTED else None
    return None


def check_case(library, case, report):
    # Values in these types are this version's promise. Others, and Indices, run as soon as it has
    # them.
    promised = case.x.dtype in PROMISED_TYPES
    if not promised or len(case.outputs) > 1:
        reason = unsupported(library, case)
        if reason is not None:
            report.skip(case.name, f"not in this version ({reason})")
            return
    report.result(case.name, check_spelling(library, case, case.node, case.opset, report))
    if promised:
        respelled(library, case, report)


def check_versions(report):
    """The front end's tables against the package's own schemas, at every opset."""
    for op_type in ADDED_ATTRIBUTES:
        problems = []
        for opset in range(1, onnx.defs.onnx_opset_version() + 1):
            schema = onnx.defs.get_schema(op_type, opset)
            ours = since_version(op_type, opset), attributes_of_version(op_type, opset)
            if ours != (schema.since_version, set(schema.attributes)):
                problems.append(f"opset {opset}: the schema is version {schema.since_version}")
            allowed = schema.type_constraints[0].allowed_type_strs
            for name, code in (("uint8", lp.TYPE_UINT8), ("int8", lp.TYPE_INT8)):
                if has_type(op_type, opset, code) != (f"tensor({name})" in allowed):
                    problems.append(f"opset {opset}: {name}")
        report.result(f"{op_type}: versions, attributes and types of all opsets", problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", default=os.environ.get("LANEPOOL_LIBRARY"))
    parser.add_argument("--verbose", action="store_true", help="print what passes as well")
    options = parser.parse_args()
    if not options.library:
        parser.error("which library? Give --library or set LANEPOOL_LIBRARY")
    library = lp.Library(options.library)
    if not library.supported_targets():
        sys.exit("the library supports no target on this machine")
    cases, mixed = load_cases()
    report = Report(options.verbose)

    check_versions(report)
    for case in cases:
        check_case(library, case, report)
        values = case
        if len(case.outputs) > 1:
            values = case.values_only()
            check_case(library, values, report)
        if case.node.op_type == "MaxPool" and case.x.dtype == np.float32:
            for dtype in (np.uint8, np.int8):
                check_case(library, values.as_bytes(dtype), report)
    for name in mixed:
        report.skip(name, "the model has other nodes beside the pool")
    for op_type in ADDED_ATTRIBUTES:
        if not any(c.node.op_type == op_type and c.x.dtype == np.float32 for c in cases):
            report.result(f"{op_type}: f32 cases", ["none found in the onnx package"])

    names = ", ".join(library.target_name(t) for t in library.supported_targets())
    print(f"lanepool {library.version}: {len(cases)} cases of onnx {onnx.__version__},")
    print(f"{report.runs} runs in NCHW and NHWC on {names}")
    print(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped")
    return 1 if report.failed > 0 or report.runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
