"""What was measured, as tables, as JSON, and as docs/performance.md."""
import datetime
import json
import statistics

import chart
from targets import TARGETS
from tools import ROOT

HEAD = '''# Performance

`Scripts/bench` generates this file, and repeats all measurements; do not edit it by hand. All figures are from one run, in which the
subjects of a table were measured in turn. *CPU* is processor time, including the kernel's; *wall* is elapsed time. Each figure is the
median of the samples, followed in brackets by the range of their middle half. *× ours* is the other subject's time divided by ours:
below 1, the other subject is faster. The processor cores are shared with other machines, so ratios and CPU time are more reliable than
wall time.

[performance.json](performance.json) has the medians, the quartiles and the numbers of samples.
'''


def scale(values):
    """A unit for seconds in which these are readable, and its size."""
    least = min(values)
    for unit, size in (('s', 1), ('ms', 1e-3), ('µs', 1e-6)):
        if least >= size:
            return unit, size
    return 'ns', 1e-9


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method='inclusive')
    return low, middle, high


def cell(values, size):
    if not values:
        return '–'
    low, middle, high = (figures(value / size) for value in quartiles(values))
    return f'{middle} ({low}–{high})'


def figures(value):
    """A number with three figures that count."""
    return f'{value:,.0f}' if value >= 100 else f'{value:.3g}'


def row(cells):
    return '| ' + ' | '.join(cells) + ' |'


def table(case):
    """A case as Markdown."""
    lines = [f'### {case.name}', '']
    if case.subjects:
        memory = case.benchmark == 'memory'
        times = [statistics.median(times) for subject in case.subjects for times in (subject.cpu, subject.wall) if times]
        unit, size = ('bytes', 1) if memory else scale(times)
        has_wall = any(subject.wall for subject in case.subjects)
        has_cpu = any(subject.cpu for subject in case.subjects)
        columns = [''] + ([unit if memory else f'CPU {unit}', '× ours'] if has_cpu else [])
        columns += [f'wall {unit}', '× ours'] if has_wall else []
        lines += [f'For one {case.unit}.' if not case.unit.startswith('all') else f'For {case.unit}.', '',
                  row(columns), row(['---'] * len(columns))]
        for index, subject in enumerate(case.subjects):
            cells = [subject.name]
            for clock in (['cpu'] if has_cpu else []) + (['wall'] if has_wall else []):
                ratio = case.ratio(subject.name, clock)
                times = getattr(subject, clock)
                cells += [cell(times, size), '1' if index == 0 and times else f'{ratio:.2f}' if ratio else '–']
            lines.append(row(cells))
        lines.append('')
    if case.table:
        names, rows = case.table
        lines += [row(names), row(['---'] * len(names))]
        lines += [row(f'{value:.2f}' if isinstance(value, float) else str(value) for value in values) for values in rows]
        lines.append('')
    for note in case.notes:
        lines += [note, '']
    return '\n'.join(lines)


def tables(cases):
    return '\n'.join(table(case) for case in cases)


def targets(cases):
    """The bars that we hold ourselves to, and what came of them."""
    lines = [row(['what', 'measured', 'bar', 'goal', '']), row(['---'] * 5)]
    for target in TARGETS:
        case = next((case for case in cases.all if (case.benchmark, case.name.startswith(target.case)) ==
                     (target.benchmark, True)), None)
        value = target.value(case) if case else None
        if value is None:
            continue
        if target.goal is not None and target.holds(value, target.goal):
            verdict = 'goal met'
        elif target.bar is not None:
            verdict = 'bar met' if target.holds(value, target.bar) else '**bar missed**'
        else:
            verdict = '**goal missed**'
        marks = ['–' if mark is None else f'{mark:g}' for mark in (target.bar, target.goal)]
        lines.append(row([target.text, figures(value), *marks, verdict]))
    return '\n'.join(lines)


def slower(cases):
    """Everything that is faster than we are, in words."""
    lines = []
    for case in cases.all:
        for peer in case.subjects[1:]:
            if peer.name.startswith('WebLoader') or case.name == 'in a worker' or case.benchmark in (
                    'parts', 'startup', 'memory'):
                continue
            for clock, name in (('cpu', 'CPU'), ('wall', 'wall')):
                ratio = case.ratio(peer.name, clock)
                if ratio and ratio < 1:
                    lines.append(f'- {case.benchmark}, *{case.name}*: {peer.name} takes {ratio:.2f} times our {name} time.')
    return '\n'.join(lines) or 'Nowhere, in this run.'


def growth(cases, folder):
    lines = []
    for picture in cases.pictures:
        name = f'growth-{picture.name}.svg'
        clock = 'wall time' if picture.name == 'entries' else 'CPU'
        (folder / name).write_text(chart.draw(
            f'{clock[0].upper() + clock[1:]} for one {picture.unit}, by {picture.title}', picture.across,
            f'{clock} for one {picture.unit}', picture.curves), 'utf-8')
        lines += [f'![By {picture.title}](performance/{name})', '']
        if picture.note:
            lines += [picture.note, '']
        lines += [f'**Worse than linear**: {curve}, {ratio:.2f} times the cost of one {picture.unit} at {size:,} as at a '
                  'hundredth of that.' for curve, size, ratio in picture.steep()] or ['No curve grows faster than linearly.']
        curve, size, ratio = max(picture.steps(10), key=lambda step: step[2])
        lines.append(f'The steepest tenfold step is that of *{curve}* up to {size:,}: one {picture.unit} costs {ratio:.2f} times '
                     'as much as at a tenth of that size.')
        lines.append('')
    return '\n'.join(lines)


def summary(values):
    return dict(zip(('low', 'median', 'high'), quartiles(values)), samples=len(values)) if values else None


def write_json(path, cases, machine=(), samples=True):
    """Every sample, or medians and quartiles only."""
    shown = (lambda values: values) if samples else summary
    path.write_text(json.dumps({
        'machine': dict(machine),
        'cases': [{'benchmark': case.benchmark, 'case': case.name, 'unit': case.unit, 'notes': case.notes,
                   'table': case.table and [dict(zip(case.table[0], values)) for values in case.table[1]],
                   'subjects': [{'name': subject.name, 'cpu': shown(subject.cpu), 'wall': shown(subject.wall)}
                                for subject in case.subjects]} for case in cases.all],
        'growth': [{'axis': picture.name, 'unit': picture.unit, 'curves': dict(picture.curves)}
                   for picture in cases.pictures],
    }, indent=1, ensure_ascii=False) + '\n', 'utf-8')


def write(tools, cases):
    """docs/performance.md, its pictures and its JSON."""
    folder = ROOT / 'docs/performance'
    folder.mkdir(exist_ok=True)
    machine = [('Date', datetime.date.today().isoformat()), *tools.machine()]
    sections = [HEAD, '## The machine', '\n'.join([row(['', '']), row(['---', '---'])] + [row(line) for line in machine]),
                '## Bars and goals', targets(cases), '## Where we are slower', slower(cases), '## How cost grows',
                'The charts show the cost of one unit by the number of units: a level line means linear growth, a rising line faster '
                'growth.',
                growth(cases, folder)]
    for benchmark in dict.fromkeys(case.benchmark for case in cases.all):
        sections += [f'## {benchmark}', tables(case for case in cases.all if case.benchmark == benchmark)]
    (ROOT / 'docs/performance.md').write_text('\n\n'.join(section.strip() for section in sections) + '\n', 'utf-8')
    write_json(ROOT / 'docs/performance.json', cases, machine, samples=False)
