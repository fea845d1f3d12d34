// What the same attributes give elsewhere. A library takes them, as its own rules read them, or
// says why it cannot; docs/dialects.md and docs/semantics.md section 8 are the sources, and
// tests/explorer compares ONNX Runtime's row with ONNX Runtime.
import { CODES, entries, fieldsOf, pads } from "./job.js";
import { examine } from "./windows.js";

const { divisor: DIVISOR, ceilMode: CEIL, autoPad: AUTO_PAD, oversizeKernel: OVERSIZE } = CODES;
const OWN_RULES = { validCeil: "", oversizeKernel: "", emptyWindow: "", rounding: "" };

const refuse = (refusal) => ({ refusal });
const product = (values) => values.reduce((a, b) => a * b, 1);
const same = (job) => job.window === "kernel" && job.autoPad.startsWith("same");
const dilated = (job) => job.window === "kernel" && entries(job, "dilations").some((d) => d !== 1);
const padded = (job) =>
  pads(job) && [...entries(job, "begin"), ...entries(job, "end")].some((v) => v > 0);
const effective = (job) =>
  entries(job, "kernel").map((k, i) => (k - 1) * entries(job, "dilations")[i] + 1);

// Lists of entries to fields of params.
function put(fields, name, values) {
  values.forEach((value, i) => {
    fields[`${name}[${i}]`] = value;
  });
}

// The pads of SAME for windows that reach so far; not yet limited to 0.
function samePads(job, reach) {
  const [begin, end] = [[], []];
  for (const [i, n] of entries(job, "input").entries()) {
    const s = entries(job, "strides")[i];
    const total = (Math.ceil(n / s) - 1) * s + reach[i] - n;
    const small = Math.floor(total / 2);
    begin.push(job.autoPad === "same_upper" ? small : total - small);
    end.push(total - begin[i]);
  }
  return [begin, end];
}

function padBy(fields, begin, end) {
  fields.auto_pad = AUTO_PAD.notset;
  put(fields, "pads_begin", begin);
  put(fields, "pads_end", end);
  return fields;
}

function onnxRefusal(job) {
  if (job.op === "min" || job.op === "sum") return `no operator for ${job.op}`;
  if (job.window === "adaptive") return "no adaptive operator";
  if (job.op === "average" && (job.divisor === "full" || job.divisor === "constant")) {
    return "count_include_pad is 0 or 1: no such divisor";
  }
  return "";
}

function onnx(job, fields) {
  const refusal = onnxRefusal(job);
  if (refusal) return refuse(refusal);
  if (job.op === "average" && job.type === "u8") return refuse("AveragePool takes floats only");
  if (fields.ceil_mode !== CEIL[0]) fields.ceil_mode = CEIL[1];
  return { fields };
}

// Shape inference before opset 22 has no drop rule, and applies ceil_mode behind SAME.
function onnx10(job, fields) {
  const answer = onnx(job, fields);
  if (answer.refusal || fields.ceil_mode === CEIL[0]) return answer;
  fields.ceil_mode = CEIL.keep;
  if (!same(job)) return answer;
  const pads0 = samePads(job, effective(job)).map((side) => side.map((pad) => Math.max(0, pad)));
  return {
    fields: padBy(fields, ...pads0),
    because: "shape inference applies ceil_mode behind SAME, too (D4)",
  };
}

// ONNX Runtime sizes SAME's pads by the kernel as if it were not dilated, below 0 if it must.
function ortSame(job, fields) {
  const [begin, end] = samePads(job, entries(job, "kernel"));
  if ([...begin, ...end].some((pad) => pad < 0)) {
    return refuse("pads by a negative number, where the stride is beyond the kernel (D4)");
  }
  return {
    fields: padBy(fields, begin, end),
    because: dilated(job) ? "its SAME pads for the kernel without dilation (D5)" : "",
  };
}

function ort(job, fields) {
  const refusal = onnxRefusal(job);
  if (refusal) return refuse(refusal);
  if (job.ceilMode === "keep") fields.ceil_mode = CEIL[1];
  const kernel = entries(job, "kernel");
  if (
    pads(job) &&
    kernel.some((k, i) => Math.max(entries(job, "begin")[i], entries(job, "end")[i]) >= k)
  ) {
    return refuse("pads must be smaller than the kernel (D12)");
  }
  if (job.op === "average" && job.type === "u8") {
    if (dilated(job)) return refuse("QLinearAveragePool has no dilations");
    if (fields.divisor === DIVISOR.include) fields.divisor = DIVISOR.full;
  }
  return same(job) ? ortSame(job, fields) : { fields };
}

function torch(job, fields) {
  const average = job.op === "average" || job.op === "sum";
  if (job.op === "min") return refuse("no minimum; −max_pool(−x) is one");
  if (average && job.type === "u8") return refuse("avg_pool takes no bytes");
  if (job.window !== "kernel") {
    if (job.op === "average" || job.op === "max") return { fields };
    return refuse("adaptive_avg_pool and adaptive_max_pool only");
  }
  if (same(job)) return refuse("no SAME: padding is a number, the same at both ends");
  const [kernel, begin, end] = [entries(job, "kernel"), entries(job, "begin"), entries(job, "end")];
  if (pads(job) && begin.some((pad, i) => pad !== end[i]))
    return refuse("padding is the same at both ends");
  if (job.op !== "max" && dilated(job))
    return refuse(`${job.op === "lp" ? "lp" : "avg"}_pool has no dilation`);
  if (job.op === "lp" && padded(job)) return refuse("lp_pool has no padding");
  const reach = job.op === "max" ? effective(job) : kernel;
  if (pads(job) && begin.some((pad, i) => pad > reach[i] / 2)) {
    return refuse("padding is at most half of the kernel (D12)");
  }
  const beyond = average && job.rank === 3 && kernel.some((k, i) => k > entries(job, "input")[i]);
  if (beyond) return refuse("avg_pool3d takes no kernel beyond the input");
  const override = job.op === "sum" || ["full", "constant"].includes(job.divisor);
  if (average && override && job.rank === 1) return refuse("avg_pool1d has no divisor_override");
  if (average && job.divisor === "full") {
    fields.divisor = DIVISOR.constant;
    fields.divisor_value = product(kernel);
  }
  if (fields.ceil_mode !== CEIL[0]) fields.ceil_mode = CEIL[1];
  return { fields };
}

