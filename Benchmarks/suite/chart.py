"""Charts of curves, as SVG: both axes logarithmic, legible on a light and on a dark page."""
import html
import math

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 78, 190, 40, 52
COLOURS = ['#1f77b4', '#d1641b', '#2a8f3c', '#8a4fbf', '#b8376b']
STYLE = '''text { font: 13px sans-serif; fill: #333 } .title { font-size: 15px; font-weight: bold }
.grid { stroke: #ddd } .axis { stroke: #888 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 } }'''


def number(value):
    for size, suffix in ((1e9, 'G'), (1e6, 'M'), (1e3, 'k')):
        if value >= size:
            return f'{value / size:g}{suffix}'
    return f'{value:g}'


def duration(seconds):
    for size, suffix in ((1, 's'), (1e-3, 'ms'), (1e-6, 'µs')):
        if seconds >= size:
            return f'{seconds / size:.3g} {suffix}'
    return f'{seconds * 1e9:.3g} ns'


class Axis:
    """A range of values on a logarithmic axis, widened to whole powers of ten."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(math.ceil(math.log10(max(values)) - 1e-9), self.low + 1)
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    @property
    def powers(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def draw(title, across, up, curves):
    """`curves`: names, each with its points, (size, seconds)."""
    x = Axis([size for _, points in curves for size, _ in points], LEFT, WIDTH - RIGHT)
    y = Axis([seconds for _, points in curves for _, seconds in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             f'<title>{html.escape(title)}</title>', f'<style>{STYLE}</style>',
             f'<text class="title" x="{LEFT}" y="22">{html.escape(title)}</text>']
    for power in x.powers:
        parts.append(f'<line class="grid" x1="{x.place(power)}" y1="{TOP}" x2="{x.place(power)}" y2="{HEIGHT - BOTTOM}"/>'
                     f'<text x="{x.place(power)}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{number(power)}</text>')
    for power in y.powers:
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y.place(power)}" x2="{WIDTH - RIGHT}" y2="{y.place(power)}"/>'
                     f'<text x="{LEFT - 8}" y="{y.place(power) + 4}" text-anchor="end">{duration(power)}</text>')
    parts.append(f'<path class="axis" fill="none" d="M{LEFT},{TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{html.escape(across)}</text>')
    parts.append(f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
                 f'{html.escape(up)}</text>')
    for index, (name, points) in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        path = ' '.join(f'{x.place(size)},{y.place(seconds)}' for size, seconds in points)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>')
        parts += [f'<circle r="3" fill="{colour}" cx="{x.place(size)}" cy="{y.place(seconds)}"/>' for size, seconds in points]
        row = TOP + 12 + 22 * index
        parts.append(f'<line stroke="{colour}" stroke-width="2" x1="{WIDTH - RIGHT + 14}" y1="{row}" '
                     f'x2="{WIDTH - RIGHT + 34}" y2="{row}"/>'
                     f'<text x="{WIDTH - RIGHT + 40}" y="{row + 4}">{html.escape(name)}</text>')
    return '\n'.join([*parts, '</svg>', ''])
