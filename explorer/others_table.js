// The table of what other libraries give.
import { element, fill } from "./elements.js";

const by = (values) => (values ? values.join(" × ") : "");
const padsText = (plan) => `${plan.begin.join(" ")}, ${plan.end.join(" ")}`;

function spread(values) {
  if (!values || values.length === 0) return "";
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  return sorted.length <= 4 ? sorted.join(" ") : `${sorted[0]} … ${sorted.at(-1)}`;
}

function cell(text, different) {
  return element("td", different ? { class: "different" } : {}, text);
}

function verdict(row) {
  const { marks, why } = row;
  if (!marks) return why;
  const found = [];
  if (marks.output) found.push("another shape");
  if (marks.pads) found.push("other pads");
  if (marks.divisors) found.push(`${marks.divisors} other divisor${marks.divisors > 1 ? "s" : ""}`);
  if (marks.values) found.push(`${marks.values} other result${marks.values > 1 ? "s" : ""}`);
  if (found.length === 0) return "the same";
  return found.join(", ") + (why ? `: ${why}` : "");
}

function line(id, name, view, marks, text) {
  const divisors = marks === undefined || marks.divisors === undefined ? false : marks.divisors > 0;
  return element(
    "tr",
    { "data-row": id, "data-output": view.plan.output },
    element("th", { scope: "row" }, name),
    cell(by(view.plan.output), marks?.output),
    cell(padsText(view.plan), marks?.pads),
    cell(view.counts ?? "", divisors),
    element("td", { class: text === "the same" ? "same" : "" }, text),
  );
}

function refused(id, name, text) {
  return element(
    "tr",
    { "data-row": id, class: "refused" },
    element("th", { scope: "row" }, name),
    element("td", { colspan: 4 }, text),
  );
}

export function showOthers(table, job, here, rows) {
  table.dataset.op = job.op;
  const counted = (view) => ({
    ...view,
    counts: job.op === "average" ? spread(view.divisors) : "",
  });
  const first = here.plan.ok
    ? line("job", "the job above", counted(here), undefined, "")
    : refused("job", "the job above", here.plan.sentence);
  fill(
    table.tBodies[0],
    first,
    ...rows.map((row) =>
      row.refusal
        ? refused(row.id, row.name, [row.refusal, row.why].filter(Boolean).join("; "))
        : line(row.id, row.name, counted(row.view), row.marks, verdict(row)),
    ),
  );
}
