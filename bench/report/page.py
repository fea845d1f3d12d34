"""The HTML page: sections, each with a finding as its title, its chart, and how to read it."""

import pathlib

import findings
from bars import limit_dots, speed_bars, time_bars
from figures import OURS, compared, geomean, growth_panels
from lines import dashes_of, growth_svg
from table import all_figures, by_group, machines, scaling_table
from words import count, escape, factor

HERE = pathlib.Path(__file__).resolve().parent
SPEED_AXIS = "best peer ÷ lanepool"
FILTERS = (("type", "Type"), ("layout", "Layout"), ("op", "Op"), ("machine", "Machine"))


def asset(name):
    return (HERE / name).read_text(encoding="utf-8")


def section(identity, title, reading, *content):
    inner = "".join(content)
    return (
        f'<section id="{identity}"><h2>{escape(title)}</h2>'
        f'<p class="reading">{escape(reading)}</p>{inner}'
        '<p class="nothing" hidden>No row of this part is among the selected ones.</p></section>'
    )


def tile(value, text, kind=""):
    return f'<div class="tile {kind}"><b>{value}</b><span>{escape(text)}</span></div>'


def tiles(report):
    rows = report.workloads()
    known = compared(rows)
    numbers = findings.outcomes(rows)
    ratios = [row.to_limit(row.us(OURS)) for row in rows if row.us(OURS)]
    parts = [
        tile(
            factor(geomean(row.speedup() for row in known)),
            "geometric mean of the speed-ups",
            "ours",
        ),
        tile(numbers["win"], "rows faster than every peer"),
        tile(numbers["tie"], "equal to the best, within 5 %"),
        tile(numbers["loss"], "slower than the best peer", "loss" if numbers["loss"] else ""),
        tile(factor(geomean(ratios)), "the time of a memcpy, geometric mean"),
    ]
    return f'<div class="tiles">{"".join(parts)}</div>'


def button(attributes, text, is_pressed):
    pressed = str(is_pressed).lower()
    return f'<button type="button" {attributes} aria-pressed="{pressed}">{escape(text)}</button>'


def group_of_buttons(label, buttons):
    inner = "".join(buttons)
    return f'<div role="group" aria-label="{label}"><span>{label}</span>{inner}</div>'


def values_of(report, field):
    """{value: what its button says}, in the order of the rows."""
    if field == "machine":
        return {number: number + 1 for number in range(len(report.machines))}
    values = dict.fromkeys(row.about[field] for row in report.rows)
    return {value: value.upper() if field == "layout" else value for value in values}


def filter_bar(report):
    groups = []
    for field, label in FILTERS:
        values = values_of(report, field)
        if len(values) < 2:
            continue
        buttons = [button(f'data-field="{field}" data-value=""', "all", True)]
        for value, text in values.items():
            buttons.append(
                button(f'data-field="{field}" data-value="{escape(value)}"', text, False)
            )
        groups.append(group_of_buttons(label, buttons))
    orders = [
        button('data-sort="value"', "by speed", True),
        button('data-sort="group"', "by group", False),
    ]
    groups.append(group_of_buttons("Order", orders))
    return f'<nav id="filters" hidden>{"".join(groups)}<output id="shown"></output></nav>'


def speed_section(report, several):
    rows = report.workloads()
    reading = (
        "Time of the fastest peer divided by lanepool’s time, one thread, warm caches. Each bar"
        " begins at 1: to the right lanepool is faster, to the left, hatched, it is slower. A bar"
        " that ends in a point goes on beyond the scale. "
    )
    alone = [row for row in rows if row.outcome() == "alone"]
    if alone:
        reading += (
            f"{count(len(alone), 'row')} that no peer computes correctly: in the table only. "
        )
    lost = findings.lost_rows(rows)
    warning = f'<p class="losses">{escape(lost)}</p>' if lost else ""
    disturbed = sum(row.is_disturbed() for row in compared(rows))
    if disturbed:
        reading += (
            f"“≈”: something else disturbed {count(disturbed, 'row')}; the middle half of the"
            " samples of one side lies more than 25 % apart. "
        )
    chart = speed_bars(compared(rows), SPEED_AXIS, several)
    return section("speed", findings.losses(rows), reading, warning, by_group(report), chart)


