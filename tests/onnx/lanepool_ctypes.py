"""The C ABI of lanepool for Python tests: the structs of include/lanepool/lanepool.h, field by
field, and a thin wrapper that turns statuses into exceptions."""

import ctypes
from ctypes import c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint32, c_uint64
from ctypes import c_void_p

import numpy as np

ABI_VERSION = 1

OK = 0
STATUS_EMPTY_OUTPUT = 15
STATUS_EMPTY_WINDOW = 16
STATUS_UNSUPPORTED = 22

OP_AVERAGE = 1
OP_MAX = 2
OP_MIN = 3
OP_SUM = 4
OP_LP = 5
OP_MAX_UNPOOL = 6

LAYOUT_NCHW = 1
LAYOUT_NHWC = 2

TYPE_NONE = 0
TYPE_FLOAT = 1
TYPE_UINT8 = 2
TYPE_INT8 = 3
TYPE_UINT16 = 4
TYPE_INT16 = 5
TYPE_INT32 = 6
TYPE_INT64 = 7
TYPE_FLOAT16 = 10
TYPE_DOUBLE = 11
TYPE_BFLOAT16 = 16

AUTO_PAD_NOTSET = 0
AUTO_PAD_VALID = 1
AUTO_PAD_SAME_UPPER = 2
AUTO_PAD_SAME_LOWER = 3

CEIL_ON = 1

DIVISOR_EXCLUDE_PAD = 0
DIVISOR_INCLUDE_PAD = 1
DIVISOR_FULL_KERNEL = 2
DIVISOR_CONSTANT = 3

NAN_PROPAGATE = 0
NAN_IGNORE = 1

ROUND_HALF_EVEN = 0
ROUND_HALF_EVEN_AFTER_ZERO_POINT = 1
ROUND_HALF_AWAY = 2

INDEX_NCHW = 0
INDEX_PLANE = 2

FLAG_GLOBAL = 1
FLAG_STRICT_ORDER = 2
FLAG_ACCUMULATE_F64 = 4
FLAG_CLAMP = 8
FLAG_ADAPTIVE = 16

DIALECT_ONNX = 0
DIALECT_ORT = 1
DIALECT_TORCH = 2
DIALECT_TFLITE = 3
DIALECT_ONEDNN = 4

TARGETS_SUPPORTED = 1


class Params(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("op", c_int32),
        ("layout", c_int32),
        ("rank", c_int32),
        ("x_type", c_int32),
        ("y_type", c_int32),
        ("index_type", c_int32),
        ("auto_pad", c_int32),
        ("ceil_mode", c_int32),
        ("valid_ceil", c_int32),
        ("oversize_kernel", c_int32),
        ("divisor", c_int32),
        ("empty_window", c_int32),
        ("nan_rule", c_int32),
        ("rounding", c_int32),
        ("index_mode", c_int32),
        ("storage_order", c_int32),
        ("flags", c_uint32),
        ("target_mask", c_uint64),
        ("divisor_value", c_int64),
        ("batch", c_int64),
        ("channels", c_int64),
        ("input", c_int64 * 3),
        ("kernel", c_int64 * 3),
        ("strides", c_int64 * 3),
        ("dilations", c_int64 * 3),
        ("pads_begin", c_int64 * 3),
        ("pads_end", c_int64 * 3),
        ("output_size", c_int64 * 3),
        ("x_strides", c_int64 * 5),
        ("y_strides", c_int64 * 5),
        ("index_strides", c_int64 * 5),
        ("x_scale", c_float),
        ("y_scale", c_float),
        ("x_zero_point", c_int32),
        ("y_zero_point", c_int32),
        ("x_scale_count", c_int32),
        ("y_scale_count", c_int32),
        ("clamp_low", c_double),
        ("clamp_high", c_double),
        ("lp_order", c_double),
        ("reserved", c_int64 * 4),
    ]


class Desc(ctypes.Structure):
    _fields_ = [
        ("magic", c_uint32),
        ("abi_version", c_uint32),
        ("x_bytes", c_int64),
        ("y_bytes", c_int64),
        ("index_bytes", c_int64),
        ("workspace_bytes", c_int64),
        ("work_items", c_int64),
        ("table_bytes", c_int64),
        ("output", c_int64 * 3),
        ("pads_begin", c_int64 * 3),
        ("pads_end", c_int64 * 3),
        ("element_count", c_int64),
        ("has_empty_windows", c_int32),
        ("rank", c_int32),
        ("sealed", c_uint64 * 238),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("status", c_int32),
        ("field", c_int32),
        ("axis", c_int32),
        ("rule", c_int32),
        ("value", c_int64),
        ("limit", c_int64),
        ("real", c_double),
    ]


class StatusError(Exception):
    """A call that did not answer LANEPOOL_OK."""

    def __init__(self, status, name, message):
        super().__init__(f"{name}: {message}")
        self.status = status


