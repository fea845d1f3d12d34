"""Line charts in SVG: time against the size of the window, lanepool and its peers."""

import math

from figures import OURS, name_of
from words import escape, tick_times

WIDTH, HEIGHT = 340, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 92, 12, 34
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")
LABEL_HEIGHT = 12


def text_at(x, y, words, anchor):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


class Plane:
    """Logarithmic in both directions."""

    def __init__(self, panel):
        points = [point for line in panel.values() for point in line]
        self.windows = sorted({k for k, _, _ in points})
        ratios = [us / memcpy for _, us, memcpy in points]
        self.low = min(0, math.floor(math.log2(min(ratios))))
        self.high = max(self.low + 2, math.ceil(math.log2(max(ratios))))

    def x(self, k):
        first, last = math.log(self.windows[0]), math.log(max(self.windows[-1], 2))
        return LEFT + (math.log(k) - first) / max(last - first, 1e-9) * (WIDTH - LEFT - RIGHT)

    def y(self, ratio):
        part = (math.log2(ratio) - self.low) / (self.high - self.low)
        return TOP + (1 - part) * (HEIGHT - TOP - BOTTOM)

    def grid(self):
        every = 1 if self.high - self.low <= 6 else 2
        for power in range(self.low, self.high + 1, every):
            y = self.y(2.0**power)
            kind = "one" if power == 0 else "grid"
            ends = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"'
            yield f'<line class="{kind}" {ends}/>'
            yield text_at(LEFT - 6, y + 4, tick_times(power), "end")
        bottom = HEIGHT - BOTTOM
        last = -math.inf
        for k in self.windows:
            if self.x(k) - last >= 20:
                last = self.x(k)
                yield text_at(last, bottom + 16, k, "middle")
        yield text_at((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 3, "window k × k", "middle")


def spread_labels(wanted):
    """Vertical places near the wanted ones that do not overlap."""
    places, last = {}, -math.inf
    for name, y in sorted(wanted.items(), key=lambda item: item[1]):
        last = max(y, last + LABEL_HEIGHT)
        places[name] = last
    beyond = last - (HEIGHT - BOTTOM + 4)
    if beyond > 0:
        next_y = math.inf
        for name in reversed(list(places)):
            places[name] = min(
                places[name] - beyond if next_y == math.inf else places[name], next_y - LABEL_HEIGHT
            )
            next_y = places[name]
    return places


def line_of(plane, points, kind, dash):
    place = [(plane.x(k), plane.y(us / memcpy)) for k, us, memcpy in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in place)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3.2 if kind == "ours" else 2}"/>' for x, y in place
    )
    stroke = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<g class="{kind}"><polyline points="{path}"{stroke}/>{dots}</g>'


def growth_svg(panel, title, dashes, head=""):
    """`dashes`: {peer: pattern}, the same in all panels of a page. `head` goes into the element."""
    plane = Plane(panel)
    peers = sorted(panel, key=lambda peer: peer == OURS)  # lanepool is drawn on top
    lines = [
        line_of(plane, panel[peer], "ours" if peer == OURS else "peer", dashes.get(peer, ""))
        for peer in peers
    ]
    ends = {peer: plane.y(panel[peer][-1][1] / panel[peer][-1][2]) + 4 for peer in peers}
    labels = [
        f'<text class="{"ours" if peer == OURS else "peer"}" x="{WIDTH - RIGHT + 7}" y="{y:.1f}">'
        f"{escape(name_of(peer))}</text>"
        for peer, y in spread_labels(ends).items()
    ]
    return (
        f'<svg {head}viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f'{"".join(plane.grid())}{"".join(lines)}{"".join(labels)}</svg>'
    )


def dashes_of(peers):
    return {peer: DASHES[i % len(DASHES)] for i, peer in enumerate(p for p in peers if p != OURS)}
