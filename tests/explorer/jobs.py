"""Random jobs of the explorer: as its form and its address have them, as params of the library, and
the windows that docs/semantics.md gives them."""

import itertools
import math
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "onnx"))
import lanepool_ctypes as lp  # noqa: E402  pylint: disable=wrong-import-position

OPS = {"average": 1, "max": 2, "min": 3, "sum": 4, "lp": 5}
DIALECTS = {"onnx": 0, "ort": 1, "torch": 2, "tflite": 3, "onednn": 4}
AUTO_PADS = {"notset": 0, "valid": 1, "same_upper": 2, "same_lower": 3}
CEILS = {"0": 0, "1": 1, "keep": 2}
DIVISORS = {"exclude": 0, "include": 1, "full": 2, "constant": 3}
POLICIES = {
    "validCeil": ("valid_ceil", ["ceil", "floor"]),
    "oversizeKernel": ("oversize_kernel", ["reject", "truncate"]),
    "emptyWindow": ("empty_window", ["zero", "nan", "reject"]),
    "rounding": ("rounding", ["half_even", "after_zero_point", "half_away"]),
}
MOST_SIZE = {1: 24, 2: 10, 3: 6}
TYPES = {"f32": (lp.TYPE_FLOAT, np.float32), "u8": (lp.TYPE_UINT8, np.uint8)}


def random_job(rng):
    """A job of any kind; a few are refused."""
    rank = int(rng.choice([1, 2, 2, 2, 3]))

    def numbers(low, high):
        return [int(v) for v in rng.integers(low, high + 1, rank)]

    op = str(rng.choice(["average"] * 4 + ["max", "max", "min", "sum", "lp"]))
    job = {
        "op": op,
        "dialect": str(rng.choice(list(DIALECTS))),
        "type": str(rng.choice(["f32", "f32", "u8"])) if op in ("average", "max", "min") else "f32",
        "layout": str(rng.choice(["nchw", "nhwc"])),
        "window": str(rng.choice(["kernel"] * 8 + ["global", "adaptive"])),
        "rank": rank,
        "batch": int(rng.integers(1, 3)),
        "channels": int(rng.choice([1, 3, 64])),
        "input": numbers(1, MOST_SIZE[rank]),
        "kernel": numbers(1, 4),
        "strides": numbers(1, 4),
        "dilations": numbers(1, 3) if rng.random() < 0.25 else [1] * rank,
        "begin": numbers(0, 2),
        "end": numbers(0, 2),
        "size": numbers(1, 4),
        "autoPad": str(rng.choice(["notset"] * 3 + list(AUTO_PADS))),
        "ceilMode": str(rng.choice(["0", "1", "keep"], p=[0.4, 0.45, 0.15])),
        "divisor": str(rng.choice(["", "", *DIVISORS])),
        "divisorValue": int(rng.integers(1, 20)),
    }
    if rng.random() < 0.5:
        job["end"] = list(job["begin"])
    if job["window"] != "kernel":
        job["autoPad"], job["ceilMode"] = "notset", "0"
    for name, (_, values) in POLICIES.items():
        job[name] = str(rng.choice(values)) if rng.random() < 0.15 else ""
    return job


def has_pads(job):
    return job["window"] == "kernel" and job["autoPad"] == "notset"


def shape(job, spatial=None):
    spatial = list(job["input"] if spatial is None else spatial)
    if job["layout"] == "nhwc":
        return [job["batch"], *spatial, job["channels"]]
    return [job["batch"], job["channels"], *spatial]


def options_of(job):
    """The options of the command-line tool, which are the terms of the page's address."""

    def listed(values):
        return ",".join(map(str, values))

    options = {"op": job["op"], "shape": listed(shape(job))}
    usual = {"layout": "nchw", "type": "f32", "dialect": "onnx"}
    options |= {name: job[name] for name, value in usual.items() if job[name] != value}
    if job["window"] == "kernel":
        options["kernel"] = listed(job["kernel"])
        for name in ("strides", "dilations"):
            if set(job[name]) != {1}:
                options[name] = listed(job[name])
        if job["autoPad"] != "notset":
            options["auto-pad"] = job["autoPad"]
        elif any(job["begin"] + job["end"]):
            options["pads"] = listed(job["begin"] + job["end"])
    else:
        options[job["window"]] = ""
        if job["window"] == "adaptive":
            options["output-size"] = listed(job["size"])
    if job["ceilMode"] != "0":
        options["ceil-mode"] = job["ceilMode"]
    if job["divisor"]:
        constant = job["divisor"] == "constant"
        options["divisor"] = str(job["divisorValue"]) if constant else job["divisor"]
    for name, (field, _) in POLICIES.items():
        if job[name]:
            options[field.replace("_", "-")] = job[name]
    return options


