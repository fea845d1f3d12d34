// What the test does to the page: it fills the form or follows an address, presses tabs, looks, and
// posts what it saw.
const $ = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const text = (selector) => $(selector).textContent;
const trouble = [];
window.addEventListener("error", (event) => trouble.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => trouble.push(String(event.reason)));
for (const name of ["error", "warn"]) console[name] = (...words) => trouble.push(words.join(" "));

function enter(name, value) {
  const input = $(`#form [name="${name}"]`);
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function follow(hash) {
  if (location.hash === `#${hash}`) return null;
  return new Promise((resolve) => {
    window.addEventListener("hashchange", () => setTimeout(resolve), { once: true });
    location.hash = hash;
  });
}

function look() {
  const shown = (selector) => $(selector).offsetParent !== null;
  const seen = { hash: $("#link").hash, refused: shown("#refusal"), code: {} };
  seen.marked = all("#form [aria-invalid]").map((input) => input.name);
  if (seen.refused) seen.refusal = text("#refusal");
  else Object.assign(seen, { x: text("#x-shape"), y: text("#y-shape"), facts: text("#facts") });
  if (!seen.refused) seen.sizes = all("#rulers figcaption").map((node) => node.textContent);
  seen.outputs = shown("#output-grid")
    ? all("#output-grid .out").map((cell) => ({ ...cell.dataset }))
    : null;
  seen.rows = all("#others tbody tr").map((row) => ({
    id: row.dataset.row,
    output: row.dataset.output ?? null,
    cells: [...row.cells].map((cell) => cell.textContent),
    different: row.querySelectorAll(".different").length,
  }));
  for (const name of ["C", "Rust", "Go", "Python", "ONNX", "Shell"]) {
    $(`#tabs [data-language="${name}"]`).click();
    seen.code[name] = text("#code");
  }
  return seen;
}

// What is marked in the input for every output, selected one by one.
function windows() {
  return all("#output-grid .out").map((cell, i) => {
    cell.click();
    const marked = all("#input-grid .cell").flatMap((node, at) =>
      node.classList.contains("chosen")
        ? [[at, ["inside", "pad", "over"].find((kind) => node.classList.contains(kind))]]
        : [],
    );
    return {
      output: i,
      pressed: all("#output-grid [aria-pressed=true]").length,
      marked,
      words: text("#window-text"),
    };
  });
}

function pixels(canvas) {
  const { data, width, height } = canvas
    .getContext("2d")
    .getImageData(0, 0, canvas.width, canvas.height);
  let bytes = "";
  for (const byte of data) bytes += String.fromCharCode(byte);
  return { width, height, bytes: btoa(bytes) };
}

const frame = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

async function picture(op, kernel, strides) {
  for (const [name, value] of Object.entries({ op, kernel, strides })) {
    $(`#picture-${name}`).value = value;
    $(`#picture-${name}`).dispatchEvent(new Event("input", { bubbles: true }));
  }
  await frame();
  return { op, kernel, strides, words: text("#picture-text"), y: pixels($("#picture-y")) };
}

async function work() {
  while (!document.documentElement.dataset.ready) {
    if (!$("#trouble").hidden) throw new Error(text("#trouble"));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const orders = await (await fetch("/orders.json")).json();
  const seen = { start: look(), version: text("#version"), jobs: [] };
  for (const order of orders.jobs) {
    if (order.form) order.form.forEach(([name, value]) => enter(name, value));
    else await follow(order.hash);
    seen.jobs.push(look());
  }
  await follow(orders.windows);
  seen.windows = windows();
  seen.source = pixels($("#picture-x"));
  seen.pictures = [];
  for (const [op, kernel, strides] of orders.pictures)
    seen.pictures.push(await picture(op, kernel, strides));
  seen.beyond = document.documentElement.scrollWidth - window.innerWidth;
  seen.fetched = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.paper = getComputedStyle(document.body).backgroundColor;
  return seen;
}

work()
  .catch((error) => {
    trouble.push(String(error));
    return {};
  })
  .then((seen) => fetch("/seen", { method: "POST", body: JSON.stringify({ ...seen, trouble }) }));
