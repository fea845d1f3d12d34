// Each axis by itself: the input with its pads, every window below it, and the arithmetic of the
// size in numbers.
import { drawing, element, fill } from "./elements.js";
import { range, sizeInWords } from "./windows.js";

const CELL = 24,
  LINE = 15,
  MOST_WINDOWS = 9,
  MOST_CELLS = 60,
  LABEL = 28;

export function showRulers(node, plan, axes, names) {
  fill(
    node,
    ...axes.map((axis, i) =>
      element(
        "figure",
        { class: "ruler" },
        element("figcaption", {}, element("b", {}, names[i]), ` ${sizeInWords(plan, axis)}`),
        ruler(axis),
      ),
    ),
  );
}

// The windows that are drawn: all, or the first and last ones.
function shown(out) {
  if (out <= MOST_WINDOWS) return range(0, out);
  const half = (MOST_WINDOWS - 1) / 2;
  return [...range(0, half), null, ...range(out - half, out)];
}

function ruler(axis) {
  const cells = axis.last + axis.begin;
  if (cells > MOST_CELLS) return "";
  const windows = shown(axis.out);
  const x = (t) => LABEL + (t + axis.begin) * CELL;
  const top = CELL + 8;
  const [width, height] = [LABEL + cells * CELL + 1, top + windows.length * LINE];
  const picture = drawing("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    role: "img",
    "aria-label": `${axis.out} windows over ${axis.n} elements`,
  });
  for (const t of range(-axis.begin, axis.last)) {
    const kind = axis.kind(t);
    picture.append(
      drawing("rect", { class: kind, x: x(t) + 0.5, y: 0.5, width: CELL, height: CELL }),
    );
    if (kind === "inside")
      picture.append(drawing("text", { x: x(t) + CELL / 2, y: CELL / 2 + 4 }, String(t)));
  }
  windows.forEach((o, line) => {
    const y = top + line * LINE + LINE / 2;
    picture.append(
      drawing("text", { class: "label", x: LABEL - 6, y: y + 4 }, o === null ? "⋮" : String(o)),
    );
    if (o === null) return;
    const taps = axis.taps(o);
    picture.append(
      drawing("line", { x1: x(taps[0]) + CELL / 2, x2: x(taps.at(-1)) + CELL / 2, y1: y, y2: y }),
    );
    for (const t of taps) {
      picture.append(drawing("circle", { class: axis.kind(t), cx: x(t) + CELL / 2, cy: y, r: 4 }));
    }
  });
  return picture;
}
