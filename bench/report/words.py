"""Numbers and findings in words."""

import html


def escape(text):
    return html.escape(str(text), quote=True)


def three(value):
    """Three significant digits, without an exponent."""
    if value is None:
        return "–"
    if value >= 100:
        return f"{value:,.0f}".replace(",", "\u202f")
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3g}"


def factor(value):
    """As 2.9×."""
    if value is None:
        return "–"
    return (
        f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"
    ) + "×"


def micros(us):
    """With a unit that suits the size."""
    if us is None:
        return "–"
    if us < 1:
        return f"{us * 1000:.0f} ns"
    return f"{three(us)} µs" if us < 10000 else f"{three(us / 1000)} ms"


def count(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


def listed(words):
    """As: a, b and c."""
    words = list(words)
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def tick_times(power):
    """A power of two on an axis."""
    return f"{2**power}×" if power >= 0 else f"1/{2**-power}"