_P = ctypes.POINTER
_FUNCTIONS = {
    "lanepool_params_init": (c_int32, [_P(Params), c_size_t, c_int32]),
    "lanepool_plan": (c_int32, [_P(Params), _P(Desc), _P(Error)]),
    "lanepool_run": (c_int32, [_P(Desc)] + [c_void_p, c_size_t] * 4),
    "lanepool_table_init": (
        c_int32,
        [_P(Desc)] + [_P(c_float), _P(c_int32)] * 2 + [c_void_p, c_size_t, _P(Error)],
    ),
    "lanepool_run_table": (c_int32, [_P(Desc)] + [c_void_p, c_size_t] * 5 + [c_int64] * 2),
    "lanepool_params_size": (c_size_t, []),
    "lanepool_desc_size": (c_size_t, []),
    "lanepool_explain": (c_int32, [_P(Desc), c_char_p, c_size_t]),
    "lanepool_error_format": (c_int32, [_P(Error), c_char_p, c_size_t]),
    "lanepool_status_name": (c_char_p, [c_int32]),
    "lanepool_targets": (c_uint64, [c_int32]),
    "lanepool_target_name": (c_char_p, [c_uint64]),
    "lanepool_version": (c_char_p, []),
    "lanepool_abi_version": (c_int32, []),
}


def _entries(values, element):
    """One number per channel as a C array, or NULL."""
    return None if values is None else (element * len(values))(*np.asarray(values).tolist())


def _buffer(array):
    """Address and size of a contiguous array, or of none."""
    if array is None:
        return None, 0
    assert array.flags.c_contiguous
    return array.ctypes.data, array.nbytes


def _workspace(desc):
    bytes_needed = desc.workspace_bytes
    return np.empty(bytes_needed, np.uint8) if bytes_needed > 0 else None


class Library:
    def __init__(self, path):
        self._c = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self._c, name)
            function.restype = result
            function.argtypes = arguments
        found = (
            self._c.lanepool_abi_version(),
            self._c.lanepool_params_size(),
            self._c.lanepool_desc_size(),
        )
        expected = (ABI_VERSION, ctypes.sizeof(Params), ctypes.sizeof(Desc))
        if found != expected:
            raise RuntimeError(f"{path}: (ABI, params, desc) is {found}, these structs {expected}")
        self.version = self._c.lanepool_version().decode()

    def _raise(self, status, message):
        raise StatusError(status, self._c.lanepool_status_name(status).decode(), message)

    def params(self, dialect=DIALECT_ONNX):
        params = Params()
        status = self._c.lanepool_params_init(params, ctypes.sizeof(params), dialect)
        if status != OK:
            self._raise(status, "lanepool_params_init")
        return params

    def _raise_error(self, status, error):
        text = ctypes.create_string_buffer(300)
        self._c.lanepool_error_format(error, text, len(text))
        self._raise(status, text.value.decode())

    def plan(self, params):
        desc, error = Desc(), Error()
        status = self._c.lanepool_plan(params, desc, error)
        if status != OK:
            self._raise_error(status, error)
        return desc

    def run(self, desc, x, y, index=None):
        """Pools x into y (and index), all contiguous in the layout of the desc."""
        self.bound_run(desc, x, y, index)()

    def bound_run(self, desc, x, y, index=None):
        """The same as a function without arguments, which may be called often."""
        arrays = [x, y, index, _workspace(desc)]
        buffers = [value for array in arrays for value in _buffer(array)]

        def call(keep_alive=arrays):  # the buffers are bare addresses
            status = self._c.lanepool_run(desc, *buffers)
            if status != OK:
                self._raise(status, "lanepool_run")

        return call

    def table(self, desc, x_scales, x_zero_points, y_scales, y_zero_points):
        """The per-channel quantization of a desc; None stands for what its params say."""
        table = np.empty(-(-desc.table_bytes // 8), np.uint64)
        x_side = _entries(x_scales, c_float), _entries(x_zero_points, c_int32)
        y_side = _entries(y_scales, c_float), _entries(y_zero_points, c_int32)
        error = Error()
        status = self._c.lanepool_table_init(desc, *x_side, *y_side, *_buffer(table), error)
        if status != OK:
            self._raise_error(status, error)
        return table

    def run_table(self, desc, table, x, y):
        """run() with the table of a desc that needs one."""
        arrays = [table, x, y, None, _workspace(desc)]
        buffers = [value for array in arrays for value in _buffer(array)]
        status = self._c.lanepool_run_table(desc, *buffers, 0, desc.work_items)
        if status != OK:
            self._raise(status, "lanepool_run_table")

    def explain(self, desc):
        text = ctypes.create_string_buffer(2000)
        self._c.lanepool_explain(desc, text, len(text))
        return text.value.decode()

    def supported_targets(self):
        """The single-bit target masks that this machine runs."""
        mask = self._c.lanepool_targets(TARGETS_SUPPORTED)
        return [1 << bit for bit in range(64) if mask >> bit & 1]

    def target_name(self, target):
        return self._c.lanepool_target_name(target).decode()
