"""The pooling node tests that come with the onnx package."""

import dataclasses
import glob
import math
import os
import warnings

import numpy as np
import onnx
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator

from node_front_end import ADDED_ATTRIBUTES

# Tests built by the package's own code, and models that PyTorch exported for older opsets.
KINDS = ("node", "pytorch-converted", "pytorch-operator")
# What may stand before and after the pool in a model: it only changes the shape.
RESHAPING = ("Unsqueeze", "Squeeze")


@dataclasses.dataclass
class Case:
    name: str
    node: onnx.NodeProto
    opset: int
    x: np.ndarray
    outputs: list  # y, and Indices when the node has them
    rtol: float = 0
    atol: float = 0
    indices: np.ndarray | None = None  # input of MaxUnpool
    output_shape: list | None = None  # the same
    # Of an average or Lp: y as wide numbers, and how far a right result may be from it.
    exact: np.ndarray | None = None
    bound: np.ndarray | float = math.inf

    @property
    def rank(self):
        return self.x.ndim - 2

    @property
    def input_sizes(self):
        return list(self.x.shape[2:])

    @property
    def element_type(self):
        return onnx.helper.np_dtype_to_tensor_dtype(self.x.dtype)

    def values_only(self):
        """The same case without Indices."""
        node = onnx.NodeProto()
        node.CopyFrom(self.node)
        del node.output[1:]
        name = self.name + " (values)"
        return dataclasses.replace(self, name=name, node=node, outputs=self.outputs[:1])

    def input_infos(self):
        arrays = {0: self.x, 1: self.indices, 2: self.output_shape}
        return [
            onnx.helper.make_tensor_value_info(
                name,
                onnx.helper.np_dtype_to_tensor_dtype(np.asarray(arrays[i]).dtype),
                np.asarray(arrays[i]).shape,
            )
            for i, name in enumerate(self.node.input)
        ]


def _opset(model):
    return next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))


def _stored_tensors(folder, prefix):
    tensors = []
    for i in range(len(glob.glob(os.path.join(folder, prefix + "_*.pb")))):
        tensor = onnx.TensorProto()
        with open(os.path.join(folder, f"{prefix}_{i}.pb"), "rb") as file:
            tensor.ParseFromString(file.read())
        tensors.append(onnx.numpy_helper.to_array(tensor))
    return tensors


def _data_sets(test):
    if test.data_sets is not None:
        return test.data_sets
    folders = sorted(glob.glob(os.path.join(test.model_dir, "test_data_set_*")))
    return [(_stored_tensors(f, "input"), _stored_tensors(f, "output")) for f in folders]


def _is_pool(node):
    return node.op_type in ADDED_ATTRIBUTES


def _before_pool(model, pool, inputs):
    """What reaches the pool, computed by the package."""
    if pool.input[0] == model.graph.input[0].name:
        return inputs[0]
    part = onnx.ModelProto()
    part.CopyFrom(model)
    del part.graph.output[:]
    part.graph.output.append(onnx.ValueInfoProto(name=pool.input[0]))
    names = [value.name for value in model.graph.input]
    return ReferenceEvaluator(part).run(None, dict(zip(names, inputs)))[0]


def _after_pool(model, pool, y):
    """What has left the pool, when the model's output is y."""
    for node in model.graph.node:
        if node.op_type == "Squeeze" and node.input[0] == pool.output[0]:
            axes = next(onnx.helper.get_attribute_value(a) for a in node.attribute)
            return np.expand_dims(y, tuple(axes))
    return y


def _cases_of(test, model):
    pool = next(node for node in model.graph.node if _is_pool(node))
    sets = _data_sets(test)
    for number, (inputs, outputs) in enumerate(sets):
        unpool = pool.op_type == "MaxUnpool"
        yield Case(
            name=test.name if len(sets) == 1 else f"{test.name}[{number}]",
            node=pool,
            opset=_opset(model),
            x=np.ascontiguousarray(_before_pool(model, pool, inputs)),
            outputs=[_after_pool(model, pool, np.asarray(o)) for o in outputs],
            rtol=test.rtol,
            atol=test.atol,
            indices=np.ascontiguousarray(inputs[1]) if unpool else None,
            output_shape=inputs[2].tolist() if unpool and len(inputs) > 2 else None,
        )


def load_cases():
    """All cases of the operators that the front end knows, and the names of the models in which
    such a node stands among others that do more than reshape."""
    cases, mixed = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package's own, from building its other tests
        tests = [test for kind in KINDS for test in load_model_tests(kind=kind)]
    for test in sorted(tests, key=lambda t: t.name):
        model = test.model
        if model is None:
            if test.model_dir is None:
                continue  # a model that would have to be downloaded
            model = onnx.load(os.path.join(test.model_dir, "model.onnx"))
        pools = [node for node in model.graph.node if _is_pool(node)]
        others = {node.op_type for node in model.graph.node if not _is_pool(node)}
        if len(pools) == 1 and others <= set(RESHAPING):
            cases.extend(_cases_of(test, model))
        elif pools:
            mixed.append(test.name)
    return cases, mixed
