"""Random jobs on arrays of any strides, bit for bit against plain NumPy."""

import lanepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive

SIZES = {1: 12, 2: 9, 3: 5}
MEANS = {"float32": naive.strict_mean, "float64": naive.strict_mean}
INTEGERS = ("uint8", "int8", "uint16", "int16", "int32")
TYPES = ("float32", "float64", "float16", *INTEGERS)


@st.composite
def jobs(draw):
    """A dense x, and the attributes of a window."""
    rank = draw(st.integers(1, 3))

    def entries(low, high, count=rank):
        return tuple(draw(st.lists(st.integers(low, high), min_size=count, max_size=count)))

    shape = (*entries(1, 4, 2), *entries(1, SIZES[rank]))
    attributes = {
        "kernel_shape": entries(1, 4),
        "strides": entries(1, 3),
        "dilations": entries(1, 2),
        "pads": entries(0, 2, 2 * rank),
        "ceil_mode": draw(st.booleans()),
    }
    dtype = np.dtype(draw(st.sampled_from(TYPES)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    if dtype.kind == "f":
        x = np.round(rng.normal(size=shape) * 64).astype(dtype)
    else:
        info = np.iinfo(dtype)
        x = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    return x, attributes, rng


def strided(array, rng):
    """A copy of the array with another order of axes in memory, gaps, and an offset."""
    order = rng.permutation(array.ndim)
    gaps = rng.integers(1, 3, array.ndim)
    room = np.zeros(
        [size * gap + 1 for size, gap in zip(np.array(array.shape)[order], gaps)], array.dtype
    )
    room.view(np.uint8)[...] = 0xA5
    view = room[tuple(slice(1, None, gap) for gap in gaps)]
    view = view[tuple(slice(size) for size in np.array(array.shape)[order])]
    view = view.transpose(np.argsort(order))
    assert view.shape == array.shape
    view[...] = array
    return view, room


def check(function, want, x, attributes, rng, **options):
    """Calls it with dense and strided arrays in both layouts, and on several threads."""
    for layout in ("NCHW", "NHWC"):
        if layout == "NHWC":
            x, want = np.moveaxis(x, 1, -1), np.moveaxis(want, 1, -1)
        dense = np.ascontiguousarray(x)
        arguments = {**attributes, **options, "layout": layout}
        kernel = arguments.pop("kernel_shape")
        y = function(dense, kernel, **arguments)
        assert y.dtype == want.dtype and y.flags.c_contiguous
        np.testing.assert_array_equal(y, want)
        np.testing.assert_array_equal(function(dense, kernel, threads=3, **arguments), want)
        view, _ = strided(dense, rng)
        np.testing.assert_array_equal(function(view, kernel, **arguments), want)
        out, room = strided(np.zeros_like(want), rng)
        before = room.copy()
        assert function(view, kernel, out=out, **arguments) is out
        np.testing.assert_array_equal(out, want)
        out[...] = 0  # what is between the elements is as it was
        assert room.tobytes() == before.tobytes()


def window_of(attributes):
    names = ("kernel_shape", "strides", "dilations", "pads", "ceil_mode")
    return tuple(attributes[name] for name in names)


@settings(max_examples=150)
@given(jobs())
def test_maxima_and_minima(job):
    x, attributes, rng = job
    want = naive.pool(x, naive.largest, *window_of(attributes))
    if want is None:
        with pytest.raises(lanepool.Error, match="larger than the padded input"):
            lanepool.max_pool(x, **attributes)
        return
    check(lanepool.max_pool, want + 0, x, attributes, rng)
    want = naive.pool(x, naive.smallest, *window_of(attributes))
    check(lanepool.min_pool, want + 0, x, attributes, rng)


@settings(max_examples=200)
@given(jobs(), st.booleans())
def test_averages(job, count_include_pad):
    x, attributes, rng = job
    if x.dtype == np.int32 or x.dtype == np.float16:
        x = x.astype(np.int16 if x.dtype == np.int32 else np.float32)
    mean = naive.strict_mean if x.dtype.kind == "f" else naive.mean_of_integers

    def reduce(window, divisor):
        return mean(window, divisor if count_include_pad else window.shape[-1])

    want = naive.pool(x, reduce, *window_of(attributes))
    if want is None:
        return
    options = {"count_include_pad": count_include_pad, "strict_order": True}
    check(lanepool.average_pool, want + 0, x, attributes, rng, **options)


@settings(max_examples=60)
@given(jobs())
def test_indices_lead_back(job):
    x, attributes, rng = job
    if naive.pool(x, naive.largest, *window_of(attributes)) is None:
        return
    view, _ = strided(x, rng)
    y, indices = lanepool.max_pool(view, **attributes, return_indices=True)
    np.testing.assert_array_equal(y, lanepool.max_pool(x, **attributes))
    inside = indices >= 0
    np.testing.assert_array_equal(np.ravel(x)[indices[inside]], y[inside])
    back = np.zeros(x.size, x.dtype)
    back[indices[inside]] = y[inside]
    plane = {"index_mode": "plane", "return_indices": True, "index_dtype": np.int32}
    y, indices = lanepool.max_pool(view, **attributes, **plane)
    assert indices.dtype == np.int32
    got = lanepool.max_unpool(
        y, strided(indices, rng)[0], output_size=x.shape[2:], index_mode="plane"
    )
    np.testing.assert_array_equal(got, back.reshape(x.shape))


def test_sums_and_norms():
    x = np.arange(24, dtype=np.float64).reshape(1, 2, 12)
    pairs = x.reshape(1, 2, 6, 2)
    np.testing.assert_array_equal(lanepool.sum_pool(x, 2, strides=2), pairs.sum(-1))
    for p in (1, 2, 3, np.inf):
        want = np.linalg.norm(pairs, p, axis=-1)
        np.testing.assert_allclose(lanepool.lp_pool(x, 2, p, strides=2), want, rtol=1e-12)
        want = np.linalg.norm(x, p, axis=-1, keepdims=True)
        np.testing.assert_allclose(lanepool.global_lp_pool(x, p), want, rtol=1e-12)


def test_global_and_adaptive():
    x = np.random.default_rng(1).normal(size=(2, 3, 6, 10))
    np.testing.assert_allclose(lanepool.global_average_pool(x), x.mean((2, 3), keepdims=True))
    np.testing.assert_array_equal(lanepool.global_max_pool(x), x.max((2, 3), keepdims=True))
    y, indices = lanepool.global_max_pool(x, return_indices=True)
    np.testing.assert_array_equal(np.ravel(x)[indices], y)
    blocks = x.reshape(2, 3, 3, 2, 5, 2)
    np.testing.assert_allclose(lanepool.adaptive_average_pool(x, (3, 5)), blocks.mean((3, 5)))
    np.testing.assert_array_equal(lanepool.adaptive_max_pool(x, [3, 5]), blocks.max((3, 5)))
    assert lanepool.adaptive_max_pool(x, 4, layout="NHWC").shape == (2, 4, 4, 10)


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.arange(16).reshape(1, 1, 16).astype(ml_dtypes.bfloat16)
    y = lanepool.average_pool(x, 2, strides=2)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y.astype(float), np.arange(0.5, 16, 2)[None, None])


def test_nan_and_clamp():
    x = np.array([[[1, np.nan, 2, 9, np.nan, np.nan]]], np.float32)
    y = lanepool.average_pool(x, 2, strides=2, nan_rule="ignore", clamp=(0, 5))
    np.testing.assert_array_equal(y, [[[1, 5, np.nan]]])


def test_f32_sums_in_f64():
    x = np.full((1, 1, 2), 3e38, np.float32)
    assert np.isinf(lanepool.average_pool(x, 2))
    assert lanepool.average_pool(x, 2, accumulate_f64=True) == np.float32(3e38)


def test_quantized_with_the_rules_of_onnx_runtime():
    x = np.array([[[0, 1, 1, 2, 2, 3, 3, 4]]], np.uint8)
    y = lanepool.qlinear_average_pool(x, 1.0, 0, 1.0, 1, 2, strides=2)
    np.testing.assert_array_equal(y, [[[2, 2, 4, 4]]])  # after the zero point
    y = lanepool.qlinear_average_pool(x[..., :2], 1.0, 0, 1.0, 1, 2)
    np.testing.assert_array_equal(y, [[[1]]])  # the window is all of x: before it
    y = lanepool.qlinear_global_average_pool(x[..., :2], 1.0, 0, 1.0, 1)
    np.testing.assert_array_equal(y, [[[1]]])
    padded = lanepool.qlinear_average_pool(
        x, 1.0, 0, 0.5, 0, 2, strides=2, pads=(1, 1), count_include_pad=True
    )
    np.testing.assert_array_equal(padded, [[[0, 2, 4, 6, 4]]])
    hangs_over = lanepool.qlinear_average_pool(
        np.full((1, 1, 3), 4, np.uint8),
        1.0,
        0,
        1.0,
        0,
        2,
        strides=2,
        ceil_mode=True,
        count_include_pad=True,
    )
    np.testing.assert_array_equal(hangs_over, [[[4, 2]]])  # by the whole kernel


def test_quantized_channels():
    x = np.array([[[1, 3], [5, 7]]], np.uint8)
    y = lanepool.qlinear_average_pool(x, [1.0, 2.0], [0, 0], 1.0, 0, 2)
    np.testing.assert_array_equal(y, [[[2], [12]]])
    strided_x = np.zeros((1, 2, 4), np.uint8)
    strided_x[..., ::2] = x
    y = lanepool.qlinear_average_pool(strided_x[..., ::2], np.array([1.0, 2.0]), 0, 1.0, 0, 2)
    np.testing.assert_array_equal(y, [[[2], [12]]])
    with pytest.raises(lanepool.Error, match="one for each channel"):
        lanepool.qlinear_average_pool(x, [1.0, 2.0, 3.0], 0, 1.0, 0, 2)


def test_types_that_change():
    x = np.array([[[1, 2, 3, 5]]], np.uint8)
    plan = lanepool.Plan("average", x.shape, x.dtype, 2, strides=2, y_dtype=np.float32)
    np.testing.assert_array_equal(plan.run(x), np.float32([[[1.5, 4]]]))
