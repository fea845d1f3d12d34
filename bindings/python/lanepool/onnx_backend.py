"""An onnx.backend of the pooling operators: models whose nodes are pools, and nodes beside them
that only reshape. prepare(model).run(inputs), run_model and run_node are those of
onnx.backend.base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep, namedtupledict

from ._functions import INDEX_TYPE, qlinear_average_pool, qlinear_global_average_pool
from ._plan import plan_for

_WINDOW = ("kernel_shape", "strides", "pads", "dilations", "auto_pad", "ceil_mode")
_OPS = {
    "AveragePool": "average",
    "GlobalAveragePool": "average",
    "MaxPool": "max",
    "GlobalMaxPool": "max",
    "LpPool": "lp",
    "GlobalLpPool": "lp",
    "MaxUnpool": "max_unpool",
}


def _attributes(node: onnx.NodeProto) -> dict[str, Any]:
    values = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return {k: v.decode() if isinstance(v, bytes) else v for k, v in values.items()}


def _pool(node: onnx.NodeProto, x: Any, indices: Any = None, shape: Any = None) -> Any:
    values = _attributes(node)
    options = {name: values[name] for name in _WINDOW if name in values}
    op: Any = _OPS[node.op_type]
    if node.op_type.startswith("Global"):
        options["global_window"] = True
    if op == "average":
        options["count_include_pad"] = bool(values.get("count_include_pad", 0))
    if op == "lp":
        options["p"] = values.get("p", 2)
    if op == "max":
        options["storage_order"] = values.get("storage_order", 0)
    if indices is not None or len(node.output) > 1:
        options["index_dtype"] = INDEX_TYPE
    if shape is not None:
        options["output_size"] = tuple(np.asarray(shape).tolist()[2:])
    return plan_for(op, x, options).run(x, None, indices)


def _qlinear(node: onnx.NodeProto, x: Any, *quantization: Any) -> Any:
    values = _attributes(node)
    # An absent zero point is an empty name, or left out at the end.
    x_scale, x_zero_point, y_scale, y_zero_point = (*quantization, None)[:4]
    scales = (x_scale, _or_zero(x_zero_point), y_scale, _or_zero(y_zero_point))
    layout: Any = "NHWC" if values.pop("channels_last", 0) else "NCHW"
    numbers: Any = [np.asarray(number).reshape(()) for number in scales]
    if node.op_type == "QLinearGlobalAveragePool":
        return qlinear_global_average_pool(x, *numbers, layout=layout)
    return qlinear_average_pool(x, *numbers, layout=layout, **values)


def _or_zero(zero_point: Any) -> Any:
    return 0 if zero_point is None else zero_point


def _squeeze(node: onnx.NodeProto, x: Any, axes: Any = None) -> Any:
    axes = _attributes(node).get("axes") if axes is None else np.asarray(axes).tolist()
    return np.squeeze(x, None if axes is None else tuple(axes))


def _unsqueeze(node: onnx.NodeProto, x: Any, axes: Any = None) -> Any:
    axes = _attributes(node).get("axes") if axes is None else np.asarray(axes).tolist()
    return np.expand_dims(x, tuple(axes))


_NODES: dict[tuple[str, str], Callable[..., Any]] = {
    **{("", op_type): _pool for op_type in _OPS},
    ("com.microsoft", "QLinearAveragePool"): _qlinear,
    ("com.microsoft", "QLinearGlobalAveragePool"): _qlinear,
    ("", "Squeeze"): _squeeze,
    ("", "Unsqueeze"): _unsqueeze,
}
_RESHAPING = (_squeeze, _unsqueeze)


def _function(node: onnx.NodeProto) -> Callable[..., Any] | None:
    domain = "" if node.domain == "ai.onnx" else node.domain
    return _NODES.get((domain, node.op_type))


class PoolRep(BackendRep):
    """A model that can run."""

    def __init__(self, model: onnx.ModelProto) -> None:
        graph = model.graph
        self._nodes = list(graph.node)
        self._constants = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
        self._inputs = [i.name for i in graph.input if i.name not in self._constants]
        self._outputs = [o.name for o in graph.output]

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        if not isinstance(inputs, (list, tuple)):
            inputs = [inputs]
        values = self._constants | dict(zip(self._inputs, map(np.asarray, inputs)))
        for node in self._nodes:
            function = _function(node)
            assert function is not None  # prepare() looked
            results = function(node, *(values[n] if n else None for n in node.input))
            results = results if isinstance(results, tuple) else (results,)
            values |= dict(zip(node.output, results))
        outputs: tuple[Any, ...] = namedtupledict("Outputs", self._outputs)(
            *(values[name] for name in self._outputs)
        )
        return outputs


class PoolBackend(Backend):
    """See onnx.backend.base.Backend."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether there are pools in the model, and nothing else but what reshapes."""
        functions = [_function(node) for node in model.graph.node]
        pools = [function for function in functions if function not in _RESHAPING]
        return cls.supports_device(device) and len(pools) > 0 and None not in functions

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> PoolRep:
        if not cls.is_compatible(model, device):
            from onnx.backend.test.runner import BackendIsNotSupposedToImplementIt

            nodes = sorted({node.op_type for node in model.graph.node})
            raise BackendIsNotSupposedToImplementIt(f"not only pools on CPU: {', '.join(nodes)}")
        if not any(node.domain == "com.microsoft" for node in model.graph.node):
            onnx.checker.check_model(model)
        return PoolRep(model)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[Any] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        super().run_node(node, inputs, device, outputs_info, **kwargs)
        function = _function(node)
        if function is None:
            raise NotImplementedError(f"{node.op_type} is no pool")
        results = function(node, *map(np.asarray, inputs))
        return results if isinstance(results, tuple) else (results,)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device == "CPU"


is_compatible = PoolBackend.is_compatible
prepare = PoolBackend.prepare
run_model = PoolBackend.run_model
run_node = PoolBackend.run_node
supports_device = PoolBackend.supports_device
