"""`lanepool run`: the .npy files that it reads and writes as numpy does, those that it must refuse,
and that no half-written file is ever left."""

import io
import os
import struct
import subprocess
import sys

import numpy as np
import pytest
from tool_support import TOOL, folder, refuse, succeed, succeed_json  # noqa: F401

MAX = ("--op", "max", "--kernel", "2")
LITERAL = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 4), }"
DATA = np.array([4, 1, 2, 3], np.float32).tobytes()


def npy(literal=LITERAL, data=DATA, version=(1, 0), length=None):
    header = (literal if isinstance(literal, bytes) else literal.encode()) + b"\n"
    size = len(header) if length is None else length
    packed = struct.pack("<H" if version[0] == 1 else "<I", size)
    return b"\x93NUMPY" + bytes(version) + packed + header + data


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions(folder, version):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.frombuffer(DATA, "<f4").reshape(1, 1, 4), version)
    folder.x.write_bytes(stream.getvalue())
    assert folder.run(*MAX).tolist() == [[[4, 2, 3]]]


@pytest.mark.parametrize(
    "literal",
    [
        LITERAL,
        '{"shape":(1,1,4),"descr":"<f4","fortran_order":False}',
        "  { 'fortran_order' : False , 'shape' : ( 1 , 1 , 4 , ) , 'descr' : '<f4' }   ",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1L, 1L, 4L), }",
    ],
)
def test_spellings_of_the_header(folder, literal):
    folder.x.write_bytes(npy(literal))
    assert folder.run(*MAX).tolist() == [[[4, 2, 3]]]


def test_what_is_written_is_what_numpy_writes(folder):
    folder.save(np.random.default_rng(1).standard_normal((2, 3, 5, 7)).astype(np.float32))
    y = folder.run(*MAX)
    stream = io.BytesIO()
    np.save(stream, y)
    assert folder.y.read_bytes() == stream.getvalue()


def with_shape(shape):
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }"


def with_descr(descr):
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (1, 1, 4), }"


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", "not a .npy file"),
        (b"\x93NUMP", "not a .npy file"),
        (b"P5 4 1 255 " + DATA, "not a .npy file"),
        (npy(version=(4, 0)), "version 4.0"),
        (npy(version=(1, 7)), "version 1.7"),
        (npy()[:8], "ends within its header"),
        (npy()[:9], "ends within its header"),
        (npy(version=(2, 0))[:10], "ends within its header"),
        (npy()[:30], "ends within its header"),
        (npy(length=65535), "ends within its header"),
        (npy(version=(2, 0), length=0xFFFFFFFF), "too long"),
        (npy(version=(3, 0), length=0x7FFFFFFF), "too long"),
        (npy(length=0), "broken"),
        (npy(length=5), "broken"),
        (npy(data=b""), "needs 16 bytes, the file has 0"),
        (npy(data=DATA[:15]), "needs 16 bytes, the file has 15"),
        (npy(data=DATA + b"x"), "needs 16 bytes, the file has 17"),
        (npy(with_shape("(1, 1, 4611686018427387904)")), "too large"),
        (npy(with_shape("(4294967296, 4294967296, 4)")), "too large"),
        (npy(with_shape("(1, 1, 99999999999999999999)")), "64 bits"),
        (npy(with_shape("(1, 1, 1000000000000)")), "needs 4000000000000 bytes"),
        (npy(with_shape("(1, 1, -4)")), "broken"),
        (npy(with_shape("(1, 1, 4")), "broken"),
        (npy(with_shape("(4)")), "broken"),
        (npy(with_shape("[1, 1, 4]")), "broken"),
        (npy(with_shape("(" + "1, " * 40 + ")")), "32 axes"),
        (npy(with_shape("(" + "1, " * 9000 + ")")), "32 axes"),
        (npy(with_shape("()"), data=DATA[:4]), "0 axes"),
        (npy(with_shape("(4,)")), "1 axes"),
        (npy(with_shape("(1, 1, 4), 'shape': (1, 1, 4)")), "twice"),
        (npy(with_shape("(1, 1, 4), 'extra': 1")), "unknown key"),
        (npy(with_descr("'>f4'")), "big-endian"),
        (npy(with_descr("'<c8'")), "'<c8' is not one of"),
        (npy(with_descr("'|O'")), "not known"),
        (npy(with_descr("'<f16'")), "not one of"),
        (npy(with_descr("''")), "not known"),
        (npy(with_descr("'" + "<f4" * 5000 + "'")), "not one of"),
        (npy(with_descr("[('a', '<f4')]")), "records"),
        (npy("{'descr': '<f4, "), "does not end"),
        (npy(with_descr("4")), "broken"),
        (npy(LITERAL.replace("False", "True")), "Fortran order"),
        (npy(LITERAL.replace("False", "Maybe")), "broken"),
        (npy("{'descr': '<f4', 'fortran_order': False, }"), "lacks 'shape'"),
        (npy("{'descr': '<f4', 'shape': (1, 1, 4), }"), "lacks 'fortran_order'"),
        (npy("{'fortran_order': False, 'shape': (1, 1, 4), }"), "lacks 'descr'"),
        (npy("{}"), "lacks"),
        (npy(LITERAL + "; import os"), "broken"),
        (npy(b"{'descr': '\xff\n\x00\x1b[2J', 'fortran_order': False, 'shape': (1,), }"), "not one of"),
        (npy("{" * 60000), "broken"),
        (npy(" " * 60000), "broken"),
    ],
)
def test_what_is_refused(folder, content, says):
    folder.x.write_bytes(content)
    assert says in folder.refuse_run(*MAX)


