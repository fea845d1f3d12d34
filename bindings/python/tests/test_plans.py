"""Plans: errors, pickles, views, threads."""

import pickle
import threading
import time

import lanepool
import numpy as np
import pytest
from lanepool._plan import _cached

X = np.arange(2 * 3 * 8 * 9, dtype=np.float32).reshape(2, 3, 8, 9)


def error_of(function, *arguments, **options):
    with pytest.raises(lanepool.Error) as caught:
        function(*arguments, **options)
    return caught.value


def test_error_says_what_is_wrong():
    error = error_of(lanepool.Plan, "average", X.shape, X.dtype, (3, 0))
    assert isinstance(error, ValueError)
    assert str(error) == "kernel[1] is 0; it must be at least 1"
    said = (error.status, error.field, error.axis, error.value, error.limit)
    assert said == ("KERNEL", "kernel", 1, 0, 1)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.limit == 1


def test_error_of_a_real_number():
    error = error_of(lanepool.lp_pool, X, 3, p=0.5)
    assert (error.status, error.field, error.value) == ("POLICY", "lp_order", 0.5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("avg", X.shape), "op is 'avg'; it must be one of average, max, min, sum, lp, max_unpool"),
        (("max", (3, 4)), "the shape has 2 entries; it must have 3 to 5"),
        (("max", X.shape, ">f4", 2), "dtype >f4 is of another byte order"),
        (("max", X.shape, "i8", 2), "x_type is 'int64'; it must be one of float32, float64"),
        (("max", X.shape, "f4", (2, 2, 2)), "kernel_shape has 3 entries; it must have 2"),
        (("max", X.shape, "f4", 2**63), "kernel is 9223372036854775808; it leaves 64 bits"),
    ],
)
def test_what_is_no_plan(arguments, sentence):
    assert str(error_of(lanepool.Plan, *arguments)).startswith(sentence)


def test_options_that_do_not_exist():
    with pytest.raises(TypeError, match="no option stride"):
        lanepool.max_pool(X, 2, stride=2)
    error = error_of(lanepool.max_pool, X, 2, dialect="caffe")
    assert error.field == "dialect"
    error = error_of(lanepool.max_pool, X, 2, targets=["AVX9"])
    assert error.value == "AVX9"
    with pytest.raises(TypeError):
        lanepool.max_pool(X, 2.5)


def test_arrays_that_do_not_fit():
    plan = lanepool.Plan("average", X.shape, X.dtype, 2)
    assert str(error_of(plan.run, X[:1])) == "x has size 1 along axis 0; the plan is for 2"
    assert error_of(plan.run, X[0]).status == "DIM"
    assert str(error_of(plan.run, X.astype(np.float64))).endswith("the plan is for float32")
    assert error_of(plan.run, X.astype(">f4")).status == "TYPE"
    assert error_of(plan.run, X, np.empty((2, 3, 7, 7), np.float32)).field == "out"
    out = np.empty((2, 3, 7, 8), np.float32)
    out.flags.writeable = False
    assert str(error_of(plan.run, X, out)) == "out is read-only"
    assert error_of(plan.run, X, None, np.empty((2, 3, 7, 8), int)).field == "indices"
    with pytest.raises(TypeError, match="x must be a numpy.ndarray"):
        plan.run(X.tolist())
    with pytest.raises(ValueError, match="threads"):
        plan.run(X, threads=0)


