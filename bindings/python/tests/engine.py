"""The Python package in the place of tests/onnx/lanepool_ctypes.Library: what the C tests in Python
ask of the library, they ask of lanepool.Plan. LANEPOOL_LIBRARY is the C library beside it."""

import os
import pathlib
import sys

import lanepool
import numpy as np
from lanepool._plan import _restore

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/onnx"))

import lanepool_ctypes as lp  # noqa: E402  pylint: disable=wrong-import-position

CLibrary = lp.Library
LIBRARY = os.environ.get("LANEPOOL_LIBRARY")
STATUSES = {
    name.removeprefix("STATUS_"): value
    for name, value in vars(lp).items()
    if name.startswith("STATUS_")
}
DTYPES = {
    lp.TYPE_FLOAT: "float32",
    lp.TYPE_DOUBLE: "float64",
    lp.TYPE_FLOAT16: "float16",
    lp.TYPE_UINT8: "uint8",
    lp.TYPE_INT8: "int8",
    lp.TYPE_UINT16: "uint16",
    lp.TYPE_INT16: "int16",
    lp.TYPE_INT32: "int32",
}


def dtype_of(code):
    if code == lp.TYPE_BFLOAT16:
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(DTYPES[code])


def fields_of(params):
    """The fields of a C struct as the package has them."""
    fields = {}
    for name, _ in params._fields_:
        value = getattr(params, name)
        fields[name] = value if isinstance(value, (int, float)) else list(value)
    for name in ("struct_size", "reserved"):
        del fields[name]
    flags = {"global": 1, "strict_order": 2, "accumulate_f64": 4, "clamp": 8, "adaptive": 16}
    fields["flags"] = [name for name, bit in flags.items() if params.flags & bit]
    names = lanepool.targets()
    mask = params.target_mask
    fields["target_mask"] = [name for name in names if mask & PackageLibrary.bits[name]]
    return fields


class PackageDesc:
    """A plan with the names of a desc."""

    def __init__(self, params, channels=(None,) * 4):
        self.arguments = fields_of(params), dtype_of(params.x_type), dtype_of(params.y_type)
        self.plan = _restore(*self.arguments, channels)  # of channels: what the params say, of each
        plan, rank = self.plan, params.rank
        shape = plan.y_shape[1:-1] if params.layout == lp.LAYOUT_NHWC else plan.y_shape[2:]
        self.rank, self.output = rank, list(shape)
        self.pads_begin, self.pads_end = list(plan.pads[:rank]), list(plan.pads[rank:])


class PackageLibrary:
    """lp.Library by the package. Params stay the C struct, filled by the library itself."""

    bits = {}

    def __init__(self, path):
        self._c = CLibrary(path)
        self.version = lanepool.version()
        self.params = self._c.params
        PackageLibrary.bits = {self._c.target_name(t): t for t in self._c.supported_targets()}

    def supported_targets(self):
        """The best one: that all give the same bytes is the C library's matter."""
        return [self.bits[lanepool.targets()[0]]]

    def target_name(self, target):
        return self._c.target_name(target)

    def _checked(self, function, *arguments):
        try:
            return function(*arguments)
        except lanepool.Error as error:
            raise lp.StatusError(
                STATUSES.get(error.status, -1), error.status, str(error)
            ) from error

    def plan(self, params):
        return self._checked(PackageDesc, params)

    def run(self, desc, x, y, index=None):
        self._checked(desc.plan.run, x, y, index)

    def table(self, desc, *channels):
        lists = tuple(None if values is None else tuple(values) for values in channels)
        return self._checked(_restore, *desc.arguments, lists)

    def run_table(self, desc, table, x, y):
        del desc
        self._checked(table.run, x, y)

    def explain(self, desc):
        return desc.plan.explain()
