"""Plots as inline SVG that takes its colors from the page, so that one picture serves light and dark."""

import math
from html import escape

WIDTH, ROW, LEFT = 640, 24, 112  # the longest name is central_queue


def text(x, y, words, anchor="start", css=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{css}">{escape(str(words))}</text>'


def line(x1, y1, x2, y2, css):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{css}"/>'


def picture(width, height, parts, label):
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{escape(label)}">'
            + "".join(parts) + "</svg>")


def ticks_between(low, high):
    """1, 2 and 5 in each decade, or whole decades if there are many."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1,) if len(decades) > 3 else (1, 2, 5)
    return [factor * 10.0**decade for decade in decades for factor in factors if low <= factor * 10.0**decade <= high]


def bars(rows, label):
    """Horizontal bars on a logarithmic axis that starts at 1, to the left below it. `rows`: (name, value, text behind the bar)."""
    low, high = min([1.0, *(value for _, value, _ in rows)]) / 1.05, max([2.0, *(value for _, value, _ in rows)]) * 1.05
    scale = (WIDTH - LEFT - 110) / math.log(high / low)

    def x(value):
        return LEFT + scale * math.log(value / low)

    bottom = len(rows) * ROW
    parts = [line(x(tick), 0, x(tick), bottom, "axis" if tick == 1 else "rule") + text(x(tick), bottom + 15, f"{tick:g}", "middle", "small")
             for tick in ticks_between(low, high)]
    for i, (name, value, said) in enumerate(rows):
        start, end = sorted((x(1), x(value)))
        parts.append(f'<rect x="{start:.1f}" y="{i * ROW + 4}" width="{max(end - start, 1):.1f}" height="{ROW - 8}" rx="2" '
                     f'class="bar peer-{escape(name)}"/>')
        parts += [text(LEFT - 8, i * ROW + 16, name, "end"), text(end + 6, i * ROW + 16, said, css="small")]
    return picture(WIDTH, bottom + 22, parts, label)


def curves(title, by_peer, worker_counts):
    """Speed-ups over workers, both axes logarithmic to base 2; the dashed line is as many times as workers."""
    width, height, left, top, right, bottom = 250, 190, 34, 26, 240, 166
    most = max(worker_counts)
    values = [value for points in by_peer.values() for _, value in points]
    high = 2 ** math.ceil(math.log2(max([most, *values])) + 0.1)
    low = 2 ** max(-6, math.floor(math.log2(min([1.0, *values]))))

    def x(workers):
        return left + (right - left) * (math.log2(workers) / math.log2(most) if most > 1 else 0.5)

    def y(value):
        return bottom - (bottom - top) * math.log2(max(value, low) / low) / math.log2(high / low)

    parts = [text(left, 14, title, css="strong")]
    exponents = range(round(math.log2(low)), round(math.log2(high)) + 1)
    for exponent in exponents:
        value = 2.0**exponent
        said = f"{value:g}" if exponent >= 0 else f"1/{2**-exponent}"
        if len(exponents) <= 6 or exponent % 2 == 0:
            parts.append(text(left - 5, y(value) + 4, said, "end", "small"))
        parts.append(line(left, y(value), right, y(value), "rule"))
    parts += [text(x(workers), bottom + 15, workers, "middle", "small") for workers in worker_counts]
    parts.append(line(x(1), y(1), x(most), y(most), "ideal"))
    for peer, points in sorted(by_peer.items(), key=lambda entry: entry[0] == "filch"):  # filch last, so on top
        path = " ".join(f"{x(workers):.1f},{y(value):.1f}" for workers, value in points)
        dots = "".join(f'<circle cx="{x(workers):.1f}" cy="{y(value):.1f}" r="3" class="dot peer-{escape(peer)}">'
                       f"<title>{escape(peer)}, workers: {workers}: {value:.2f}</title></circle>" for workers, value in points)
        parts.append(f'<polyline points="{path}" class="curve peer-{escape(peer)}"/>{dots}')
    return picture(width, height, parts, f"Speed-up of {title}")