def test_views_that_the_library_has_not():
    error = error_of(lanepool.max_pool, X[..., ::-1], 2)
    assert str(error) == "x_strides[3] is -1; it must be at least 0"
    record = np.zeros(9, [("a", "u1"), ("x", "f4")])["x"][None, None]
    assert error_of(lanepool.max_pool, record, 2).status == "ALIGNMENT"
    bytes_apart = np.lib.stride_tricks.as_strided(np.zeros(9, np.float32), (1, 1, 5), (0, 0, 6))
    assert error_of(lanepool.max_pool, bytes_apart, 2).status == "ALIGNMENT"
    odd = np.zeros(41, np.uint8)[1:].view(np.float32)[None, None]
    error = error_of(lanepool.max_pool, odd, 2)
    assert str(error) == "x is not aligned to its elements; a copy of it is"
    repeated = np.broadcast_to(np.zeros((2, 3, 1, 9), np.float32), (2, 3, 8, 9))
    out = np.lib.stride_tricks.as_strided(np.zeros(99, np.float32), (2, 3, 8, 9), (0, 0, 0, 4))
    assert error_of(lanepool.max_pool, repeated, 1, out=out).field.startswith("y_strides")
    buffer = np.zeros((1, 1, 40), np.float32)
    assert (
        error_of(lanepool.max_pool, buffer[..., :20], 1, out=buffer[..., 10:30]).status == "OVERLAP"
    )


def test_an_element_that_repeats():
    one = np.broadcast_to(np.float32(3), (1, 2, 8, 8))
    np.testing.assert_array_equal(lanepool.sum_pool(one, 2), np.full((1, 2, 7, 7), 12))
    assert error_of(lanepool.sum_pool, np.broadcast_to(np.float32(3), (2, 2, 8, 8)), 2).field == "x"


def test_empty_batch():
    assert lanepool.max_pool(X[:0], 2).shape == (0, 3, 7, 8)
    assert lanepool.average_pool(X[:, :0], 2, layout="NCHW").shape == (2, 0, 7, 8)


def test_pickles_by_its_params():
    plan = lanepool.Plan(
        "max", X.shape, X.dtype, 3, strides=(2, 1), pads=1, index_dtype=np.int32, clamp=(1, 7)
    )
    again = pickle.loads(pickle.dumps(plan))
    assert type(again) is lanepool.Plan and again == plan and hash(again) == hash(plan)
    assert again.fields == plan.fields and repr(again) == repr(plan)
    for got, want in zip(again.run(X), plan.run(X)):
        np.testing.assert_array_equal(got, want)
    quantized = lanepool.Plan(
        "average", (1, 2, 4), np.uint8, 2, x_scale=[0.5, 2], x_zero_point=3, y_scale=0.25
    )
    again = pickle.loads(pickle.dumps(quantized))
    assert again == quantized and again.channels == ((0.5, 2.0), None, None, None)
    x = np.array([[[1, 9, 5, 4], [3, 0, 4, 6]]], np.uint8)
    np.testing.assert_array_equal(again.run(x), quantized.run(x))
    other = lanepool.Plan(
        "average", (1, 2, 4), np.uint8, 2, x_scale=[0.5, 3], x_zero_point=3, y_scale=0.25
    )
    assert other != quantized
    ml_dtypes = pytest.importorskip("ml_dtypes")
    half = lanepool.Plan("sum", (1, 1, 4), ml_dtypes.bfloat16, 2)
    assert pickle.loads(pickle.dumps(half)).x_dtype == ml_dtypes.bfloat16


def test_is_what_it_is():
    plan = lanepool.Plan("average", X.shape, X.dtype, 3, auto_pad="SAME_UPPER", strides=2)
    assert (plan.x_shape, plan.y_shape, plan.pads) == (X.shape, (2, 3, 4, 5), (0, 1, 1, 1))
    assert plan.explain() in repr(plan) and plan.explain().startswith("average f32 nchw 2d 3x3/2")
    assert plan.index_dtype is None and plan.y_dtype == np.float32
    assert (
        len({plan, lanepool.Plan("average", X.shape, X.dtype, 3, auto_pad="SAME_UPPER", strides=2)})
        == 1
    )
    assert plan != "plan"
    with pytest.raises(AttributeError):
        plan.pads = (0, 0, 0, 0)
    with pytest.raises(AttributeError):
        plan.anything = 1
    assert lanepool.__version__ == lanepool.version()
    assert lanepool.targets()


