// The page: reads the form, asks the library, shows the answers.
import {
  AXES,
  CODES,
  NUMBERS,
  SINGLE,
  axisNames,
  entries,
  fieldsOf,
  hashOf,
  jobOf,
  pads,
  shape,
  usualJob,
} from "./job.js";
import { loadLibrary } from "./library.js";
import { element, fill } from "./elements.js";
import { showGrids } from "./grids.js";
import { showOthers } from "./others_table.js";
import { startPicture } from "./picture.js";
import { showRulers } from "./rulers.js";
import { LANGUAGES } from "./snippets.js";
import { compare } from "./others.js";
import { axisOf, examine } from "./windows.js";

const $ = (id) => document.getElementById(id);
const form = $("form");
const AXIS_ROWS = {
  input: "input",
  kernel: "kernel",
  strides: "strides",
  dilations: "dilations",
  begin: "pads, begin",
  end: "pads, end",
  size: "output size",
};
// The fields of lanepool_params that a refusal may name, and where they are in the form.
const FORM_NAMES = {
  pads_begin: "begin",
  pads_end: "end",
  output_size: "size",
  x_type: "type",
  y_type: "type",
  divisor_value: "divisorValue",
  auto_pad: "autoPad",
  ceil_mode: "ceilMode",
};
const QUESTIONS = [
  [
    "ceil_mode and the last window",
    "op=max&shape=1,1,4,4&kernel=2,2&strides=3,3&pads=1,1,1,1&ceil-mode=1",
  ],
  ["who counts the pads", "op=average&shape=1,1,5,5&kernel=3,3&strides=2,2&pads=1,1,1,1"],
  ["SAME, and its odd pad", "op=average&shape=1,1,6,6&kernel=3,3&strides=2,2&auto-pad=same_upper"],
  [
    "SAME with dilation",
    "op=max&shape=1,1,7,7&kernel=3,3&strides=2,2&dilations=2,2&auto-pad=same_upper",
  ],
  [
    "windows that overhang",
    "op=average&shape=1,1,5&kernel=2&strides=2&ceil-mode=1&divisor=include",
  ],
  ["the stem of ResNet", "op=max&shape=1,64,112,112&kernel=3,3&strides=2,2&pads=1,1,1,1"],
];

let library,
  job,
  language = "C";

function inputOf(name, axis) {
  return form.elements.namedItem(axis === undefined ? name : `${name}${axis}`);
}

function axisInputs() {
  const names = ["D", "H", "W"];
  const used = names.slice(3 - job.rank);
  fill(
    $("axes").tHead,
    element("tr", {}, element("th", {}, ""), ...used.map((name) => element("th", {}, name))),
  );
  fill(
    $("axes").tBodies[0],
    ...Object.entries(AXIS_ROWS).map(([name, text]) =>
      element(
        "tr",
        { "data-for": name },
        element("th", { scope: "row" }, text),
        ...used.map((axis) =>
          element(
            "td",
            {},
            element("input", {
              name: `${name}${axis}`,
              type: "number",
              inputmode: "numeric",
              "aria-label": `${text} ${axis}`,
            }),
          ),
        ),
      ),
    ),
  );
}

function showForm() {
  if ($("axes").tHead.rows[0]?.cells.length !== job.rank + 1) axisInputs();
  for (const name of [...Object.keys(SINGLE), ...Object.keys(NUMBERS), "rank"]) {
    const input = inputOf(name);
    if (input.value !== String(job[name])) input.value = job[name];
  }
  for (const name of Object.keys(AXES)) {
    axisNames(job.rank).forEach((axis, i) => {
      const input = inputOf(name, axis);
      if (input.value !== String(entries(job, name)[i])) input.value = entries(job, name)[i];
    });
  }
  const kernel = job.window === "kernel";
  const shown = {
    input: true,
    kernel,
    strides: kernel,
    dilations: kernel,
    begin: pads(job),
    end: pads(job),
    size: job.window === "adaptive",
    divisorValue: job.divisor === "constant",
  };
  for (const [name, visible] of Object.entries(shown)) {
    document.querySelector(`[data-for=${name}]`).hidden = !visible;
  }
  for (const name of ["autoPad", "ceilMode"]) inputOf(name).disabled = !kernel;
}

