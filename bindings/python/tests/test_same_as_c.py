"""The package's results are those of the C functions, byte for byte, and the project's comparisons
with the onnx package and with ONNX Runtime hold when the package runs them."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import lp

if not engine.LIBRARY:
    pytest.skip("LANEPOOL_LIBRARY is not set", allow_module_level=True)

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
import conformance  # noqa: E402
import ort_compare  # noqa: E402

TYPES = {
    lp.OP_AVERAGE: (1, 2, 3, 4, 5, 10, 11, 16),
    lp.OP_MAX: (1, 2, 3, 4, 5, 6, 10, 11, 16),
    lp.OP_MIN: (1, 2, 3, 4, 5, 6, 10, 11, 16),
    lp.OP_SUM: (1, 10, 11, 16),
    lp.OP_LP: (1, 10, 11, 16),
}
C = lp.Library(engine.LIBRARY)
PACKAGE = engine.PackageLibrary(engine.LIBRARY)


@st.composite
def params(draw):
    """Params with what the Python functions of other tests do not set."""
    p = C.params(draw(st.integers(0, 4)))
    p.op = draw(st.sampled_from(list(TYPES)))
    p.layout, p.rank = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    p.x_type = p.y_type = draw(st.sampled_from(TYPES[p.op]))
    p.batch, p.channels = draw(st.integers(0, 3)), draw(st.integers(1, 9))
    for axis in range(p.rank):
        p.input[axis] = draw(st.integers(1, 14 if p.rank < 3 else 6))
        p.kernel[axis] = draw(st.integers(1, 5))
        p.strides[axis] = draw(st.integers(1, 3))
        p.dilations[axis] = draw(st.integers(1, 2))
        p.pads_begin[axis] = draw(st.integers(0, 3))
        p.pads_end[axis] = draw(st.integers(0, 3))
    p.ceil_mode, p.divisor = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    p.nan_rule, p.rounding = draw(st.integers(0, 1)), draw(st.integers(0, 2))
    if p.x_type in (lp.TYPE_UINT8, lp.TYPE_INT8):
        p.x_scale, p.y_scale = draw(st.floats(0.25, 4, width=32)), draw(
            st.floats(0.25, 4, width=32)
        )
        p.x_zero_point, p.y_zero_point = draw(st.integers(0, 127)), draw(st.integers(0, 127))
    if draw(st.booleans()):
        p.flags = lp.FLAG_CLAMP
        p.clamp_low, p.clamp_high = -20.5, 60.25
    if p.op == lp.OP_MAX and draw(st.booleans()):
        p.index_type = draw(st.sampled_from([lp.TYPE_INT32, lp.TYPE_INT64]))
        p.index_mode = draw(st.integers(0, 3))
    return p, draw(st.integers(0, 2**32))


def plan(library, p):
    """The desc, or the words in which it is refused."""
    try:
        return library.plan(p), None
    except lp.StatusError as error:
        return None, str(error).split(": ", 1)[1]


@given(params())
def test_same_bytes(case):
    p, seed = case
    desc, refusal = plan(C, p)
    its_desc, its_refusal = plan(PACKAGE, p)
    assert its_refusal == refusal
    if desc is None:
        return
    rng = np.random.default_rng(seed)
    dtype = engine.dtype_of(p.x_type)
    x = np.empty(its_desc.plan.x_shape, dtype)
    x.view(np.uint8)[...] = rng.integers(0, 256, x.view(np.uint8).shape, np.uint8)
    results = []
    for library, its in ((C, desc), (PACKAGE, its_desc)):
        y = np.full(its_desc.plan.y_shape, 0, dtype)
        index = None
        if p.index_type:
            index = np.zeros(y.shape, np.int32 if p.index_type == lp.TYPE_INT32 else np.int64)
        library.run(its, x, y, index)
        results.append((y.tobytes(), None if index is None else index.tobytes()))
    assert results[0] == results[1]
    assert PACKAGE.explain(its_desc) == C.explain(desc)


def test_onnx_conformance(monkeypatch, capsys):
    monkeypatch.setattr(lp, "Library", engine.PackageLibrary)
    monkeypatch.setattr(sys, "argv", ["conformance.py", "--library", engine.LIBRARY])
    failed = conformance.main()
    output = capsys.readouterr().out
    assert not failed, output
    passed = int(output.splitlines()[-1].split()[0])
    assert passed > 5000
    print(output)


def test_compared_with_onnx_runtime():
    assert ort_compare.compare(PACKAGE, count=600, seed=2) == 0
