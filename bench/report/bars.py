"""Charts of one line per row, in HTML: a name, a track on a scale of doublings, the figures.

The page's style sheet draws them; positions are percentages of the track, so that they fit any
width.
"""

import dataclasses
import math

from figures import OURS, name_of, by_sizes
from words import escape, factor, micros, tick_times

MOST = 32  # times; what is beyond is drawn to the end of the track and has a mark there


@dataclasses.dataclass(frozen=True)
class Scale:
    """From 2 to the power `low` to 2 to the power `high`."""

    low: int
    high: int

    def at(self, value):
        """Percentage of the track."""
        position = (math.log2(value) - self.low) / (self.high - self.low)
        return 100 * min(1, max(0, position))

    def is_beyond(self, value):
        return value > 2.0**self.high

    def style(self):
        """For the grid: the width of a doubling, and where 1 is."""
        step = 100 / (self.high - self.low)
        return f"--step:{step:.4f}%;--one:{self.at(1):.3f}%"

    def ticks(self):
        every = 1 if self.high - self.low <= 8 else 2
        powers = [p for p in range(self.low, self.high + 1) if p % every == 0]
        return [(tick_times(power), self.at(2.0**power)) for power in powers]


def scale_of(values, at_most=MOST):
    """Whole doublings around 1 and all values up to `at_most`: one row must not squeeze others."""
    values = [min(value, at_most) for value in values] or [1]
    low = min(-1, math.floor(math.log2(min(values))))
    return Scale(low, max(1, math.ceil(math.log2(max(values)))))


def axis(scale, text):
    ticks = "".join(f'<span style="left:{at:.2f}%">{tick}</span>' for tick, at in scale.ticks())
    return (
        f'<li class="axis" aria-hidden="true"><span class="name">{escape(text)}</span>'
        f'<span class="ticks">{ticks}</span><span class="value"></span></li>'
    )


def filters(row):
    """What the buttons of the page select by."""
    names = {"type": row.type, "layout": row.layout, "op": row.op, "machine": row.machine}
    return " ".join(f'data-{name}="{escape(value)}"' for name, value in names.items())


def name_cell(row, with_machine):
    machine = f" · machine {row.machine + 1}" if with_machine else ""
    threads = f" · {row.threads} threads" if row.threads > 1 else ""
    cold = " · cold" if row.cold else ""
    return (
        f'<span class="name"><b>{escape(row.short())}</b>'
        f"<i>{row.type} {row.layout.upper()}{cold}{threads}{machine}</i></span>"
    )


def about(row):
    """One line with everything, for the tool tip."""
    text = f"{row.title()}, {row.op} {by_sizes(row.shape)}, {row.window()}: "
    others = {OURS: row.us(OURS), **row.peers()}
    text += ", ".join(f"{name_of(peer)} {micros(us)}" for peer, us in others.items() if us)
    return text + f", memcpy {micros(row.memcpy_us())}"


def speed_bars(rows, label, with_machine=False):
    """Speed-up over the best peer: to the right of 1 lanepool is faster, to the left slower."""
    scale = scale_of([row.speedup() for row in rows])
    items = [axis(scale, label)]
    for row in rows:
        peer, us = row.best()
        start, end = sorted((scale.at(1), scale.at(row.speedup())))
        word = {"win": "", "tie": " tie", "loss": " slower"}[row.outcome()]
        about_sign = "≈" if row.is_disturbed() else ""
        beyond = " beyond" if scale.is_beyond(row.speedup()) else ""
        items.append(
            f'<li class="row {row.outcome()}{beyond}" {filters(row)} data-group="{row.group}"'
            f' data-value="{row.speedup():.4f}" title="{escape(about(row))}">'
            f"{name_cell(row, with_machine)}"
            f'<span class="track"><span class="fill" style="left:{start:.2f}%;'
            f'width:{end - start:.2f}%"></span></span>'
            f'<span class="value"><b>{about_sign}{factor(row.speedup())}</b>{word}'
            f"<i>{escape(name_of(peer))} <em>{micros(us)}</em></i></span></li>"
        )
    return f'<ul class="bars" style="{scale.style()}">{"".join(items)}</ul>'


def limit_dots(rows, label, with_machine=False):
    """How many times as long as memcpy: lanepool filled, the best peer hollow."""
    pairs = [(row.to_limit(row.us(OURS)), row.to_limit(row.best()[1])) for row in rows]
    scale = scale_of([value for pair in pairs for value in pair if value], at_most=256)
    items = [axis(scale, label)]
    for row, (ours, best) in zip(rows, pairs):
        line = ""
        if best:
            start, end = sorted((scale.at(ours), scale.at(best)))
            line = (
                f'<span class="between" style="left:{start:.2f}%;width:{end - start:.2f}%"></span>'
                f'<span class="dot peer" style="left:{scale.at(best):.2f}%"></span>'
            )
        theirs = (
            f"<i>{escape(name_of(row.best()[0]))} {factor(best)}</i>" if best else "<i>no peer</i>"
        )
        items.append(
            f'<li class="row" {filters(row)} data-group="{row.group}"'
            f' data-value="{1 / ours:.5f}" title="{escape(about(row))}">'
            f"{name_cell(row, with_machine)}"
            f'<span class="track">{line}'
            f'<span class="dot ours" style="left:{scale.at(ours):.2f}%"></span></span>'
            f'<span class="value"><b>{factor(ours)}</b>{theirs}</span></li>'
        )
    return f'<ul class="bars dots" style="{scale.style()}">{"".join(items)}</ul>'


def time_bars(row, with_machine=False):
    """The time of everybody on one row, the fastest first."""
    everybody = dict(sorted({OURS: row.us(OURS), **row.peers()}.items(), key=lambda item: item[1]))
    slowest = max(everybody.values())
    items = []
    for peer, us in everybody.items():
        kind = "ours" if peer == OURS else "peer"
        items.append(
            f'<li class="time {kind}"><span class="name">{escape(name_of(peer))}</span>'
            f'<span class="track"><span class="fill" style="width:{100 * us / slowest:.2f}%">'
            f'</span></span><span class="value"><b>{micros(us)}</b></span></li>'
        )
    machine = f", machine {row.machine + 1}" if with_machine else ""
    return (
        f'<figure class="row" {filters(row)} data-group="{row.group}">'
        f"<figcaption><b>{escape(row.short())}</b> {row.op} {row.type}"
        f" {row.layout.upper()} {by_sizes(row.shape[1:])} {row.window()}{machine}</figcaption>"
        f'<ul class="bars times">{"".join(items)}</ul></figure>'
    )
