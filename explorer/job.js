// The job that the page shows: its fields, as the form has them, as params of the library, and as
// the part of the address behind #, which has the names of the command-line tool's options.
import { TYPE } from "./library.js";

export const CODES = {
  op: { average: 1, max: 2, min: 3, sum: 4, lp: 5 },
  layout: { nchw: 1, nhwc: 2 },
  type: { f32: TYPE.f32, u8: TYPE.u8 },
  dialect: { onnx: 0, ort: 1, torch: 2, tflite: 3, onednn: 4 },
  autoPad: { notset: 0, valid: 1, same_upper: 2, same_lower: 3 },
  ceilMode: { 0: 0, 1: 1, keep: 2 },
  divisor: { exclude: 0, include: 1, full: 2, constant: 3 },
  validCeil: { ceil: 0, floor: 1 },
  oversizeKernel: { reject: 0, truncate: 1 },
  emptyWindow: { zero: 0, nan: 1, reject: 2 },
  rounding: { half_even: 0, after_zero_point: 1, half_away: 2 },
};
const FLAG_GLOBAL = 1,
  FLAG_ADAPTIVE = 16;

// Fields with one value; those whose default is "" are the dialect's.
export const SINGLE = {
  op: "average",
  dialect: "onnx",
  layout: "nchw",
  type: "f32",
  window: "kernel",
  autoPad: "notset",
  ceilMode: "0",
  divisor: "",
  validCeil: "",
  oversizeKernel: "",
  emptyWindow: "",
  rounding: "",
};
// Numbers, and fields with one for each of D, H, W: the last `rank` of them count.
export const NUMBERS = { batch: 1, channels: 1, divisorValue: 9 };
export const AXES = { input: 5, kernel: 3, strides: 2, dilations: 1, begin: 1, end: 1, size: 2 };
const RULES = {
  validCeil: "valid_ceil",
  oversizeKernel: "oversize_kernel",
  emptyWindow: "empty_window",
  rounding: "rounding",
};

export function usualJob() {
  const axes = Object.entries(AXES).map(([name, value]) => [name, [value, value, value]]);
  return { ...SINGLE, ...NUMBERS, rank: 2, ...Object.fromEntries(axes) };
}

export const entries = (job, name) => job[name].slice(3 - job.rank);
export const axisNames = (rank) => ["D", "H", "W"].slice(3 - rank);
export const pads = (job) => job.window === "kernel" && job.autoPad === "notset";

// The shape of x, or of y with its spatial sizes, in the order of the layout.
export function shape(job, spatial = entries(job, "input")) {
  return job.layout === "nhwc"
    ? [job.batch, ...spatial, job.channels]
    : [job.batch, job.channels, ...spatial];
}

// By the names of lanepool_params; the dialect is an argument of its own.
export function fieldsOf(job) {
  const fields = {
    op: CODES.op[job.op],
    layout: CODES.layout[job.layout],
    rank: job.rank,
    flags: 0,
    x_type: CODES.type[job.type],
    y_type: CODES.type[job.type],
    ceil_mode: 0,
    batch: job.batch,
    channels: job.channels,
  };
  const put = (name, values) =>
    values.forEach((value, i) => {
      fields[`${name}[${i}]`] = value;
    });
  put("input", entries(job, "input"));
  if (job.window === "kernel") {
    fields.auto_pad = CODES.autoPad[job.autoPad];
    fields.ceil_mode = CODES.ceilMode[job.ceilMode];
    for (const name of ["kernel", "strides", "dilations"]) put(name, entries(job, name));
    if (pads(job)) {
      put("pads_begin", entries(job, "begin"));
      put("pads_end", entries(job, "end"));
    }
  } else {
    fields.flags = job.window === "global" ? FLAG_GLOBAL : FLAG_ADAPTIVE;
    if (job.window === "adaptive") put("output_size", entries(job, "size"));
  }
  if (job.divisor !== "") fields.divisor = CODES.divisor[job.divisor];
  if (job.divisor === "constant") fields.divisor_value = job.divisorValue;
  for (const [name, field] of Object.entries(RULES)) {
    if (job[name] !== "") fields[field] = CODES[name][job[name]];
  }
  return fields;
}