def address_of(options):
    return "&".join(f"{name}={value}" if value else name for name, value in options.items())


def form_of(job):
    """What is entered into the form, in an order in which every field is there."""
    names = ["rank", "window", "op", "dialect", "type", "layout", "batch", "channels", "divisor"]
    if job["window"] == "kernel":
        names += ["autoPad", "ceilMode"]
    entered = [(name, str(job[name])) for name in [*names, *POLICIES]]
    if job["divisor"] == "constant":
        entered.append(("divisorValue", str(job["divisorValue"])))
    axes = ["input"]
    if job["window"] == "kernel":
        axes += ["kernel", "strides", "dilations", *(["begin", "end"] if has_pads(job) else [])]
    elif job["window"] == "adaptive":
        axes.append("size")
    letters = "DHW"[3 - job["rank"] :]
    for name in axes:
        entered += [(name + letter, str(v)) for letter, v in zip(letters, job[name])]
    return entered


def params_of(library, job):
    params = library.params(DIALECTS[job["dialect"]])
    params.op, params.rank = OPS[job["op"]], job["rank"]
    params.layout = lp.LAYOUT_NHWC if job["layout"] == "nhwc" else lp.LAYOUT_NCHW
    params.x_type = params.y_type = TYPES[job["type"]][0]
    params.batch, params.channels = job["batch"], job["channels"]
    params.input[: job["rank"]] = job["input"]
    if job["window"] == "kernel":
        for name in ("kernel", "strides", "dilations"):
            getattr(params, name)[: job["rank"]] = job[name]
        params.auto_pad = AUTO_PADS[job["autoPad"]]
        if has_pads(job):
            params.pads_begin[: job["rank"]] = job["begin"]
            params.pads_end[: job["rank"]] = job["end"]
    elif job["window"] == "global":
        params.flags = lp.FLAG_GLOBAL
    else:
        params.flags = lp.FLAG_ADAPTIVE
        params.output_size[: job["rank"]] = job["size"]
    params.ceil_mode = CEILS[job["ceilMode"]]
    if job["divisor"]:
        params.divisor = DIVISORS[job["divisor"]]
        params.divisor_value = job["divisorValue"] if job["divisor"] == "constant" else 0
    for name, (field, values) in POLICIES.items():
        if job[name]:
            setattr(params, field, values.index(job[name]))
    return params


def axis_taps(params, desc, axis, output):
    """The positions of a window's taps, section 2 of the semantics."""
    n = params.input[axis]
    if params.flags & lp.FLAG_GLOBAL:
        return list(range(n))
    if params.flags & lp.FLAG_ADAPTIVE:
        m = desc.output[axis]
        return list(range(output * n // m, -(-(output + 1) * n // m)))
    start = output * params.strides[axis] - desc.pads_begin[axis]
    return [start + j * params.dilations[axis] for j in range(params.kernel[axis])]


def windows(params, desc):
    """(taps inside, divisor of an average) of each output of a channel, in row-major order."""
    rank = params.rank
    for output in itertools.product(*(range(desc.output[i]) for i in range(rank))):
        taps = [axis_taps(params, desc, i, o) for i, o in enumerate(output)]
        sizes = [params.input[i] for i in range(rank)]
        ends = [sizes[i] + desc.pads_end[i] for i in range(rank)]
        inside = math.prod(sum(0 <= t < n for t in line) for line, n in zip(taps, sizes))
        counted = math.prod(sum(t < end for t in line) for line, end in zip(taps, ends))
        whole = math.prod(map(len, taps))
        yield inside, [inside, counted, whole, params.divisor_value][params.divisor]


def pooled(library, params, kind):
    """One channel of 0, 1, 2, ... pooled by the library; bytes begin again after 255."""
    params.batch = params.channels = 1
    desc = library.plan(params)
    count = math.prod(params.input[: params.rank])
    x = (np.arange(count) % 256 if kind == "u8" else np.arange(count)).astype(TYPES[kind][1])
    y = np.empty(desc.element_count, x.dtype)
    library.run(desc, x, y)
    return y


def example(kind, sizes):
    """What pooled() pools, as N C D H W."""
    count = math.prod(sizes)
    return (np.arange(count) % 256).astype(TYPES[kind][1]).reshape(1, 1, *sizes)
