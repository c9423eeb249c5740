"""How cost grows with size: `bench growth`, its curves, and what in them is worse than linear."""
import dataclasses
import statistics

from measure import run

# A curve grows faster than its size where a unit costs this much more than at a hundredth of the size: n to the power of 1.3.
# Once, where it leaves one of the processor's caches behind, linear work comes to half of that and more.
TOLERANCE = 4.0

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

    def steps(self, times):
        """For each point that has one so many times smaller: its curve, its size, how many times as much a unit costs."""
        for name, points in self.curves:
            for size, seconds in points:
                smaller = [before for before_size, before in points if before_size * times <= size]
                if smaller:
                    yield name, size, seconds / smaller[-1]

    def steep(self):
        """Where a curve grows faster than its size."""
        return [step for step in self.steps(100) if step[2] > TOLERANCE]


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
