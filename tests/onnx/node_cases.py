"""The pooling node tests that come with the onnx package."""

import dataclasses
import glob
import os
import warnings

import numpy as np
import onnx
from onnx.backend.test.loader import load_model_tests

from node_front_end import ADDED_ATTRIBUTES, BYTES_SINCE

# Tests built by the package's own code, and models that PyTorch exported for older opsets.
KINDS = ("node", "pytorch-converted", "pytorch-operator")


@dataclasses.dataclass
class Case:
    name: str
    node: onnx.NodeProto
    opset: int
    x: np.ndarray
    outputs: list  # y, and Indices when the node has them
    rtol: float
    atol: float

    @property
    def rank(self):
        return self.x.ndim - 2

    @property
    def input_sizes(self):
        return list(self.x.shape[2:])

    def values_only(self):
        """The same case without Indices."""
        node = onnx.NodeProto()
        node.CopyFrom(self.node)
        del node.output[1:]
        name = self.name + " (values)"
        return dataclasses.replace(self, name=name, node=node, outputs=self.outputs[:1])

    def as_bytes(self, dtype):
        """A MaxPool case with its values mapped to u8 or s8 by a function that never decreases: the
        maximum of the mapped taps is the mapped maximum."""
        info = np.iinfo(dtype)
        low, high = float(np.min(self.x)), float(np.max(self.x))
        scale = (info.max - info.min) / (high - low if high > low else 1)

        def to_bytes(values):
            return np.rint((values.astype(np.float64) - low) * scale + info.min).astype(dtype)

        node = onnx.NodeProto()
        node.CopyFrom(self.node)
        return dataclasses.replace(
            self,
            name=f"{self.name} in {np.dtype(dtype)}",
            node=node,
            opset=max(self.opset, BYTES_SINCE[node.op_type]),
            x=to_bytes(self.x),
            outputs=[to_bytes(self.outputs[0])],
        )


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


def _cases_of(test, model):
    sets = _data_sets(test)
    for number, (inputs, outputs) in enumerate(sets):
        yield Case(
            name=test.name if len(sets) == 1 else f"{test.name}[{number}]",
            node=model.graph.node[0],
            opset=_opset(model),
            x=np.ascontiguousarray(inputs[0]),
            outputs=[np.asarray(o) for o in outputs],
            rtol=test.rtol,
            atol=test.atol,
        )


def load_cases():
    """All cases of the operators that the front end knows, and the names of the models that have
    such a node among others."""
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
        pools = [n for n in model.graph.node if n.op_type in ADDED_ATTRIBUTES]
        if len(pools) == 1 and len(model.graph.node) == 1:
            cases.extend(_cases_of(test, model))
        elif pools:
            mixed.append(test.name)
    return cases, mixed
