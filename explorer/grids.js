// Input and output of one channel, in one or two axes: the window of the chosen output over the
// padded input.
import { element, fill, number } from "./elements.js";
import { exampleInput, range } from "./windows.js";

const MOST_CELLS = 2500; // of a grid; and no row or column longer than:
const MOST_LINE = 72;
const CROWDED = 13,
  TOO_CROWDED = 22; // columns: smaller digits, none

const ONE = { begin: 0, out: 1, n: 1, end: 0, last: 1, taps: () => [0], kind: () => "inside" };
let chosen = 0; // stays what it was while the job changes, if it can

function density(columns) {
  if (columns > TOO_CROWDED) return "tiny";
  return columns > CROWDED ? "small" : "";
}

// False, and nothing is shown, if there are too many cells, or three axes.
export function showGrids(job, axes, view) {
  if (axes.length > 2 || !view.y) return false;
  const { plan } = view;
  const [rows, columns] = axes.length === 2 ? axes : [ONE, axes[0]];
  const [height, width] = [rows.last + rows.begin, columns.last + columns.begin];
  if (Math.max(height, width) > MOST_LINE || height * width > MOST_CELLS) return false;
  const input = document.getElementById("input-grid"),
    output = document.getElementById("output-grid");
  const x = exampleInput(plan);

  const cells = range(-rows.begin, rows.last).flatMap((h) =>
    range(-columns.begin, columns.last).map((w) => {
      const kinds = [rows.kind(h), columns.kind(w)];
      const kind = ["over", "pad"].find((one) => kinds.includes(one)) ?? "inside";
      return element(
        "i",
        { class: `cell ${kind}` },
        kind === "inside" ? number(x[h * columns.n + w]) : "",
      );
    }),
  );
  input.style.setProperty("--columns", width);
  input.className = `grid ${density(width)}`;
  fill(input, ...cells);

  const outputs = range(0, plan.count).map((o) =>
    element(
      "button",
      {
        type: "button",
        class: "cell out",
        "data-output": o,
        "data-value": view.y[o],
        "data-divisor": view.divisors[o],
        "data-taps": view.taps[o],
      },
      element("b", {}, number(view.y[o])),
      element("small", {}, job.op === "average" ? `÷${view.divisors[o]}` : ""),
    ),
  );
  output.style.setProperty("--columns", columns.out);
  output.className = `grid ${density(columns.out)}`;
  fill(output, ...outputs);

  const choose = (o) => {
    chosen = Math.min(o, plan.count - 1);
    outputs.forEach((cell, i) => cell.setAttribute("aria-pressed", String(i === chosen)));
    const [oh, ow] = [Math.floor(chosen / columns.out), chosen % columns.out];
    const [hs, ws] = [new Set(rows.taps(oh)), new Set(columns.taps(ow))];
    cells.forEach((cell, i) =>
      cell.classList.toggle(
        "chosen",
        hs.has(Math.floor(i / width) - rows.begin) && ws.has((i % width) - columns.begin),
      ),
    );
    showWindow(job, axes, view, axes.length === 2 ? [oh, ow] : [ow]);
  };
  const pick = (event) => {
    const cell = event.target.closest("[data-output]");
    if (cell) choose(Number(cell.dataset.output));
  };
  output.onclick = output.onpointerover = output.onfocusin = pick;
  output.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns.out, ArrowDown: columns.out }[
      event.key
    ];
    const next = outputs[chosen + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  choose(chosen);
  return true;
}

// "Output 1, 2 begins at 1, 3: 6 of 9 taps are inside, and it divides by 6."
function showWindow(job, axes, view, at) {
  const all = axes.reduce((product, axis, i) => product * axis.taps(at[i]).length, 1);
  const [taps, divisor] = [view.taps[chosen], view.divisors[chosen]];
  const starts = axes
    .map((axis, i) => axis.taps(at[i])[0])
    .join(", ")
    .replaceAll("-", "−");
  const words = `Output ${at.join(", ")} begins at ${starts}: ${taps} of ${all} taps ${taps === 1 ? "is" : "are"} inside`;
  const result = number(view.y[chosen]);
  let end = `${words}; ${job.op} ${result}.`;
  if (job.op === "average" && taps > 0)
    end = `${words}, their sum divided by ${divisor}: ${result}.`;
  if (taps === 0) end = `${words}: an empty window, ${result}.`;
  document.getElementById("window-text").textContent = end;
}