function tflite(job, fields) {
  if (job.rank !== 2) return refuse("images only: two spatial axes");
  if (job.op !== "average" && job.op !== "max")
    return refuse("AVERAGE_POOL_2D and MAX_POOL_2D only");
  if (job.window === "adaptive") return refuse("no adaptive pooling");
  if (job.window === "global") return { fields };
  if (padded(job)) return refuse("padding is SAME or VALID, never numbers");
  if (dilated(job)) return refuse("no dilation");
  const valid = job.autoPad !== "same_upper";
  if (job.autoPad === "same_lower") return refuse("its SAME is SAME_UPPER");
  if (fields.ceil_mode !== CEIL[0] && valid) return refuse("no ceil_mode: sizes are rounded down");
  if (
    job.op === "average" &&
    job.divisor !== "" &&
    job.divisor !== "exclude" &&
    !(valid && job.divisor !== "constant")
  ) {
    return refuse("divides by the taps inside, always");
  }
  return { fields };
}

// A dst is as large as its caller says: with ceil_mode, one as callers make it, without a drop rule.
function onednn(job, fields) {
  if (!["average", "max"].includes(job.op)) return refuse("average and max only");
  if (job.window === "adaptive") return refuse("no adaptive pooling");
  if (job.op === "average" && job.divisor === "constant") return refuse("no divisor of one's own");
  if (fields.ceil_mode !== CEIL[0]) fields.ceil_mode = CEIL.keep;
  if (fields.divisor === DIVISOR.include) fields.divisor = DIVISOR.full;
  return { fields };
}

export const OTHERS = [
  { id: "onnx", name: "ONNX, opset 22", dialect: "onnx", read: onnx },
  { id: "onnx10", name: "ONNX, opsets 10–21", dialect: "onnx", read: onnx10 },
  { id: "ort", name: "ONNX Runtime", dialect: "ort", read: ort },
  { id: "torch", name: "PyTorch", dialect: "torch", read: torch },
  { id: "tflite", name: "TensorFlow Lite", dialect: "tflite", read: tflite },
  { id: "onednn", name: "oneDNN", dialect: "onednn", read: onednn },
];

const DIVIDES = [
  "divides by the taps inside the input",
  "divides by pads, too",
  "divides by all taps of the kernel, wherever they lie",
  "divides by the number given",
];
const CEILS = [
  "rounds sizes down",
  "drops a last window that would start behind the input (D2)",
  "keeps a last window that starts behind the input (D2)",
];
const ROUNDS = ["rounds ties to even", "rounds ties to even", "rounds ties away from zero (D13)"];
const OVERSIZES = [
  "refuses a kernel beyond the padded input (D6)",
  "makes one partial window of a kernel beyond the padded input (D6)",
];

// Why a row differs: the rules that are not those of the job.
function reasons(other, job, here, there, because) {
  const differs = (field) => here.params[field] !== there.params[field];
  const found = [because];
  if (differs("ceil_mode")) found.push(CEILS[there.params.ceil_mode]);
  if (differs("oversize_kernel") && here.ok !== there.ok)
    found.push(OVERSIZES[there.params.oversize_kernel]);
  if (job.op === "average" && differs("divisor")) {
    const unsaid = other.id === "torch" && job.divisor === "";
    found.push(
      DIVIDES[there.params.divisor] + (unsaid ? ": count_include_pad is True unless said" : ""),
    );
  }
  if (job.type === "u8" && ROUNDS[here.params.rounding] !== ROUNDS[there.params.rounding]) {
    found.push(ROUNDS[there.params.rounding]);
  }
  return found.filter(Boolean).join("; ");
}

const equal = (a, b) => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
const differences = (a, b) => a.reduce((sum, value, i) => sum + !Object.is(value, b[i]), 0);

// A row for each library beside `here`, which examine() made of the job.
export function compare(library, job, here) {
  return OTHERS.map((other) => {
    const row = { id: other.id, name: other.name };
    const answer = other.read(job, fieldsOf({ ...job, ...OWN_RULES }));
    if (answer.refusal) return { ...row, refusal: answer.refusal };
    const there = examine(library, CODES.dialect[other.dialect], answer.fields);
    const why = reasons(other, job, here.plan, there.plan, answer.because);
    if (other.id === "ort" && there.plan.status === "EMPTY_OUTPUT") {
      return { ...row, refusal: "no output: a size is 0, an empty tensor, or less, an error (D6)" };
    }
    if (!there.plan.ok) return { ...row, refusal: there.plan.sentence, view: there, why };
    if (!here.plan.ok) return { ...row, view: there, why };
    const size = equal(here.plan.output, there.plan.output);
    const marks = {
      output: !size,
      pads: !equal(
        [...here.plan.begin, ...here.plan.end],
        [...there.plan.begin, ...there.plan.end],
      ),
      divisors:
        size && Boolean(here.divisors && there.divisors) && job.op === "average"
          ? differences(here.divisors, there.divisors)
          : 0,
      values: size && Boolean(here.y && there.y) ? differences(here.y, there.y) : 0,
    };
    return { ...row, view: there, marks, why: Object.values(marks).some(Boolean) ? why : "" };
  });
}
