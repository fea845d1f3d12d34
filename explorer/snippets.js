// The job in each language, to copy. tests/explorer runs the ones of C, Python, ONNX and the shell.
import { entries, optionsOf, pads, shape } from "./job.js";

const camel = (name) => name.replace(/(^|_)([a-z])/g, (_, __, c) => c.toUpperCase());
const uneven = (job, name, usual) => entries(job, name).some((value) => value !== usual);
const windowed = (job) => job.window === "kernel";
const bothPads = (job) => [...entries(job, "begin"), ...entries(job, "end")];
const hasPads = (job) => pads(job) && bothPads(job).some((pad) => pad !== 0);
const hasAutoPad = (job) => windowed(job) && job.autoPad !== "notset";

// What each language calls the policies: [field, prefix in C].
const POLICIES = [
  ["ceilMode", "CEIL", { 0: "OFF", 1: "ON", keep: "KEEP" }],
  ["validCeil", "VALID", { ceil: "CEIL", floor: "FLOOR" }],
  ["oversizeKernel", "OVERSIZE", { reject: "REJECT", truncate: "TRUNCATE" }],
  ["emptyWindow", "EMPTY", { zero: "ZERO", nan: "NAN", reject: "REJECT" }],
  [
    "rounding",
    "ROUND",
    {
      half_even: "HALF_EVEN",
      after_zero_point: "HALF_EVEN_AFTER_ZERO_POINT",
      half_away: "HALF_AWAY",
    },
  ],
];
const snake = (name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
// [field, constant] of the policies that the job does not leave to its dialect.
function policies(job) {
  const said = (field) =>
    field === "ceilMode" ? windowed(job) && job[field] !== "0" : job[field] !== "";
  return POLICIES.filter(([field]) => said(field)).map(([field, prefix, names]) => [
    field,
    prefix,
    names[job[field]],
  ]);
}
const DIVISORS = {
  exclude: "EXCLUDE_PAD",
  include: "INCLUDE_PAD",
  full: "FULL_KERNEL",
  constant: "CONSTANT",
};

function c(job) {
  const lines = [
    "lanepool_params p;",
    "lanepool_desc plan;",
    "lanepool_error e;",
    `lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_${job.dialect.toUpperCase()});`,
  ];
  const set = (field, value) => lines.push(`p.${field} = ${value};`);
  const list = (field, values) =>
    lines.push(`${values.map((v, i) => `p.${field}[${i}] = ${v}`).join(", ")};`);
  set("op", `LANEPOOL_OP_${job.op.toUpperCase()}`);
  set("layout", `LANEPOOL_LAYOUT_${job.layout.toUpperCase()}`);
  set("x_type = p.y_type", `LANEPOOL_TYPE_${job.type === "u8" ? "UINT8" : "FLOAT"}`);
  lines.push(`p.rank = ${job.rank}, p.batch = ${job.batch}, p.channels = ${job.channels};`);
  list("input", entries(job, "input"));
  if (windowed(job)) {
    list("kernel", entries(job, "kernel"));
    for (const name of ["strides", "dilations"])
      if (uneven(job, name, 1)) list(name, entries(job, name));
    if (hasAutoPad(job)) set("auto_pad", `LANEPOOL_AUTO_PAD_${job.autoPad.toUpperCase()}`);
    if (hasPads(job)) {
      list("pads_begin", entries(job, "begin"));
      list("pads_end", entries(job, "end"));
    }
  } else {
    set("flags", `LANEPOOL_FLAG_${job.window.toUpperCase()}`);
    if (job.window === "adaptive") list("output_size", entries(job, "size"));
  }
  for (const [field, prefix, value] of policies(job))
    set(snake(field), `LANEPOOL_${prefix}_${value}`);
  if (job.divisor !== "") set("divisor", `LANEPOOL_DIVISOR_${DIVISORS[job.divisor]}`);
  if (job.divisor === "constant") set("divisor_value", job.divisorValue);
  lines.push(
    "char text[200];",
    "if (lanepool_plan(&p, &plan, &e) != LANEPOOL_OK) {",
    "  lanepool_error_format(&e, text, sizeof text);",
    '  fprintf(stderr, "%s\\n", text);',
    "  return 1;",
    "}",
    "void* scratch = malloc((size_t)plan.workspace_bytes);",
    "lanepool_run(&plan, x, x_bytes, y, y_bytes, NULL, 0, scratch, (size_t)plan.workspace_bytes);",
    "free(scratch);",
  );
  return lines.join("\n");
}

function rust(job) {
  const type = job.type === "u8" ? "u8" : "f32";
  const list = (values) => `[${values.join(", ")}]`;
  const make =
    job.dialect === "onnx"
      ? job.op === "lp"
        ? "lp(2.0)"
        : `${job.op}()`
      : `new(lanepool::Op::${camel(job.op)}, lanepool::Dialect::${camel(job.dialect)})`;
  const calls = [];
  if (job.layout === "nhwc") calls.push("layout(lanepool::Layout::Nhwc)");
  if (windowed(job)) {
    calls.push(`kernel_shape(${list(entries(job, "kernel"))})`);
    for (const name of ["strides", "dilations"]) {
      if (uneven(job, name, 1)) calls.push(`${name}(${list(entries(job, name))})`);
    }
    if (hasAutoPad(job)) calls.push(`auto_pad(lanepool::AutoPad::${camel(job.autoPad)})`);
    if (hasPads(job)) calls.push(`pads(${list(bothPads(job))})`);
  } else {
    calls.push(job.window === "global" ? "global()" : `adaptive(${list(entries(job, "size"))})`);
  }
  for (const [field, , value] of policies(job)) {
    const name = snake(field);
    calls.push(
      field === "ceilMode" && value === "ON"
        ? "ceil_mode(true)"
        : `${name}(lanepool::${camel(name)}::${camel(value.toLowerCase())})`,
    );
  }
  if (job.divisor !== "") {
    const value = job.divisor === "constant" ? `(${job.divisorValue})` : "";
    calls.push(`divisor(lanepool::Divisor::${camel(DIVISORS[job.divisor].toLowerCase())}${value})`);
  }
  return [
    `let pool = lanepool::Pool::<${type}>::${make}`,
    ...calls.map((call, i) => `    .${call}${i === calls.length - 1 ? ";" : ""}`),
    `let plan = pool.plan(${list(shape(job))})?;`,
    "let y = plan.pool(&x)?;",
  ].join("\n");
}

const GO = {
  dialect: { ort: "ORT", torch: "Torch", tflite: "TFLite", onednn: "OneDNN" },
  validCeil: { CEIL: "ValidCeilHonoured", FLOOR: "ValidCeilIgnored" },
  oversizeKernel: { REJECT: "OversizeReject", TRUNCATE: "OversizeTruncate" },
  emptyWindow: { ZERO: "EmptyZero", NAN: "EmptyNaN", REJECT: "EmptyReject" },
};

function go(job) {
  const list = (values) => `[]int{${values.join(", ")}}`;
  const fields = [`Op: lanepool.${camel(job.op)}, Shape: ${list(shape(job))},`];
  const add = (name, value) => fields.push(`${name}: ${value},`);
  if (job.layout === "nhwc") add("Layout", "lanepool.NHWC");
  if (job.dialect !== "onnx") add("Dialect", `lanepool.${GO.dialect[job.dialect]}`);
  if (windowed(job)) {
    add("Kernel", list(entries(job, "kernel")));
    for (const name of ["strides", "dilations"]) {
      if (uneven(job, name, 1)) add(camel(name), list(entries(job, name)));
    }
    if (hasAutoPad(job)) add("AutoPad", `lanepool.${camel(job.autoPad)}`);
    if (hasPads(job)) add("Pads", list(bothPads(job)));
  } else {
    add(camel(job.window), "true");
    if (job.window === "adaptive") add("OutputSize", list(entries(job, "size")));
  }
  for (const [field, prefix, value] of policies(job)) {
    const name =
      field === "rounding"
        ? camel(value.toLowerCase())
        : (GO[field]?.[value] ?? camel(`${prefix}_${value}`.toLowerCase()));
    add(camel(snake(field)), `lanepool.${name}`);
  }
  if (job.divisor !== "") {
    add(
      "Divisor",
      `lanepool.${job.divisor === "constant" ? "ConstantDivisor" : camel(DIVISORS[job.divisor].toLowerCase())}`,
    );
  }
  if (job.divisor === "constant") add("DivisorValue", job.divisorValue);
  const type = job.type === "u8" ? "uint8" : "float32";
  return [
    `plan, err := lanepool.New[${type}](lanepool.Params{`,
    ...fields.map((field) => `\t${field}`),
    "})",
    "if err == nil {",
    "\terr = plan.Run(x, y)",
    "}",
  ].join("\n");
}

const tuple = (values) => (values.length === 1 ? `(${values[0]},)` : `(${values.join(", ")})`);

function python(job) {
  const words = [];
  const add = (name, value) => words.push(`${name}=${value}`);
  if (windowed(job)) {
    for (const name of ["strides", "dilations"])
      if (uneven(job, name, 1)) add(name, tuple(entries(job, name)));
    if (hasPads(job)) add("pads", tuple(bothPads(job)));
    if (hasAutoPad(job)) add("auto_pad", `"${job.autoPad.toUpperCase()}"`);
  }
  for (const [field, , value] of policies(job)) {
    add(snake(field), field === "ceilMode" && value === "ON" ? "True" : `"${value.toLowerCase()}"`);
  }
  if (job.divisor !== "") {
    add(
      "divisor",
      job.divisor === "constant" ? job.divisorValue : `"${DIVISORS[job.divisor].toLowerCase()}"`,
    );
  }
  if (job.layout === "nhwc") add("layout", '"NHWC"');
  if (job.dialect !== "onnx") add("dialect", `"${job.dialect}"`);
  const call = (name, ...first) => `y = lanepool.${name}(${["x", ...first, ...words].join(", ")})`;
  const named = { global: ["average", "max", "lp"], adaptive: ["average", "max"] }[job.window];
  const size = tuple(entries(job, "size"));
  let line;
  if (windowed(job)) line = call(`${job.op}_pool`, tuple(entries(job, "kernel")));
  else if (named.includes(job.op))
    line = call(`${job.window}_${job.op}_pool`, ...(job.window === "adaptive" ? [size] : []));
  else {
    const flags =
      job.window === "global" ? ["global_window=True"] : ["adaptive=True", `output_size=${size}`];
    line = `plan = lanepool.Plan(${[`"${job.op}"`, "x.shape", "x.dtype", ...flags, ...words].join(", ")})\ny = plan.run(x)`;
  }
  return `import lanepool\nimport numpy as np\n\nx = np.zeros(${tuple(shape(job))}, np.${job.type === "u8" ? "uint8" : "float32"})\n${line}`;
}

// An attribute that ONNX does not have makes a remark instead of a node.
function onnx(job) {
  const operators = { average: "AveragePool", max: "MaxPool", lp: "LpPool" };
  const none = (what) => `# ONNX has no ${what}.`;
  if (!operators[job.op]) return none(`operator for ${job.op}`);
  if (job.window === "adaptive") return none("adaptive pooling");
  if (job.op === "average" && job.type === "u8")
    return none("AveragePool of bytes: dequantize before and quantize behind it");
  const attributes = [];
  const add = (name, value) => attributes.push(`    ${name}=${value},`);
  const list = (values) => `[${values.join(", ")}]`;
  const remarks =
    job.layout === "nhwc" ? ["# x is N C [D] [H] W in ONNX: transpose before and behind."] : [];
  if (windowed(job)) {
    add("kernel_shape", list(entries(job, "kernel")));
    for (const name of ["strides", "dilations"])
      if (uneven(job, name, 1)) add(name, list(entries(job, name)));
    if (hasPads(job)) add("pads", list(bothPads(job)));
    if (hasAutoPad(job)) add("auto_pad", `"${job.autoPad.toUpperCase()}"`);
    if (job.ceilMode === "keep")
      return none("ceil_mode that keeps a window which starts behind the input");
    if (job.ceilMode === "1") add("ceil_mode", 1);
    if (job.op === "average") {
      const divisor = job.divisor || (job.dialect === "torch" ? "include" : "exclude");
      if (divisor === "full" || divisor === "constant") return none("such divisor");
      if (divisor === "include") add("count_include_pad", 1);
    }
  }
  const operator = (windowed(job) ? "" : "Global") + operators[job.op];
  const own = POLICIES.slice(1)
    .map(([field]) => field)
    .some((field) => job[field] !== "");
  if (own) remarks.push("# ONNX has no attribute for the rules below the line.");
  return [
    ...remarks,
    "import onnx",
    "",
    `node = onnx.helper.make_node("${operator}", ["x"], ["y"],`,
    ...attributes,
    ")",
  ].join("\n");
}

function shell(job) {
  const words = optionsOf(job).map(
    ([name, value]) => `--${name}${value === "" ? "" : ` ${value}`}`,
  );
  return `lanepool plan ${words.join(" ")}`;
}

export const LANGUAGES = { C: c, Rust: rust, Go: go, Python: python, ONNX: onnx, Shell: shell };
