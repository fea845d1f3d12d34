"""QLinear nodes in stock ONNX Runtime: many nodes side by side in one model."""

import onnx
import onnxruntime

from qlinear_front_end import DOMAIN

IR_VERSION = 8  # what every ONNX Runtime in question reads


def session_options():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options


def make_session(nodes):
    """One session that computes y0, y1, ... from x0, x1, ..."""
    value_info = onnx.helper.make_tensor_value_info
    protos, inputs, outputs, initializers = [], [], [], []
    for i, node in enumerate(nodes):
        protos.append(node.proto(str(i)))
        inputs.append(value_info(f"x{i}", node.x_type, node.x.shape))
        outputs.append(value_info(f"y{i}", node.x_type, None))
        initializers += node.initializers(str(i))
    graph = onnx.helper.make_graph(protos, "pools", inputs, outputs, initializers)
    opsets = [onnx.helper.make_opsetid("", 19), onnx.helper.make_opsetid(DOMAIN, 1)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
    return onnxruntime.InferenceSession(
        model.SerializeToString(), session_options(), providers=["CPUExecutionProvider"]
    )


def run_nodes(nodes):
    """The outputs of the nodes, computed in one session."""
    session = make_session(nodes)
    return session.run(None, {f"x{i}": node.x for i, node in enumerate(nodes)})
