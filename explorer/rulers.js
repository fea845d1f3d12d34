// Each axis by itself: the input with its pads, every window below it, and the arithmetic of the
// size in numbers. Of a long axis both ends are drawn, with the first and the last windows.
import { drawing, element, fill } from "./elements.js";
import { range, sizeInWords } from "./windows.js";

const CELL = 24,
  LINE = 15,
  LABEL = 28,
  MOST_WINDOWS = 9,
  AT_ENDS = 3, // windows at each end of a long axis
  MOST_CELLS = 60;

export function showRulers(node, plan, axes, names) {
  const figures = axes.map((axis, i) => {
    const words = ` ${sizeInWords(plan, axis)}`;
    const caption = element("figcaption", {}, element("b", {}, names[i]), words);
    return element("figure", { class: "ruler" }, caption, ruler(axis));
  });
  fill(node, ...figures);
}

// The windows that are drawn: all, or some at both ends.
function shown(out, most, atEnds) {
  if (out <= most) return range(0, out);
  return [...range(0, atEnds), null, ...range(out - atEnds, out)];
}

// The stretches of cells that are drawn: one, two, or none if they would be too long.
function stretches(axis) {
  if (axis.last + axis.begin <= MOST_CELLS) return [[-axis.begin, axis.last]];
  if (axis.out <= 2 * AT_ENDS || axis.k > MOST_CELLS || axis.flags !== 0) return [];
  const head = [-axis.begin, axis.taps(AT_ENDS - 1).at(-1) + 1];
  const tail = [axis.taps(axis.out - AT_ENDS)[0], axis.last];
  const cells = head[1] - head[0] + tail[1] - tail[0];
  return cells <= MOST_CELLS && head[1] < tail[0] ? [head, tail] : [];
}

function ruler(axis) {
  const [head, tail] = stretches(axis);
  if (!head) return "";
  const windows = tail ? shown(axis.out, 0, AT_ENDS) : shown(axis.out, MOST_WINDOWS, 4);
  const length = head[1] - head[0];
  const column = (t) => (t < head[1] ? t - head[0] : length + 1 + t - tail[0]);
  const x = (t) => LABEL + column(t) * CELL;
  const top = CELL + 8;
  const width = x((tail ?? head)[1] - 1) + CELL + 1;
  const height = top + windows.length * LINE;
  const picture = drawing("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    role: "img",
    "aria-label": `${axis.out} windows over ${axis.n} elements`,
  });
  for (const t of [head, tail].filter(Boolean).flatMap(([from, to]) => range(from, to))) {
    const kind = axis.kind(t);
    const at = { class: kind, x: x(t) + 0.5, y: 0.5, width: CELL, height: CELL };
    picture.append(drawing("rect", at));
    const middle = { x: x(t) + CELL / 2, y: CELL / 2 + 4 };
    const pressed = { textLength: CELL - 3, lengthAdjust: "spacingAndGlyphs" };
    if (String(t).length > 3) Object.assign(middle, pressed);
    if (kind === "inside") picture.append(drawing("text", middle, String(t)));
  }
  if (tail) {
    const gap = { x: LABEL + (length + 0.5) * CELL, y: CELL / 2 + 4 };
    picture.append(drawing("text", gap, "…"));
  }
  windows.forEach((o, line) => {
    const y = top + line * LINE + LINE / 2;
    const label = { class: "label", x: LABEL - 6, y: y + 4 };
    picture.append(drawing("text", label, o === null ? "⋮" : String(o)));
    if (o === null) return;
    const taps = axis.taps(o);
    const [x1, x2] = [x(taps[0]) + CELL / 2, x(taps.at(-1)) + CELL / 2];
    picture.append(drawing("line", { x1, x2, y1: y, y2: y }));
    for (const t of taps) {
      const dot = { class: axis.kind(t), cx: x(t) + CELL / 2, cy: y, r: 4 };
      picture.append(drawing("circle", dot));
    }
  });
  return picture;
}