def test_every_shortened_file_is_refused(folder):
    whole = npy()
    for size in range(len(whole)):
        folder.x.write_bytes(whole[:size])
        folder.refuse_run(*MAX)


def test_files_with_one_wrong_byte(folder):
    """None may be more than refused or read."""
    whole = bytearray(npy())
    random = np.random.default_rng(2)
    for position in range(len(whole) - len(DATA)):
        changed = bytearray(whole)
        changed[position] ^= int(random.integers(1, 256))
        folder.x.write_bytes(bytes(changed))
        try:
            expected = np.load(folder.x, allow_pickle=False)
        except Exception:
            folder.refuse_run(*MAX)
            continue
        if expected.dtype == np.dtype("<f4") and expected.ndim == 3:
            assert folder.run(*MAX).shape == (*expected.shape[:2], expected.shape[2] - 1)


def test_a_sparse_file_of_a_terabyte(folder):
    with open(folder.x, "wb") as file:
        file.write(npy(with_shape("(1, 1, 250000000000)"), data=b""))
        try:
            file.truncate(file.tell() + 10**12)
        except OSError:
            pytest.skip("the file system has no sparse files")
    assert "memory" in folder.refuse_run(*MAX)


# --- the outcome of a run ----------------------------------------------------------------------
def test_run_of_the_layouts(folder):
    x = np.arange(2 * 3 * 4 * 6, dtype=np.float32).reshape(2, 3, 4, 6)
    expected = x.reshape(2, 3, 2, 2, 3, 2).max(axis=(3, 5))
    folder.save(x)
    y = folder.run("--op", "max", "--kernel", "2", "--strides", "2")
    assert y.dtype == np.float32 and np.array_equal(y, expected)
    folder.save(np.ascontiguousarray(x.transpose(0, 2, 3, 1)))
    y = folder.run("--op", "max", "--layout", "nhwc", "--kernel", "2", "--strides", "2")
    assert np.array_equal(y.transpose(0, 3, 1, 2), expected)


def test_run_gives_the_same_bytes_on_any_threads_and_target(folder):
    x = np.random.default_rng(1).standard_normal((2, 5, 33, 21)).astype(np.float32)
    folder.save(x)
    words = ["--op", "average", "--kernel", "3", "--pads", "1"]
    first = folder.run(*words).tobytes()
    for threads in [2, 5]:
        assert folder.run(*words, "--threads", threads).tobytes() == first
    for target in succeed_json("info")["targets_supported"]:
        assert folder.run(*words, "--target", target).tobytes() == first


@pytest.mark.parametrize("shape", [(0, 3, 4, 4), (2, 0, 4, 4)])
def test_run_of_nothing(folder, shape):
    folder.save(np.zeros(shape, np.float32))
    y = folder.run("--op", "average", "--kernel", "2")
    assert y.shape == (*shape[:2], 3, 3)


def test_run_replaces_a_file_and_follows_a_link(folder):
    folder.save(np.ones((1, 1, 4), np.float32))
    folder.y.write_text("old")
    assert folder.run("--op", "max", "--kernel", "2").shape == (1, 1, 3)
    link = folder.path / "link.npy"
    link.symlink_to("y.npy")
    succeed("run", "--in", folder.x, "--out", link, "--op", "max", "--kernel", "4")
    assert link.is_symlink() and np.load(folder.y).shape == (1, 1, 1)


