"""Pages copied into one file, from a warm cache: time, size, and memory beside that of the copy."""
import os
import shutil
import statistics

from measure import peak, processes_in_turn, run
from sites import served


def make(tools, resources, size):
    """A page of about 1 MB, with so many images of `size` bytes, and style sheets that use them."""
    root = tools.folder / 'copied'
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    sheets = resources // 10
    for number in range(resources - sheets):
        (root / f'i{number}.png').write_bytes(b'\x89PNG\r\n\x1a\n' + os.urandom(size))
    rule = '.c%d{margin:%dpx;background:url(i%d.png)}\n'
    for number in range(sheets):
        (root / f's{number}.css').write_text(''.join(rule % (n, n, (number + n) % (resources - sheets)) for n in range(400)))
    head = ''.join(f'<link rel=stylesheet href=s{number}.css>' for number in range(sheets))
    body = ''.join(f'<p>Some words of a paragraph, <a href="p{n}.html">a link</a> and <b>more</b> words &amp; so on.'
                   for n in range(1_000_000 // 90))
    images = ''.join(f'<img src=i{n}.png width=20>' for n in range(resources - sheets))
    (root / 'page.html').write_text(f'<!DOCTYPE html><meta charset=utf-8><title>page</title>{head}{images}{body}')
    (root / 'robots.txt').write_text('')
    return root


def copies(tools, cases, settings):
    webinspect, cache = tools.binaries / 'webinspect', tools.folder / 'copy-cache'
    rows = []
    for resources, size in ((50, 20_000), (50, settings.copy_size)):
        root = make(tools, resources, size)
        with served(tools, root) as url:
            shutil.rmtree(cache, ignore_errors=True)
            common = [webinspect, 'save', f'{url}page.html', '-s', '--cache-dir', cache]
            out = [tools.folder / f'copy.{form}' for form in ('html', 'mhtml', 'wacz')]
            run([*common, '-o', out[0], '--keep'])
            commands = [(f'webinspect save, .{file.suffix[1:]}', [*common, '-o', file, '--cache-only']) for file in out]
            name = f'a page of 1 MB with {resources} resources of {size // 1000} KB, from a warm cache'
            # What any program does that makes such a file.
            floor = ['sh', '-c', 'cat "$1"/* | base64 -w0 > "$2"', 'sh', root, tools.folder / 'floor']
            case = cases.case('copies', name, 'page')
            processes_in_turn(case, [*commands, ('cat and base64', floor)], settings.copy_rounds)
            for (name, command), file in zip(commands, out):
                wall = statistics.median(case.subject(name).wall)
                rows.append((name, f'{resources} of {size // 1000} KB', f'{wall * 1000:.1f}', f'{file.stat().st_size / 1e6:.2f}',
                             f'{peak(command) / file.stat().st_size:.2f}'))
    case = cases.case('copies', 'size and memory of a copy', 'copy')
    case.table = (('what', 'resources', 'ms', 'MB of the copy', 'memory, in copies'), rows)