// The options of `lanepool plan` and `lanepool run`: [name, value], without those that say what
// holds anyway.
export function optionsOf(job) {
  const list = (name) => entries(job, name).join(",");
  const uneven = (name, usual) => entries(job, name).some((value) => value !== usual);
  const options = [["op", job.op]];
  const add = (name, value, needed = true) => {
    if (needed) options.push([name, String(value)]);
  };
  add("shape", shape(job).join(","));
  add("layout", job.layout, job.layout !== "nchw");
  add("type", job.type, job.type !== "f32");
  add("dialect", job.dialect, job.dialect !== "onnx");
  if (job.window === "kernel") {
    add("kernel", list("kernel"));
    add("strides", list("strides"), uneven("strides", 1));
    add("dilations", list("dilations"), uneven("dilations", 1));
    add("auto-pad", job.autoPad, job.autoPad !== "notset");
    add(
      "pads",
      `${list("begin")},${list("end")}`,
      pads(job) && (uneven("begin", 0) || uneven("end", 0)),
    );
    add("ceil-mode", job.ceilMode, job.ceilMode !== "0");
  } else {
    add(job.window, "");
    add("output-size", list("size"), job.window === "adaptive");
  }
  add("divisor", job.divisor === "constant" ? job.divisorValue : job.divisor, job.divisor !== "");
  for (const [name, field] of Object.entries(RULES)) {
    add(field.replace("_", "-"), job[name], job[name] !== "");
  }
  return options;
}

export function hashOf(job) {
  const terms = optionsOf(job).map(([name, value]) => (value === "" ? name : `${name}=${value}`));
  return `#${terms.join("&")}`;
}

function whole(text, usual) {
  return /^-?\d{1,15}$/.test(text ?? "") ? Number(text) : usual;
}

// What cannot be read is left as usual: an address is anybody's text.
export function jobOf(hash) {
  const job = usualJob();
  const options = new Map(
    hash
      .replace(/^#/, "")
      .split("&")
      .filter(Boolean)
      .map((term) => [...decodeURIComponent(term).split("="), ""]),
  );
  if (options.size === 0) return job;
  for (const name of Object.keys(SINGLE)) {
    const value = options.get(name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`));
    if (value !== undefined && CODES[name] && Object.hasOwn(CODES[name], value)) job[name] = value;
  }
  const sizes = (options.get("shape") ?? "1,1,5,5").split(",").map((text) => whole(text, 1));
  job.rank = Math.min(3, Math.max(1, sizes.length - 2));
  const first = job.layout === "nhwc" ? 1 : 2;
  job.batch = sizes[0];
  job.channels = (job.layout === "nhwc" ? sizes[job.rank + 1] : sizes[1]) ?? 1;
  const put = (name, values, usual) => {
    for (let i = 0; i < job.rank; ++i) {
      const text = values.length === 1 ? values[0] : values[i];
      job[name][3 - job.rank + i] = whole(text, usual);
    }
  };
  const numbers = (name) => (options.get(name) ?? "").split(",");
  put("input", sizes.slice(first).map(String), 5);
  put("kernel", numbers("kernel"), 3);
  put("strides", numbers("strides"), 1);
  put("dilations", numbers("dilations"), 1);
  const both = numbers("pads");
  put("begin", both.length > 1 ? both.slice(0, job.rank) : both, 0);
  put("end", both.length > 1 ? both.slice(job.rank) : both, 0);
  put("size", numbers("output-size"), 2);
  job.window = ["global", "adaptive"].find((name) => options.has(name)) ?? "kernel";
  const divisor = options.get("divisor");
  if (/^-?\d+$/.test(divisor ?? "")) {
    job.divisor = "constant";
    job.divisorValue = whole(divisor, 9);
  }
  return job;
}
