"""The HTML parser: speed and memory beside libxml2's and lexbor's, what each step takes, pages made to take long."""

from measure import peak, run
from shapes import SHAPES

OURS, FLOOR = 'WebLoader', 'libxml2 in C, htmlReadMemory'


def parsing(tools, cases, settings):
    """Real pages from bytes to freed tree."""
    pages = sorted(tools.pages.glob('*.html'))
    floor = tools.floor('parse', 'libxml-2.0')
    case = cases.case('parsing', 'bytes to tree, and freed', 'all pages')
    for _ in range(settings.turns):
        for name, program in ((OURS, [tools.adapter, 'bench-parse', settings.rounds]), (FLOOR, [floor, settings.rounds])):
            line = run([*program, *pages]).lines[-1]
            case.subject(name).cpu.append(line['median_cpu_s'])
            if name == OURS:
                size, nodes = line['bytes'], line['nodes']
        if tools.python:
            for line in run([tools.python, tools.peer('parsing'), settings.rounds, *pages]).lines:
                cases.add(line)
    case.notes.append(f'{len(pages)} pages, {size} bytes, {nodes} nodes.')
    steps = run([tools.adapter, 'bench-steps', settings.rounds, *pages]).lines[-1]
    case.notes.append('Steps, in ms for all pages: ' + ', '.join(
        f'{name[:-3]} {milliseconds}' for name, milliseconds in steps.items()) + '.')


def memory(tools, cases, settings):
    """What a tree takes for each byte of the page, all pages as one."""
    page, empty = tools.folder / 'page', tools.folder / 'empty'
    page.write_bytes(b'\n'.join(path.read_bytes() for path in sorted(tools.pages.glob('*.html'))))
    empty.write_text('<p>')
    size = page.stat().st_size
    case = cases.case('memory', f'the tree of a page of {size / 1e6:.1f} MB', 'byte of the page, in bytes')
    for _ in range(3):
        for name, program in ((OURS, [tools.adapter, 'bench-parse', 1]), (FLOOR, [tools.floor('parse', 'libxml-2.0'), 1])):
            # What the program itself takes, and the page that it holds, are taken off.
            taken = peak([*program, page]) - peak([*program, empty]) - size
            case.subject(name).cpu.append(taken / size)


def hostile(tools, cases, settings):
    """Each shape at n and at 2n: time, and the ratio of the two; memory."""
    n, rows = settings.hostile_size, []
    page, empty = tools.folder / 'page', tools.folder / 'empty'
    empty.write_text('<p>')
    base = peak([tools.adapter, 'bench-parse', 1, empty])
    for name, shape in SHAPES.items():
        times = []
        for size in (n, 2 * n):
            page.write_text(shape(size), 'utf-8')
            times.append(run([tools.adapter, 'bench-parse', 5, page]).lines[-1]['median_cpu_s'])
        memory = max(0, peak([tools.adapter, 'bench-parse', 1, page]) - base) / page.stat().st_size
        rows.append((name, times[0] * 1e3, times[1] * 1e3, times[1] / times[0], memory))
    page.write_text('<div>' * 1_000_000, 'utf-8')
    deep = run([tools.adapter, 'bench-parse', '--max-depth', 2_000_000, 3, page]).lines[-1]['median_cpu_s']
    case = cases.case('hostile', f'shapes of {n / 1e6:g} MB and twice that', 'page')
    case.table = (('shape', 'ms', 'ms at twice the size', 'ratio', 'bytes a byte'), rows)
    case.notes.append(f'Worst ratio {max(row[3] for row in rows):.2f}; a million nested `<div>`, all of them kept: '
                      f'{deep:.3f} s.')
