"""The pictures of the README: standalone SVG that follows the reader's light or dark theme."""

import math

import findings
from bars import scale_of
from figures import compared, geomean, growth_panels
from lines import HEIGHT, WIDTH, dashes_of, growth_svg
from words import escape, factor

STYLE = """<style>
  svg { --paper: #ffffff; --ink: #16191d; --soft: #5b636e; --line: #dcdfe4; --ours: #0063c6;
    --loss: #b34700; --peer: #8a929c; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #14171b; --ink: #e9ecf0; --soft: #a3abb6; --line: #353b44; --ours: #5fb0ff;
      --loss: #ff9a52; --peer: #8f98a4; }
  }
  .paper { fill: var(--paper); }
  text { font: 11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--soft); }
  text.title { font-size: 13.5px; font-weight: 700; fill: var(--ink); }
  text.name, text.value { fill: var(--ink); }
  text.ours { fill: var(--ours); font-weight: 700; }
  text.loss { fill: var(--loss); font-weight: 700; }
  .win { fill: var(--ours); } .tie { fill: var(--peer); } .loss { fill: var(--loss); }
  .grid { stroke: var(--line); } .one { stroke: var(--ink); stroke-width: 1.3; }
  polyline { fill: none; stroke: var(--peer); stroke-width: 1.4; } circle { fill: var(--peer); }
  .ours polyline { stroke: var(--ours); stroke-width: 2.6; } .ours circle { fill: var(--ours); }
</style>"""

NAMES, PANEL, GAP, VALUE = 190, 270, 26, 44  # widths: row names, a panel of bars, between, figures
LINE, TOP, FOOT = 16, 74, 30
LAYOUTS = ("nchw", "nhwc")
COLUMNS = 2  # of panels of windows


def frame(width, height, title, reading, content):
    """`title` is what a reader who does not see the picture gets as well."""
    content = [text(12, 24, title, "title"), text(12, 42, reading), *content]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-label="{escape(title)}">\n{STYLE}\n'
        f'<rect class="paper" width="{width}" height="{height}" rx="6"/>\n'
        + "\n".join(content)
        + "\n</svg>\n"
    )


def text(x, y, words, kind="", anchor="start"):
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{escape(words)}</text>'


def draw_bar(left, y, scale, row):
    """One speed-up, from 1 to where it ends."""
    width = PANEL - VALUE
    start, end = sorted(left + width * scale.at(value) / 100 for value in (1, row.speedup()))
    kind = row.outcome()
    tip = 5 if scale.is_beyond(row.speedup()) else 0  # a point, as it goes on beyond the scale
    label = "loss" if kind == "loss" else "value"
    end = max(end, start + 1.5)
    top, low = y + 3, y + LINE - 3
    corners = [
        (start, top),
        (end - tip, top),
        (end, (top + low) / 2),
        (end - tip, low),
        (start, low),
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    yield f'<polygon class="{kind}" points="{points}"/>'
    yield text(max(end, left + width * scale.at(1) / 100) + 5, y + 12, factor(row.speedup()), label)


def grid(left, scale, bottom):
    width = PANEL - VALUE
    for tick, at in scale.ticks():
        x = left + width * at / 100
        kind = "one" if tick == "1×" else "grid"
        yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}"/>'
        yield text(x, bottom + 13, tick, anchor="middle")


def workload_lines(rows):
    """[((name, type), {layout: row})], the largest speed-up first."""
    lines = {}
    for row in rows:
        lines.setdefault((row.short(), row.type), {})[row.layout] = row
    return sorted(lines.items(), key=lambda line: -geomean(r.speedup() for r in line[1].values()))


def speed_picture(report):
    """One line per workload, a panel per layout."""
    rows = [row for row in compared(report.workloads()) if row.machine == 0]
    lines = workload_lines(rows)
    scale = scale_of([row.speedup() for row in rows])
    bottom = TOP + LINE * len(lines)
    parts = []
    for number, layout in enumerate(LAYOUTS):
        left = NAMES + number * (PANEL + GAP)
        parts.append(text(left, TOP - 12, layout.upper(), "name"))
        parts += grid(left, scale, bottom)
        for place, (_, of_layout) in enumerate(lines):
            if layout in of_layout:
                parts += draw_bar(left, TOP + LINE * place, scale, of_layout[layout])
    for place, (name, _) in enumerate(lines):
        parts.append(text(NAMES - 12, TOP + LINE * place + 12, " ".join(name), "name", "end"))
    title = findings.headline(report.workloads())
    reading = "Time of the fastest peer ÷ time of lanepool, one thread, warm caches"
    return frame(NAMES + 2 * PANEL + GAP + 8, bottom + FOOT, title, reading, parts)


def growth_picture(report):
    """f32 panels beside each other."""
    rows = [row for row in report.of("growth") if row.machine == 0 and row.type == "f32"]
    panels = growth_panels(rows)
    dashes = dashes_of(report.ran)
    parts = []
    for place, ((_, op, _, layout), panel) in enumerate(panels.items()):
        x, y = place % COLUMNS * (WIDTH + 20) + 8, place // COLUMNS * (HEIGHT + 30) + 58
        name = f"{op} {layout.upper()}"
        head = f'x="{x}" y="{y + 8}" width="{WIDTH}" height="{HEIGHT}" '
        parts.append(text(x + 8, y + 4, name, "name"))
        parts.append(growth_svg(panel, name, dashes, head))
    height = 62 + math.ceil(len(panels) / COLUMNS) * (HEIGHT + 30)
    reading = "Time ÷ memcpy of input and output, stride 1, f32"
    return frame(COLUMNS * (WIDTH + 20) + 8, height, findings.growth(rows), reading, parts)


def make_pictures(report):
    """{file name: SVG}"""
    pictures = {}
    if compared(report.workloads()):
        pictures["speed.svg"] = speed_picture(report)
    if report.of("growth"):
        pictures["growth.svg"] = growth_picture(report)
    return pictures
