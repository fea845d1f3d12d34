"""The sentences of the report: what the figures say, for better or worse."""

from figures import OURS, compared, geomean, growth_of, growth_panels, median, name_of
from words import count, factor, listed, micros

MOST_NAMED = 8  # rows that a sentence lists
LARGE, SMALL = 51, 5  # windows whose times are compared


def headline(rows):
    """About the workloads."""
    known = compared(rows)
    if not known:
        return "No peer ran beside lanepool"
    mean = geomean(row.speedup() for row in known)
    wins = sum(row.outcome() == "win" for row in known)
    words = f"On the geometric mean lanepool is {factor(mean)} as fast as the best peer"
    return f"{words}; it is ahead on {wins} of {count(len(known), 'row')}"


def outcomes(rows):
    """Numbers of wins, ties and losses."""
    known = compared(rows)
    return {kind: sum(row.outcome() == kind for row in known) for kind in ("win", "tie", "loss")}


def losses(rows):
    """How many rows a peer does faster."""
    known = compared(rows)
    lost = sum(row.outcome() == "loss" for row in known)
    return f"A peer is faster on {lost or 'none'} of {count(len(known), 'row')}"


def lost_rows(rows):
    """They, the worst first; "" if there is none."""
    lost = [row for row in reversed(compared(rows)) if row.outcome() == "loss"]
    words = [f"{row.title()} ({factor(row.speedup())}, {name_of(row.best()[0])})" for row in lost]
    if len(words) > MOST_NAMED:
        words[MOST_NAMED:] = [f"{len(words) - MOST_NAMED} others, all of them in the chart"]
    return f"lanepool is slower on {listed(words)}." if lost else ""


def limit(rows):
    ratios = [row.to_limit(row.us(OURS)) for row in rows if row.us(OURS)]
    if not ratios:
        return "Distance to the speed of memory"
    theirs = [row.to_limit(row.best()[1]) for row in rows if row.best()[1]]
    text = f"Half of the rows take at most {factor(median(ratios))} the time of a memcpy"
    return text + (f"; with the best peer {factor(median(theirs))}" if theirs else "")


def growth(rows):
    """What the largest window costs beside a small one, for lanepool and for the best peers."""
    ours, theirs = [], []
    for panel in growth_panels(rows).values():
        for peer, points in panel.items():
            ratio = growth_of(points, SMALL, LARGE)
            if ratio:
                (ours if peer == OURS else theirs).append(ratio)
    if not ours:
        return "Time grows with the window"
    text = (
        f"A {LARGE}×{LARGE} window costs lanepool {factor(max(ours))} a {SMALL}×{SMALL} one at most"
    )
    return text + (f"; its peers {factor(min(theirs))} at least" if theirs else "")


def condition(rows, words):
    """About cold caches and threads."""
    known = compared(rows)
    if not known:
        return words
    mean = geomean(row.speedup() for row in known)
    worst = known[-1]
    return f"{words}: {factor(mean)} the best peer’s speed, {factor(worst.speedup())} at worst"


def calls(rows):
    ours = [row.us(OURS) for row in rows if row.us(OURS)]
    theirs = [row.best()[1] for row in rows if row.best()[1]]
    if not ours:
        return "What a call costs"
    text = f"A call with hardly anything to do takes {between(ours)}"
    return text + (f", the fastest peer’s {between(theirs)}" if theirs else "")


def between(times):
    least, most = micros(min(times)), micros(max(times))
    return least if least == most else f"{least} to {most}"


def scaling(rows, everything):
    """[(row, time on one thread / time on its threads)] of lanepool."""
    alone = {row.key(): row for row in everything if row.threads == 1}
    pairs = []
    for row in rows:
        machine, name, layout, _, cold = row.key()
        single = alone.get((machine, name, layout, 1, cold))
        one_thread = row.one_thread_us() or (single and single.us(OURS))
        if one_thread and row.us(OURS):
            pairs.append((row, one_thread / row.us(OURS)))
    return pairs
