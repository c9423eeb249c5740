"""How cost grows with size: `bench growth`, its curves, and what in them is worse than linear."""
import dataclasses
import statistics

from measure import run

# A curve grows faster than its size where a unit costs this much more than at a tenth of the size: n to the power of 1.3.
# Linear work comes to a good part of that where it leaves one of the processor's caches behind.
TOLERANCE = 2.0

AXES = {'pages': 'bytes of the page', 'links': 'links of the page', 'entries': 'entries of the cache', 'loads': 'loads at once'}


@dataclasses.dataclass
class Picture:
    """Curves with one axis: for each size the seconds that a unit of it costs."""
    name: str
    title: str
    unit: str
    across: str
    curves: list
    note: str

    def steep(self):
        """Where a curve grows faster than its size: its name, the size, how many times the cost at a tenth of it."""
        found = []
        for name, points in self.curves:
            for size, seconds in points:
                tenth = [before for smaller, before in points if smaller * 10 <= size]
                if tenth and seconds / tenth[-1] > TOLERANCE:
                    found.append((name, size, seconds / tenth[-1]))
        return found


def growth(tools, cases, settings):
    for axis, across in AXES.items():
        arguments = [tools.bench, 'growth', axis]
        if axis in settings.largest:
            arguments += ['--largest', settings.largest[axis]]
        for line in run(arguments).lines:
            clock = 'wall' if axis == 'entries' else 'cpu'
            curves = [(curve['name'], [(point['size'], statistics.median(point[clock] or point['wall']))
                                       for point in curve['points']]) for curve in line['curves']]
            picture = Picture(axis, line['case'], line['unit'], across, curves, line.get('note', ''))
            cases.pictures.append(picture)