def test_run_in_place(folder):
    folder.save(np.ones((1, 1, 4), np.float32))
    succeed("run", "--in", folder.x, "--out", folder.x, "--op", "max", "--kernel", "2")
    assert np.load(folder.x).shape == (1, 1, 3)


def test_refused_runs_leave_everything_as_it_was(folder):
    folder.save(np.ones((1, 1, 4), np.float32))
    folder.y.write_text("old")
    assert "EMPTY_OUTPUT" in folder.refuse_run("--op", "max", "--kernel", "5")
    assert "--index-out" in folder.refuse_run("--op", "max", "--kernel", "2", "--indices", folder.y)
    assert "memory" in folder.refuse_run("--op", "max", "--kernel", "1", "--pads", "99999999999")
    assert folder.y.read_text() == "old"


def test_a_special_file_is_not_replaced(folder):
    """A pipe stands for all of them: a faulty tool must have nothing worse to destroy."""
    folder.save(np.ones((1, 1, 4), np.float32))
    os.mkfifo(folder.y)
    assert "not a regular file" in folder.refuse_run("--op", "max", "--kernel", "2")
    assert folder.y.is_fifo()


@pytest.mark.parametrize("out", ["missing/y.npy", "", "."])
def test_where_no_file_can_be_put(folder, out):
    folder.save(np.ones((1, 1, 4), np.float32))
    place = folder.path / out if out else ""
    words = ["--op", "max", "--kernel", "2"]
    refuse("run", "--in", folder.x, "--out", place, *words)
    assert os.listdir(folder.path) == ["x.npy"]


def test_a_full_disk_leaves_no_file(folder):
    folder.save(np.ones((1, 1, 100000), np.float32))
    limit = f'ulimit -f 8; trap "" XFSZ; exec "{TOOL}" "$@"'
    words = ["run", "--in", folder.x, "--out", folder.y, "--op", "max", "--kernel", "2"]
    done = subprocess.run(["bash", "-c", limit, "bash", *map(str, words)], capture_output=True)
    assert done.returncode == 1 and done.stderr.count(b"\n") == 1
    assert os.listdir(folder.path) == ["x.npy"]


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "u1", "i1", "u2", "i2", "i4"])
def test_all_types(folder, kind):
    folder.save(np.arange(8).astype(kind).reshape(1, 1, 8))
    y = folder.run("--op", "max", "--kernel", "2")
    assert y.dtype == np.dtype(kind) and np.array_equal(y.ravel(), np.arange(1, 8))


def test_types_that_no_op_has(folder):
    folder.save(np.arange(8).reshape(1, 1, 8))
    assert "TYPE" in folder.refuse_run(*MAX)


# --- bf16, which numpy has not -----------------------------------------------------------------
BF16 = np.array([0x3F80, 0xC000, 0x7FC0, 0x4120], np.uint16).reshape(1, 1, 4)  # 1, -2, NaN, 10
BF16_MAXIMA = [0x3F80, 0x7FC0, 0x7FC0]


def test_bf16_in_files_of_u16(folder):
    folder.save(BF16)
    y = folder.run(*MAX, "--bf16")
    assert y.dtype == np.uint16 and y.ravel().tolist() == BF16_MAXIMA
    assert folder.run(*MAX).ravel().tolist() == [0xC000, 0xC000, 0x7FC0], "integers without --bf16"


def test_bf16_in_files_of_two_byte_void(folder):
    folder.save(BF16.view("V2"))
    y = folder.run(*MAX)
    assert y.dtype == np.dtype("V2") and y.view(np.uint16).ravel().tolist() == BF16_MAXIMA


@pytest.mark.parametrize("kind, name", [("f4", "f32"), ("f2", "f16"), ("i2", "s16"), ("V2", "bf16")])
def test_bf16_of_other_files(folder, kind, name):
    folder.save(np.zeros((1, 1, 4), kind))
    assert f"--bf16 is for elements of u16, these are {name}" in folder.refuse_run(*MAX, "--bf16")


def test_indices(folder):
    folder.save(np.array([3, 1, 2, 5], np.float32).reshape(1, 1, 4))
    indices = folder.path.parent / "i.npy"
    for option in ["--index-out", "--indices"]:
        folder.run(*MAX, option, indices)
        assert np.load(indices).tolist() == [[[0, 2, 3]]]
        indices.unlink()


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", *sys.argv[1:], __file__]))
