"""oneDNN's C API, as much as pooling takes: the shared library of the `onednn` Python package, or
one that the system's loader finds."""

import contextlib
import ctypes
import ctypes.util
import os
import pathlib
import sys

import numpy as np

from support import BFLOAT16, SKIPPED

DATA_TYPES = {
    np.dtype(np.float16): 1,
    BFLOAT16: 2,
    np.dtype(np.float32): 3,
    np.dtype(np.int32): 4,
    np.dtype(np.int8): 5,
    np.dtype(np.uint8): 6,
}
POOLING_MAX, AVERAGE_INCLUDE_PADDING, AVERAGE_EXCLUDE_PADDING = 0x1FF, 0x2FF, 0x3FF
_FORWARD_INFERENCE, _CPU, _IN_ORDER, _ARG_SRC, _ARG_DST = 96, 1, 1, 1, 17
_STATUSES = {2: "invalid arguments", 3: "unimplemented"}
_MAX_NDIMS = 12
_Dims = ctypes.c_int64 * _MAX_NDIMS


class Refused(Exception):
    """A status other than success."""


class _Version(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("major", "minor", "patch")]


class _Argument(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_int), ("memory", ctypes.c_void_p)]


def find_library():
    """The path, or the end of a test that cannot be made here. The package's library needs others
    beside it, which the loader only finds if its path was set when the process began."""
    packaged = pathlib.Path(sys.prefix, "lib", "libdnnl.so.3")
    if packaged.exists():
        folder = str(packaged.parent)
        paths = os.environ.get("LD_LIBRARY_PATH", "")
        if folder not in paths.split(":"):
            os.environ["LD_LIBRARY_PATH"] = f"{folder}:{paths}"
            os.environ.setdefault("OCL_ICD_FILENAMES", f"{folder}/libintelocl.so")
            os.execv(sys.executable, [sys.executable, *sys.argv])
        return str(packaged)
    found = ctypes.util.find_library("dnnl")
    if not found:
        print("skipped: no libdnnl here; it comes with `pip install onednn`")
        sys.exit(SKIPPED)
    return found


def _dims(values):
    return _Dims(*values)


class OneDnn:
    def __init__(self):
        self._c = ctypes.CDLL(find_library())
        self._c.dnnl_version.restype = ctypes.POINTER(_Version)
        version = self._c.dnnl_version().contents
        self.version = f"{version.major}.{version.minor}.{version.patch}"
        if version.major != 3:
            print(f"skipped: oneDNN {self.version} has another C API than version 3")
            sys.exit(SKIPPED)
        self._engine = self._new("engine_create", _CPU, ctypes.c_size_t(0))
        self._stream = self._new("stream_create", self._engine, _IN_ORDER)

    def _call(self, name, *arguments):
        status = getattr(self._c, f"dnnl_{name}")(*arguments)
        if status != 0:
            raise Refused(_STATUSES.get(status, f"dnnl_{name}: status {status}"))

    def _new(self, name, *arguments):
        handle = ctypes.c_void_p()
        self._call(name, ctypes.byref(handle), *arguments)
        return handle

    def _own(self, stack, kind, name, *arguments):
        """A new object that is destroyed with the stack."""
        handle = self._new(name, *arguments)
        stack.callback(self._call, f"{kind}_destroy", handle)
        return handle

    def _memory(self, stack, array):
        strides = [stride // array.itemsize for stride in array.strides]
        desc = self._own(
            stack,
            "memory_desc",
            "memory_desc_create_with_strides",
            array.ndim,
            _dims(array.shape),
            DATA_TYPES[array.dtype],
            _dims(strides),
        )
        data = ctypes.c_void_p(array.ctypes.data)
        return desc, self._own(stack, "memory", "memory_create", desc, self._engine, data)

    def pool(self, algorithm, x, y, window, pads_end):
        """Pools x into y: N, C, spatial axes, whatever their strides."""
        with contextlib.ExitStack() as stack:
            x_desc, x_memory = self._memory(stack, x)
            y_desc, y_memory = self._memory(stack, y)
            pool_desc = self._own(
                stack,
                "primitive_desc",
                "pooling_forward_primitive_desc_create",
                self._engine,
                _FORWARD_INFERENCE,
                algorithm,
                x_desc,
                y_desc,
                _dims(window.strides),
                _dims(window.kernel),
                _dims([d - 1 for d in window.dilations]),
                _dims(window.begin),
                _dims(pads_end),
                None,
            )
            primitive = self._own(stack, "primitive", "primitive_create", pool_desc)
            arguments = (_Argument * 2)((_ARG_SRC, x_memory), (_ARG_DST, y_memory))
            self._call("primitive_execute", primitive, self._stream, 2, arguments)
            self._call("stream_wait", self._stream)