def test_dialects():
    torch = lanepool.Plan("average", X.shape, X.dtype, 3, pads=1, dialect="torch")
    assert torch.fields["divisor"] == "include_pad"
    own = lanepool.Plan(
        "average", X.shape, X.dtype, 3, pads=1, dialect="torch", count_include_pad=False
    )
    assert own.fields["divisor"] == "exclude_pad"
    constant = lanepool.Plan("average", X.shape, X.dtype, 3, divisor=5)
    assert constant.fields["divisor_value"] == 5


def test_ranges_make_the_whole():
    x = np.random.default_rng(3).normal(size=(3, 40, 40, 8)).astype(np.float32)
    plan = lanepool.Plan("max", x.shape, x.dtype, 5, layout="NHWC", index_dtype=np.int64)
    assert plan.work_items > 2
    y, indices = plan.run(x)
    out, its_indices = np.zeros_like(y), np.zeros_like(indices)
    step = -(-plan.work_items // 3)
    for begin in range(0, plan.work_items, step):
        plan.run_range(x, out, begin, min(begin + step, plan.work_items), its_indices)
    assert out.tobytes() == y.tobytes() and its_indices.tobytes() == indices.tobytes()
    assert error_of(plan.run_range, x, out, 0, plan.work_items + 1, its_indices).status == "RANGE"
    other = np.zeros((*out.shape[:3], 16), np.float32)[..., ::2]
    assert error_of(plan.run_range, x, other, 0, 1, its_indices).status == "VIEW"
    view = lanepool.Plan(
        "max", x.shape, x.dtype, 5, layout="NHWC", y_strides=np.array(other.strides) // 4
    )
    view.run_range(x, other, 0, view.work_items)
    np.testing.assert_array_equal(other, y)


def test_workspace():
    x = np.random.default_rng(4).integers(0, 9, (1, 1, 90, 90)).astype(np.float32)
    plan = lanepool.Plan("sum", x.shape, x.dtype, 65)
    assert plan.workspace_bytes > 0
    want = np.lib.stride_tricks.sliding_window_view(x[0, 0], (65, 65)).sum((2, 3))
    np.testing.assert_array_equal(plan.run(x)[0, 0], want)
    np.testing.assert_array_equal(plan.run(x, threads=4)[0, 0], want)


def test_wrong_index_of_unpooling():
    x, indices = np.ones((1, 1, 3), np.float32), np.array([[[0, 1, 99]]])
    out = np.full((1, 1, 6), 7, np.float32)
    error = error_of(lanepool.max_unpool, x, indices, output_size=6, out=out)
    assert error.status == "INDEX" and error.field == "indices"
    np.testing.assert_array_equal(out, 7)


def test_releases_the_gil():
    """While one thread is in the library, this one goes on."""
    x = np.zeros((1, 1, 600, 3000), np.float32)
    plan = lanepool.Plan("average", x.shape, x.dtype, 51, strict_order=True)
    spans = []

    def work():
        begin = time.perf_counter()
        plan.run(x)
        spans.append((begin, time.perf_counter()))

    thread = threading.Thread(target=work)
    ticks = []
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    ((begin, end),) = spans
    assert end - begin > 0.05
    assert sum(begin < tick < end for tick in ticks) >= 10


def test_plans_are_kept_for_their_arguments():
    _cached.cache_clear()
    for _ in range(3):
        lanepool.max_pool(X, 2, strides=[2, 1])
        lanepool.max_pool(X[..., :8][..., ::2], (2, 2), strides=np.array([2, 1]))
    assert _cached.cache_info().currsize == 2
    for size in range(1, 400):
        lanepool.max_pool(np.zeros((1, 1, size), np.uint8), 1)
    assert _cached.cache_info().currsize == _cached.cache_info().maxsize == 256


def test_threads_share_plans():
    x = np.random.default_rng(5).normal(size=(1, 8, 64, 64)).astype(np.float32)
    want = {kernel: lanepool.average_pool(x, kernel) for kernel in range(1, 9)}
    wrong = []

    def work(seed):
        for kernel in np.random.default_rng(seed).integers(1, 9, 200):
            if lanepool.average_pool(x, int(kernel)).tobytes() != want[int(kernel)].tobytes():
                wrong.append(kernel)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
