#!/usr/bin/env python3
"""ONNX conformance of the shared library: AveragePool, MaxPool with Indices, LpPool, MaxUnpool, and
the global operators.

Every pooling node test of the installed onnx package runs as it is, in each spelling of each
operator version that can express it, and so in every element type that the library has for the op:
values are mapped to the type, maxima and unpooling are exact, and averages and Lp lie within the
error bound of the type around a result that is computed in wide arithmetic. What ONNX lacks of
these types (averages of integers, maxima of 16 and 32 bits) runs by the same rules. Everything runs
in NCHW and in NHWC on every instruction set of this machine, with the same bytes on all of them.
Attributes and types that a version does not have must be refused. GlobalLpPool, for which the
package has no cases, runs on the inputs of the LpPool cases. The last line counts:
`N passed, M failed`.

Usage: conformance.py [--library liblanepool.so]   (or LANEPOOL_LIBRARY in the environment)
"""

import argparse
import collections
import os
import sys

import numpy as np
import onnx

import lanepool_ctypes as lp
from compare import differs
from node_cases import load_cases
from node_front_end import ADDED_ATTRIBUTES, NodeError, attributes_of_version, first_version_with
from node_front_end import has_type, params_from_node, plan_from_node, since_version, versions
from node_spellings import can_express, spellings
from node_types import global_lp_cases, in_type, types_of

TYPE_NAMES = {
    "float": lp.TYPE_FLOAT,
    "double": lp.TYPE_DOUBLE,
    "float16": lp.TYPE_FLOAT16,
    "bfloat16": lp.TYPE_BFLOAT16,
    "uint8": lp.TYPE_UINT8,
    "int8": lp.TYPE_INT8,
    "uint16": lp.TYPE_UINT16,
    "int16": lp.TYPE_INT16,
    "int32": lp.TYPE_INT32,
}
LAYOUTS = (("NCHW", lp.LAYOUT_NCHW), ("NHWC", lp.LAYOUT_NHWC))


class Report:
    def __init__(self, verbose):
        self.verbose = verbose
        self.passed, self.failed, self.runs = 0, 0, 0
        self.results = collections.Counter()  # by operator and type

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

    def case_result(self, case, name, problems):
        self.results[case.node.op_type, str(case.x.dtype)] += 1
        self.result(name, problems)

    def print_table(self):
        """Cases and spellings of each operator in each type."""
        types = sorted({t for _, t in self.results}, key=str)
        print(f"{'':18}{''.join(f'{t:>9}' for t in types)}")
        for op_type in ADDED_ATTRIBUTES:
            counts = [self.results[op_type, t] or "-" for t in types]
            print(f"{op_type:18}{''.join(f'{count:>9}' for count in counts)}")


def is_valid_onnx(case, node, opset):
    """Whether the onnx package accepts the node at this opset."""
    # The outputs' sizes are left open: shape inference before opset 22 has no drop rule.
    outputs = [
        onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), [None] * array.ndim
        )
        for name, array in zip(node.output, case.outputs)
    ]
    graph = onnx.helper.make_graph([node], "pool", case.input_infos(), outputs)
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
    buffers = list(outputs)
    if case.indices is not None:
        buffers.append(to_layout(case.indices, layout))
    library.run(desc, to_layout(case.x, layout), *buffers)
    problem = differs(case, from_layout(outputs[0], layout))
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
    try:
        params = plan_from_node(
            library, node, opset, case.x.shape, case.element_type, case.output_shape
        )
    except NodeError as error:
        return [f"refused: {error}"]
    return run_everywhere(library, case, params, report)


def check_refused(library, case, opset):
    """The node has something that this opset lacks: both the package and we must say so."""
    problems = []
    if is_valid_onnx(case, case.node, opset):
        problems.append("the onnx package accepts the node")
    try:
        plan_from_node(
            library, case.node, opset, case.x.shape, case.element_type, case.output_shape
        )
        problems.append("the front end accepts the node")
    except NodeError:
        pass
    return problems


def check_versions_of(library, case, report):
    """The case at every version of its operator."""
    for opset in versions(case.node.op_type):
        name = f"{case.name} as {case.node.op_type}-{opset}"
        if can_express(case.node, opset, case.rank, case.element_type):
            for label, node in spellings(case.node, opset, case.input_sizes):
                problems = check_spelling(library, case, node, opset, report)
                report.case_result(case, f"{name}, {label}", problems)
        else:
            report.result(f"{name}: refused", check_refused(library, case, opset))


def check_case(library, case, report):
    if first_version_with(case.node.op_type, case.element_type):
        problems = check_spelling(library, case, case.node, case.opset, report)
        report.case_result(case, case.name, problems)
        check_versions_of(library, case, report)
        return
    params = params_from_node(
        library, case.node, case.opset, case.x.shape, case.element_type, case.output_shape
    )
    report.case_result(case, case.name, run_everywhere(library, case, params, report))


def check_versions(report):
    """The front end's tables against the package's own schemas, at every opset."""
    for op_type in ADDED_ATTRIBUTES:
        problems = []
        for opset in range(versions(op_type)[0], onnx.defs.onnx_opset_version() + 1):
            schema = onnx.defs.get_schema(op_type, opset)
            ours = since_version(op_type, opset), attributes_of_version(op_type, opset)
            if ours != (schema.since_version, set(schema.attributes)):
                problems.append(f"opset {opset}: the schema is version {schema.since_version}")
            allowed = schema.type_constraints[0].allowed_type_strs
            for name, code in TYPE_NAMES.items():
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
    for name in mixed:
        report.result(name, ["the model has other nodes beside the pool"])
    made = list(global_lp_cases(cases))
    for case in cases + made:
        for dtype in types_of(case):
            typed = in_type(case, dtype)
            check_case(library, typed, report)
            if len(case.outputs) > 1:
                check_case(library, typed.values_only(), report)
    for op_type in ADDED_ATTRIBUTES:
        if not any(c.node.op_type == op_type and c.x.dtype == np.float32 for c in cases + made):
            report.result(f"{op_type}: f32 cases", ["none found in the onnx package"])

    names = ", ".join(library.target_name(t) for t in library.supported_targets())
    print(f"lanepool {library.version}: {len(cases)} cases of onnx {onnx.__version__}", end="")
    print(f" and {len(made)} of GlobalLpPool; in types and spellings:")
    report.print_table()
    print(f"{report.runs} runs in NCHW and NHWC on {names}")
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed > 0 or report.runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
