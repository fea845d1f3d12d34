"""The onnx package's own backend test suite, on lanepool.onnx_backend."""

import contextlib
import io
import unittest
import warnings

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from lanepool import onnx_backend  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402
from onnx.backend.test import BackendTest  # noqa: E402
from onnx.backend.test.loader import load_model_tests  # noqa: E402
from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt  # noqa: E402

POOLS = {
    "AveragePool", "GlobalAveragePool", "MaxPool", "GlobalMaxPool", "LpPool", "GlobalLpPool",
    "MaxUnpool",
}  # fmt: skip


def op_types(model):
    return {node.op_type for node in model.graph.node}


class Recorder(onnx_backend.PoolBackend):
    """Notes which models ran, and which were refused."""

    ran, refused = [], []

    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        compatible = super().is_compatible(model, device, **kwargs)
        if not compatible:
            cls.refused.append(op_types(model))
        return compatible

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        prepared = super().prepare(model, device, **kwargs)
        cls.ran.append(op_types(model))
        return prepared


def pooling_models():
    """How many models of the package are pools, and what reshapes."""
    count = 0
    for kind in ("node", "pytorch-converted", "pytorch-operator", "simple"):
        for test in load_model_tests(kind=kind):
            model = test.model
            if model is None and test.model_dir is not None:
                model = onnx.load(f"{test.model_dir}/model.onnx")
            if model is not None and op_types(model) & POOLS:
                count += op_types(model) <= POOLS | {"Squeeze", "Unsqueeze"}
    return count


@pytest.mark.filterwarnings("ignore")
def test_backend_suite():
    suite = BackendTest(Recorder, __name__).test_suite
    result = unittest.TestResult()
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
    ):  # "Test can't run..."
        warnings.simplefilter("ignore")
        suite.run(result)
        models = pooling_models()
    assert result.failures == [] and result.errors == []
    ran = {pool for types in Recorder.ran for pool in types & POOLS}
    assert ran == POOLS - {"GlobalLpPool"}  # for which the package has no test
    passed, refused = len(Recorder.ran), len(Recorder.refused)
    print(f"onnx {onnx.__version__}: {passed} models of pools passed, {refused} others unsupported")
    assert passed == models >= 60 and refused > 1000


def make_model(nodes, inputs, outputs, opset=22, domain=""):
    infos = [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in inputs]
    axes = [None] * len(inputs[0][2])
    results = [helper.make_tensor_value_info(name, kind, axes) for name, kind in outputs]
    graph = helper.make_graph(nodes, "pools", infos, results)
    opsets = [helper.make_opsetid("", opset)]
    if domain:
        opsets.append(helper.make_opsetid(domain, 1))
    return helper.make_model(graph, opset_imports=opsets)


def test_nodes_in_a_row():
    nodes = [
        helper.make_node("MaxPool", ["x"], ["m", "i"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("MaxUnpool", ["m", "i"], ["u"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("GlobalLpPool", ["u"], ["y"], p=1),
    ]
    model = make_model(nodes, [("x", TensorProto.FLOAT, [1, 1, 4, 4])], [("y", TensorProto.FLOAT)])
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    (y,) = onnx_backend.run_model(model, [x])
    np.testing.assert_array_equal(y, [[[[5 + 7 + 13 + 15]]]])
    assert onnx_backend.prepare(model).run(x).y is not None


@pytest.mark.parametrize("channels_last", [0, 1])
@pytest.mark.parametrize("states_y_zero_point", [False, True])
def test_qlinear_as_onnx_runtime(channels_last, states_y_zero_point):
    onnxruntime = pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(7)
    x = rng.integers(0, 256, (2, 6, 8, 5), np.uint8)
    used = {"x": x, "sx": np.float32(0.0173), "zx": np.uint8(120), "sy": np.float32(0.0219)}
    if states_y_zero_point:
        used["zy"] = np.uint8(131)
    windows = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}
    for op_type, attributes in (
        ("QLinearAveragePool", windows),
        ("QLinearGlobalAveragePool", {}),
    ):
        if not states_y_zero_point and not attributes:
            continue  # the global operator needs all of its inputs
        node = helper.make_node(
            op_type,
            list(used),
            ["y"],
            domain="com.microsoft",
            channels_last=channels_last,
            **attributes,
        )
        inputs = [
            (name, helper.np_dtype_to_tensor_dtype(np.asarray(v).dtype), np.shape(v))
            for name, v in used.items()
        ]
        model = make_model([node], inputs, [("y", TensorProto.UINT8)], 17, "com.microsoft")
        model.ir_version = 8
        session = onnxruntime.InferenceSession(model.SerializeToString())
        (want,) = session.run(None, {name: np.asarray(v) for name, v in used.items()})
        (y,) = onnx_backend.run_model(model, list(used.values()))
        assert y.shape == want.shape
        # ONNX Runtime computes in f32: it may be off by 1 next to a tie.
        difference = np.abs(y.astype(int) - want)
        assert difference.max() <= 1 and np.mean(difference != 0) < 0.01


def test_what_is_refused():
    node = helper.make_node("Relu", ["x"], ["y"])
    model = make_model([node], [("x", TensorProto.FLOAT, [1])], [("y", TensorProto.FLOAT)])
    assert not onnx_backend.is_compatible(model)
    with pytest.raises(BackendIsNotSupposedToImplementIt, match="Relu"):
        onnx_backend.prepare(model)
    with pytest.raises(NotImplementedError):
        onnx_backend.run_node(node, [np.zeros(1, np.float32)])
    assert not onnx_backend.supports_device("CUDA")
    pool = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2], dilations=[2])
    x = np.arange(4, dtype=np.float32)[None, None]
    np.testing.assert_array_equal(onnx_backend.run_node(pool, [x])[0], [[[2, 3]]])
    model = make_model(
        [pool], [("x", TensorProto.FLOAT, [1, 1, 4])], [("y", TensorProto.FLOAT)], opset=8
    )
    with pytest.raises(onnx.checker.ValidationError):  # dilations since 10
        onnx_backend.prepare(model)
