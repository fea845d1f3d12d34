"""Tables of the report: all figures, and a line for each group."""

from figures import GROUPS, OURS, compared, geomean, median, name_of, by_sizes
from bars import filters
from findings import outcomes
from words import escape, factor, micros, three

NUMBER = ' class="n"'


def cell(row, peer, best):
    """A peer's time on one row, and why there is none."""
    result = row.results.get(peer, {"status": "absent"})
    status = result.get("status")
    note = escape(result.get("note", ""))
    if status == "wrong":
        difference = result.get("difference")
        return f'<td class="n wrong" title="differs by {difference}: {note}">wrong</td>'
    us = row.us(peer)
    if us is None:
        return f'<td class="n none" title="{escape(status)}: {note}">–</td>'
    kinds = ["n"] + ["best"] * (peer == best) + ["ours"] * (peer == OURS)
    spread = f" ± {100 * result.get('spread', 0):.0f} %"
    return f'<td class="{" ".join(kinds)}" title="{micros(us)}{spread} {note}">{three(us)}</td>'


def table_row(row, peers, with_machine):
    best = min((p for p in peers if row.us(p)), key=row.us, default=None)
    ours = row.us(OURS)
    cells = [f"<th scope=row>{escape(row.short())}</th>"]
    if with_machine:
        cells.append(f"<td>{row.machine + 1}</td>")
    condition = ("cold " if row.cold else "") + (
        f"{row.threads} threads" if row.threads > 1 else ""
    )
    words = [row.op, row.type, row.layout.upper(), by_sizes(row.shape), row.window(), condition]
    cells += [f"<td>{escape(word)}</td>" for word in words]
    cells.append(f"<td{NUMBER}>{three(row.memcpy_us())}</td>")
    cells += [cell(row, peer, best) for peer in peers]
    gbps = row.bytes / ours * 1e-3 if ours else None
    cells.append(f"<td{NUMBER}>{three(gbps)}</td>")
    cells.append(f"<td{NUMBER}>{factor(row.to_limit(ours))}</td>")
    cells.append(f'<td class="n {row.outcome()}">{factor(row.speedup())}</td>')
    return f'<tr class="row" {filters(row)} data-group="{row.group}">{"".join(cells)}</tr>'


def all_figures(rows, peers, with_machine=False):
    words = ["row"] + ["machine"] * with_machine
    words += ["op", "type", "layout", "N×C×size", "window", "", "memcpy µs"]
    words += [f"{name_of(peer)} µs" for peer in peers]
    words += ["GB/s", "× memcpy", "speed-up"]
    head = "".join(f"<th scope=col>{escape(word)}</th>" for word in words)
    body = "".join(table_row(row, peers, with_machine) for row in rows)
    return f"<table id=figures><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def by_group(report):
    """The means that hide behind the mean."""
    lines = []
    for group, name in GROUPS.items():
        rows = report.of(group)
        known = compared(rows)
        if not rows:
            continue
        if not known:
            lines.append(
                f"<tr><th scope=row>{name}</th><td colspan=7>no peer runs these rows</td></tr>"
            )
            continue
        numbers = outcomes(rows)
        worst = known[-1]
        lines.append(
            f"<tr><th scope=row>{name}</th><td{NUMBER}>{len(known)}</td>"
            f"<td{NUMBER}><b>{factor(geomean(row.speedup() for row in known))}</b></td>"
            f"<td{NUMBER}>{factor(median(row.speedup() for row in known))}</td>"
            f"<td{NUMBER}>{numbers['win']}</td><td{NUMBER}>{numbers['tie']}</td>"
            f'<td class="n {"loss" if numbers["loss"] else ""}">{numbers["loss"]}</td>'
            f"<td>{factor(worst.speedup())} {escape(worst.title())}</td></tr>"
        )
    words = [
        "rows of",
        "compared",
        "geometric mean",
        "median",
        "faster",
        "equal",
        "slower",
        "worst",
    ]
    head = "".join(f"<th scope=col>{word}</th>" for word in words)
    return f"<table id=groups><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def scaling_table(pairs):
    lines = "".join(
        f'<tr class="row" {filters(row)} data-group="{row.group}"><th scope=row>'
        f"{escape(row.about['name'])}</th><td>{row.layout.upper()}</td>"
        f"<td{NUMBER}>{row.threads}</td><td{NUMBER}>{micros(row.us(OURS))}</td>"
        f"<td{NUMBER}><b>{factor(ratio)}</b></td></tr>"
        for row, ratio in pairs
    )
    words = ["row", "layout", "threads", "lanepool", "as fast as one thread"]
    head = "".join(f"<th scope=col>{word}</th>" for word in words)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def machines(report):
    """What ran where."""
    parts = []
    for number, machine in enumerate(report.machines):
        title = f"Machine {number + 1}: " if len(report.machines) > 1 else ""
        caches = [machine.get(f"{level}_bytes") for level in ("l1d", "l2", "l3")]
        sizes = " / ".join(f"{size >> 10} KiB" if size else "?" for size in caches)
        parts.append(
            f"<p>{title}<b>{escape(machine['cpu'])}</b>, {machine['cores']} cores,"
            f" {escape(machine.get('architecture', ''))}, caches {sizes};"
            f" {escape(machine['os'])}; {escape(machine.get('date', ''))}."
            f" Made by <code>{escape(machine['command'])}</code></p>"
        )
    lines = "".join(
        f"<tr><th scope=row>{escape(name_of(peer['name']))}</th><td>{escape(peer['version'])}</td>"
        f"<td>{escape(peer.get('isa', ''))}</td>"
        f"<td>{escape(peer.get('status', 'ran'))} {escape(peer.get('note', ''))}</td></tr>"
        for peer in report.peers.values()
    )
    head = "<tr><th>library</th><th>version</th><th>instruction set</th><th></th></tr>"
    return f"{''.join(parts)}<table><thead>{head}</thead><tbody>{lines}</tbody></table>"