def limit_section(report, several):
    rows = [row for row in report.workloads() if row.us(OURS)]
    rows.sort(key=lambda row: row.to_limit(row.us(OURS)))
    reading = (
        "Time divided by the time of a memcpy that reads and writes as many bytes, measured in"
        " turn. Filled: lanepool. Hollow: the best peer. 1 is the speed of memory at this size;"
        " windows that leave input out can do with less."
    )
    chart = limit_dots(rows, "time ÷ memcpy", several)
    return section("limit", findings.limit(rows), reading, chart)


def growth_section(report, several):
    rows = report.of("growth")
    if not rows:
        return ""
    reading = (
        "Stride 1, output as large as the input. Time divided by that of a memcpy of input and"
        " output, both axes logarithmic: a flat line is a cost that does not depend on the window."
    )
    dashes = dashes_of(report.ran)
    figures = []
    for (machine, op, kind, layout), panel in growth_panels(rows).items():
        title = f"{op} {kind} {layout.upper()}" + (f", machine {machine + 1}" if several else "")
        figures.append(
            f'<figure class="row" data-op="{op}" data-type="{kind}" data-layout="{layout}"'
            f' data-machine="{machine}" data-group="growth">'
            f"<figcaption>{escape(title)}, × memcpy</figcaption>"
            f"{growth_svg(panel, title, dashes)}</figure>"
        )
    return section(
        "growth", findings.growth(rows), reading, f'<div class="panels">{"".join(figures)}</div>'
    )


def cold_section(report, several):
    rows = [row for row in report.rows if row.cold]
    if not rows:
        return ""
    reading = (
        "Every call gets other buffers, together eight times as large as the last-level cache and"
        " more than 300 MB. Otherwise as above."
    )
    title = findings.condition(rows, "Buffers that no cache holds")
    return section("cold", title, reading, speed_bars(compared(rows), SPEED_AXIS, several))


def threads_section(report, several):
    rows = [row for row in report.rows if row.threads > 1]
    if not rows:
        return ""
    reading = "Everybody on as many threads. The table says what the threads bring lanepool."
    title = findings.condition(rows, "More than one thread")
    chart = speed_bars(compared(rows), SPEED_AXIS, several)
    table = scaling_table(findings.scaling(rows, report.rows))
    return section("threads", title, reading, chart, table)


def call_section(report, several):
    rows = [row for row in report.of("tiny") if row.us(OURS)]
    if not rows:
        return ""
    reading = "Whole calls on planned jobs. Every panel has its own scale, which begins at 0."
    figures = "".join(time_bars(row, several) for row in rows)
    return section("calls", findings.calls(rows), reading, f'<div class="panels">{figures}</div>')


def table_section(report, several):
    reading = (
        f"Microseconds, {report.statistic} of the samples; bold is the best. Point at a time for"
        " the spread of its samples and the peer’s own name of its implementation. “–”: the peer"
        " has no such pooling. “wrong”: it answers something else than the operator’s definition."
    )
    table = all_figures(report.rows, report.ran, several)
    return section(
        "table", "All figures", reading, f'<div class="scroll" tabindex="0">{table}</div>'
    )


def make_page(report):
    several = len(report.machines) > 1
    title = findings.headline(report.workloads())
    body = [
        f"<header><p>lanepool and its peers</p><h1>{escape(title)}</h1>{tiles(report)}</header>",
        filter_bar(report),
        "<main>",
        speed_section(report, several),
        limit_section(report, several),
        growth_section(report, several),
        cold_section(report, several),
        threads_section(report, several),
        call_section(report, several),
        table_section(report, several),
        f'<section id="machine"><h2>What was measured, and where</h2>{machines(report)}</section>',
        "</main>",
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>\n{asset('page.css')}</style>\n"
        f"<body>\n{chr(10).join(part for part in body if part)}\n"
        f"<script>\n{asset('page.js')}</script>\n</body>\n</html>\n"
    )
