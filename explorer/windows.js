// Windows: where their taps are, from what the library resolved, and what they count, measured by
// pooling ones. docs/semantics.md sections 1 and 2 have the rules.
import { CODES } from "./job.js";
import { TYPE } from "./library.js";

const FLAG_GLOBAL = 1,
  FLAG_ADAPTIVE = 16;
const MOST_INPUTS = 1 << 18,
  MOST_OUTPUTS = 1 << 14,
  MOST_WORKSPACE = 1 << 26;

// One axis of a plan: its numbers, and the taps of each of its windows.
export function axisOf(plan, i) {
  const p = (name) => plan.params[`${name}[${i}]`];
  const axis = {
    n: p("input"),
    k: p("kernel"),
    s: p("strides"),
    d: p("dilations"),
    out: plan.output[i],
    begin: plan.begin[i],
    end: plan.end[i],
    flags: plan.params.flags,
  };
  axis.effective = (axis.k - 1) * axis.d + 1;
  axis.taps = (o) => {
    if (axis.flags & FLAG_GLOBAL) return range(0, axis.n);
    if (axis.flags & FLAG_ADAPTIVE) {
      return range(Math.floor((o * axis.n) / axis.out), Math.ceil(((o + 1) * axis.n) / axis.out));
    }
    return range(0, axis.k).map((j) => o * axis.s - axis.begin + j * axis.d);
  };
  axis.kind = (t) => (t >= 0 && t < axis.n ? "inside" : t < axis.n + axis.end ? "pad" : "over");
  // Behind everything that is drawn. Taps are listed only where they are few.
  const moving = (axis.flags & (FLAG_GLOBAL | FLAG_ADAPTIVE)) === 0;
  const reached = moving ? (axis.out - 1) * axis.s - axis.begin + axis.effective : 0;
  axis.last = Math.max(axis.n + axis.end, reached);
  return axis;
}

export const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

// How the output size of an axis comes about, in words and numbers.
export function sizeInWords(plan, axis) {
  const { n, k, s, d, begin, end, effective, out, flags } = axis;
  const { auto_pad: autoPad, valid_ceil: validCeil, ceil_mode: ceilMode } = plan.params;
  if (flags & FLAG_GLOBAL) return "one window, the whole axis: 1";
  if (flags & FLAG_ADAPTIVE) return `as asked for: ${out}`;
  const same = autoPad === CODES.autoPad.same_upper || autoPad === CODES.autoPad.same_lower;
  const kernel = d === 1 ? "" : `; ${k} taps, ${d} apart, reach over ${effective}`;
  if (same) {
    const total = Math.max(0, (out - 1) * s + effective - n);
    return `⌈${n} / ${s}⌉ = ${out}; pads of (${out} − 1)·${s} + ${effective} − ${n} → ${total} in all${kernel}`;
  }
  const num = n + begin + end - effective;
  const sum = [`${n}`, ...[begin, end].filter((pad) => pad > 0)].join(" + ");
  const quotient = `(${sum} − ${effective}) / ${s}`;
  const ceil =
    ceilMode !== 0 && !(autoPad === CODES.autoPad.valid && validCeil === CODES.validCeil.floor);
  if (!ceil && num < 0)
    return `(${sum} − ${effective}) / ${s}, cut toward 0, + 1 = ${out}: one partial window${kernel}`;
  if (!ceil) return `⌊${quotient}⌋ + 1 = ${out}${kernel}`;
  const all = Math.ceil(num / s) + 1;
  if (out === all) return `⌈${quotient}⌉ + 1 = ${out}${kernel}`;
  return (
    `⌈${quotient}⌉ + 1 = ${all}, less one = ${out}: the last window would start at ${(all - 1) * s - begin}, ` +
    `not before the end of the input at ${n} (the drop rule)${kernel}`
  );
}

function ones(library, dialect, fields, op) {
  const plan = library.plan(dialect, { ...fields, op, x_type: TYPE.f64, y_type: TYPE.f64 });
  return library.run(plan, new Float64Array(inputs(plan)).fill(1)).y;
}

function inputs(plan) {
  let count = 1;
  for (let i = 0; i < plan.params.rank; ++i) count *= plan.params[`input[${i}]`];
  return count;
}

// 0, 1, 2, ... as the example in README.md; bytes begin again after 255.
export function exampleInput(plan) {
  const length = inputs(plan);
  const x = new (plan.params.x_type === TYPE.u8 ? Uint8Array : Float32Array)(length);
  return x.map((_, i) => i);
}

// One channel of the job: its plan, and, if there are not too many, for each output the number of
// taps inside the input, what an average divides by, and the result for exampleInput.
export function examine(library, dialect, fields) {
  const one = { ...fields, batch: 1, channels: 1 };
  let plan = library.plan(dialect, one);
  if (!plan.ok || plan.count > MOST_OUTPUTS || inputs(plan) > MOST_INPUTS) return { plan };
  if (plan.workspace > MOST_WORKSPACE) return { plan };
  const taps = ones(library, dialect, one, CODES.op.sum);
  const means = ones(library, dialect, one, CODES.op.average);
  const divisors = taps.map((count, i) => (count === 0 ? 0 : Math.round(count / means[i])));
  plan = library.plan(dialect, one);
  return { plan, taps, divisors, y: library.run(plan, exampleInput(plan)).y };
}
