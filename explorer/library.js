// The library, compiled to WebAssembly: glue.cc has the functions.

export const TYPE = { f32: 1, u8: 2, f64: 11 };
const ARRAYS = { 1: Float32Array, 2: Uint8Array, 11: Float64Array };
const GET = { workspace: 3, count: 5, empty: 6, rank: 7, output: 16, begin: 20, end: 24 };

// What a module without an operating system still imports: growing memory is noticed by looking at
// it anew each time, and there is nothing to write to.
function imports(module) {
  const all = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (all[from] ??= {})[name] = name === "emscripten_notify_memory_growth" ? () => {} : () => 52;
  }
  return all;
}

export async function loadLibrary(bytes) {
  const module = await WebAssembly.compile(bytes);
  return new Library((await WebAssembly.instantiate(module, imports(module))).exports);
}

class Library {
  constructor(functions) {
    this.c = functions;
    this.c._initialize?.();
    this.names = Array.from({ length: this.c.explorer_field_count() }, (_, i) =>
      this.text(this.c.explorer_field_name(i)),
    );
    this.version = this.text(this.c.explorer_version());
  }

  text(address) {
    const memory = new Uint8Array(this.c.memory.buffer);
    return new TextDecoder().decode(memory.slice(address, memory.indexOf(0, address)));
  }

  // fields: numbers by the names of lanepool_params. What is missing is as the dialect has it. The
  // answer has all of them, and what lanepool_desc says, or the sentence of the refusal.
  plan(dialect, fields) {
    const at = () =>
      new Float64Array(this.c.memory.buffer, this.c.explorer_fields(), this.names.length);
    at().set(this.names.map((name) => fields[name] ?? NaN));
    const code = this.c.explorer_plan(dialect);
    const params = Object.fromEntries(this.names.map((name, i) => [name, at()[i]]));
    const text = this.text(this.c.explorer_text());
    if (code !== 0) {
      const status = this.text(this.c.explorer_status_name(code));
      const [, field, axis] = /^(\w+)(?:\[(\d)\])?/.exec(text) ?? [];
      return { ok: false, status, sentence: text, field, axis, params };
    }
    const get = (what) => this.c.explorer_get(what);
    const axes = (what) => Array.from({ length: get(GET.rank) }, (_, i) => get(what + i));
    return {
      ok: true,
      explain: text,
      params,
      output: axes(GET.output),
      begin: axes(GET.begin),
      end: axes(GET.end),
      count: get(GET.count),
      empty: get(GET.empty) !== 0,
      workspace: get(GET.workspace),
    };
  }

  // Runs `plan`, which must be the last one that was made, on x, an array of its type. `repeat`
  // calls are made; the answer has y and the time of one call in milliseconds.
  run(plan, x, repeat = 1) {
    const Result = ARRAYS[plan.params.y_type];
    const bytes = plan.count * Result.BYTES_PER_ELEMENT;
    const from = this.c.malloc(x.byteLength),
      to = this.c.malloc(bytes);
    if (from === 0 || to === 0) throw new Error("out of memory");
    new x.constructor(this.c.memory.buffer, from, x.length).set(x);
    const start = performance.now();
    let code = 0;
    for (let i = 0; i < repeat; ++i) code ||= this.c.explorer_run(from, x.byteLength, to, bytes);
    const time = (performance.now() - start) / repeat;
    const y = new Result(this.c.memory.buffer, to, plan.count).slice();
    this.c.free(from);
    this.c.free(to);
    if (code !== 0) throw new Error(this.text(this.c.explorer_status_name(code)));
    return { y, time };
  }
}
