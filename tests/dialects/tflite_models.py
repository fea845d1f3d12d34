"""TensorFlow Lite models of one pooling operator, made of the classes that its package generates
from its own flatbuffer schema."""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

FILE_IDENTIFIER = b"TFL3"
TENSOR_TYPES = {
    np.dtype(np.float32): schema.TensorType.FLOAT32,
    np.dtype(np.int8): schema.TensorType.INT8,
    np.dtype(np.uint8): schema.TensorType.UINT8,
    np.dtype(np.int16): schema.TensorType.INT16,
}
VERSIONS = {np.dtype(np.int8): 2, np.dtype(np.int16): 3}  # of both operators; else 1


def _tensor(name, shape, dtype, scale, zero_point):
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.type = name, list(shape), TENSOR_TYPES[dtype]
    tensor.buffer = 0
    if dtype != np.float32:
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale, tensor.quantization.zeroPoint = [scale], [zero_point]
    return tensor


def _options(pool):
    options = schema.Pool2DOptionsT()
    options.filterHeight, options.filterWidth = pool.kernel
    options.strideH, options.strideW = pool.strides
    options.padding = getattr(schema.Padding, pool.padding)
    options.fusedActivationFunction = getattr(schema.ActivationFunctionType, pool.activation)
    return options


def model_bytes(pool, x_shape, y_shape, dtype):
    """A model with one node; shapes are N, H, W, C."""
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, pool.operator)
    code.version = VERSIONS.get(dtype, 1)
    node = schema.OperatorT()
    node.opcodeIndex, node.inputs, node.outputs = 0, [0], [1]
    node.builtinOptionsType = schema.BuiltinOptions.Pool2DOptions
    node.builtinOptions = _options(pool)
    graph = schema.SubGraphT()
    graph.tensors = [
        _tensor("x", x_shape, dtype, pool.scale, pool.zero_point),
        _tensor("y", y_shape, dtype, pool.scale, pool.zero_point),
    ]
    graph.inputs, graph.outputs, graph.operators = [0], [1], [node]
    model = schema.ModelT()
    model.version, model.operatorCodes, model.subgraphs = 3, [code], [graph]
    model.buffers = [schema.BufferT()]
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), file_identifier=FILE_IDENTIFIER)
    return bytes(builder.Output())