// An entry that is no number yet, as an empty one, waits for its end.
function readForm(target) {
  const { name, value } = target;
  if (!name) return false;
  if (target.type !== "number") {
    job[name] = name === "rank" ? Number(value) : value;
    return true;
  }
  if (!/^-?\d{1,15}$/.test(value)) return false;
  const axis = /^([a-z]+)([DHW])$/.exec(name);
  if (axis) job[axis[1]]["DHW".indexOf(axis[2])] = Number(value);
  else job[name] = Number(value);
  return true;
}

function markRefused(plan) {
  for (const marked of form.querySelectorAll("[aria-invalid]"))
    marked.removeAttribute("aria-invalid");
  if (plan.ok) return;
  const name = FORM_NAMES[plan.field] ?? plan.field;
  const input = inputOf(
    name,
    AXES[name] && plan.axis !== undefined ? axisNames(job.rank)[plan.axis] : undefined,
  );
  if (input instanceof Element) input.setAttribute("aria-invalid", "true");
}

function facts(plan) {
  const words = [`pads ${plan.begin.join(" ")} before, ${plan.end.join(" ")} behind`];
  if (plan.empty) words.push("some windows are empty");
  words.push(plan.explain);
  return words.join(" · ");
}

function showCode() {
  fill(
    $("tabs"),
    ...Object.keys(LANGUAGES).map((name) =>
      element(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-selected": String(name === language),
          "data-language": name,
        },
        name,
      ),
    ),
  );
  $("code").textContent = LANGUAGES[language](job);
}

function update() {
  const plan = library.plan(CODES.dialect[job.dialect], fieldsOf(job));
  markRefused(plan);
  $("refusal").hidden = plan.ok;
  $("result").hidden = $("axes-section").hidden = $("windows-section").hidden = !plan.ok;
  const here = examine(library, CODES.dialect[job.dialect], fieldsOf(job));
  if (plan.ok) {
    $("x-shape").textContent = shape(job).join(" × ");
    $("y-shape").textContent = shape(job, plan.output).join(" × ");
    $("facts").textContent = facts(plan);
    const axes = plan.output.map((_, i) => axisOf(plan, i));
    $("windows-section").hidden = !showGrids(job, axes, here);
    showRulers($("rulers"), plan, axes, axisNames(job.rank));
  } else {
    fill($("refusal"), element("b", {}, plan.status), ` ${plan.sentence}`);
  }
  $("others-section").hidden = !plan.ok && !plan.status.startsWith("EMPTY"); // the others refuse it, too
  showOthers($("others"), job, here, compare(library, job, here));
  showCode();
}

// Browsers allow few changes of the address: it follows when the form rests.
let following;
function showAddress() {
  $("link").href = hashOf(job);
  clearTimeout(following);
  following = setTimeout(() => history.replaceState(null, "", hashOf(job)), 300);
}

function changed() {
  showForm();
  update();
  showAddress();
}

function open(hash) {
  job = jobOf(hash);
  changed();
}

async function start() {
  const answer = await fetch("lanepool.wasm");
  if (!answer.ok) throw new Error(`lanepool.wasm: ${answer.status}`);
  library = await loadLibrary(await answer.arrayBuffer());
  $("version").textContent = library.version;
  for (const [text, hash] of QUESTIONS)
    $("presets").append(element("a", { href: `#${hash}` }, text));
  form.addEventListener("input", (event) => {
    if (readForm(event.target)) changed();
  });
  form.addEventListener("change", () => showForm()); // what is no number gives way to what was
  form.addEventListener("submit", (event) => event.preventDefault());
  $("tabs").addEventListener("click", (event) => {
    language = event.target.dataset.language ?? language;
    showCode();
  });
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText($("code").textContent);
    $("copy").textContent = "copied";
    setTimeout(() => {
      $("copy").textContent = "copy";
    }, 1500);
  });
  window.addEventListener("hashchange", () => {
    if (location.hash !== hashOf(job)) open(location.hash);
  });
  job = usualJob();
  open(location.hash);
  startPicture(library);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  $("trouble").hidden = false;
  $("trouble").textContent = `The library could not be loaded: ${error.message}`;
});
