"""Runs commands on pages that were made to take much memory or time, and says where one takes more than it may."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

from tools import ROOT, quietly

SIZE = 1_000_000
SECONDS = 3

# Seconds after which a command that does not end is killed, however busy the machine is.
PATIENCE = 120

# What a command may take: so many bytes, and so many for each byte of the page.
FIXED, EACH = 64 << 20, 40

COMMANDS = [
    ['url'], ['url', '--json'], ['url', '--findings'], ['report'], ['links'], ['links', '--json'], ['text'],
    ['text', '--markdown'], ['text', '--all', '--markdown'], ['tables', '--json'], ['select', '*', '--html'],
    ['select', 'a', '--json'], ['select', '*', '--path'], ['select', '//*', '--xpath', '--path'],
    ['extract', '-e', 'a[]=a'],
]

# Pages that say one thing again and again; {} stands for the number of the time.
REPEATED = {
    'p': '<p>', 'p-text': '<p>x', 'div': '<div>', 'a': '<a>', 'a-href': '<a href=a>', 'a-text': '<a href=a>x</a>',
    'a-fragment': '<a href=#{}>x</a>', 'a-host': '<a href=//h{}.x/>y</a>', 'a-open': '<a href={}>t{}', 'a-bold': '<b><a href=x>',
    'li': '<li>x', 'ul': '<ul><li>x', 'ol': '<ol><li>x</ol>', 'quote': '<blockquote>x', 'bold': '<b>x',
    'mixed': '<b>x</b><i>y</i>', 'formatting': '<b><i><u><p>x', 'code': '<code>`</code>', 'br': 'x<br>', 'hr': '<hr>',
    'h1': '<h1>x</h1>', 'section': '<section><h2>x', 'nav': '<nav>', 'nav-label': '<nav aria-label=x></nav>',
    'img': '<img src={}>', 'img-alt': '<img src=a alt=b>', 'srcset': '<img srcset="{},a 2x,b 3x">', 'figure': '<figure>x</figure>',
    'td': '<table><td>', 'nested-tables': '<table><tr><td>', 'tables': '<table><tr><td>x</table>', 'dl': '<dl><dt>a<dd>b',
    'input': '<input name=a>', 'form': '<form action=a><input name=b></form>', 'label': '<label>x<input>', 'option': '<option>x',
    'script': '<script src=a></script>', 'style': '<style></style>', 'iframe': '<iframe src=a></iframe>',
    'srcdoc': '<iframe srcdoc="<p>x"></iframe>', 'comment': '<!--x-->', 'link': '<link rel=icon href=a>',
    'meta': '<meta name=a content=b>', 'og': '<meta property=og:image content=a>', 'csp-meta':
    '<meta http-equiv=content-security-policy content="a b">', 'item': '<b itemscope itemprop=a>x', 'rdfa': '<b about=a property=og:a>x</b>',
    'h-card': '<b class="h-card p-a">', 'json-ld': '<script type=application/ld+json>{{}}</script>', 'words': 'x ', 'lines': 'x\n',
    'reference': '&lt;', 'ampersand': '&', 'stars': '*a ', 'brackets': '[a]', 'umlauts': 'é', 'control': '\u0085', 'override': '\u202e',
    'zero': '\0', 'return': '\r', 'end-tags': '</x>', 'twice': '<a a a>', 'closed': '<x/>', 'same-id': '<b id=a>', 'ids': '<b id={}>',
    'attribute': '<b a{}=x>', 'classes': '<b class="a b c d">', 'template': '<template>', 'svg': '<svg><a/></svg>',
    'math': '<math><mi>x</mi></math>', 'notes': '<sup><a href=#n{}>{}</a></sup><p id=n{}>note', 'pre': '<pre>x</pre>',
}


def repeated(unit):
    text, size, number = [], 0, 0
    while size < SIZE:
        text.append(unit.format(number, number, number))
        size += len(text[-1].encode())
        number += 1
    return ''.join(text)


def times(unit, share=1.0):
    return unit * int(SIZE * share / len(unit))


def pages():
    """Names of files and what is in them."""
    for name, unit in REPEATED.items():
        yield name + '.html', repeated(unit)
    for name, unit in {'th': '<th>x', 'tr': '<tr><td>', 'cells': '<td>x', 'pipes': '|'}.items():
        yield name + '.html', '<table>' + times(unit)
    yield 'options.html', '<form><select name=a>' + times('<option>')
    yield 'candidates.html', '<img srcset="' + ','.join(f'{i} {i + 1}w' for i in range(90_000)) + '">'
    yield 'attributes.html', '<b ' + ' '.join(f'a{i}' for i in range(140_000)) + '>'
    yield 'directives.html', '<meta http-equiv=content-security-policy content="' + times('a b;') + '">'
    yield 'sources.html', '<meta http-equiv=content-security-policy content="script-src ' + times('http: ') + '">'
    yield 'imports.html', '<style>' + times('@import "a";') + '</style>'
    yield 'css-urls.html', '<style>' + times('a{b:url(c)}') + '</style>'
    yield 'base.html', f'<base href="http://h/{times("b", 0.5)}/">' + times('<a href=a>x</a>', 0.5)
    yield 'json-objects.html', '<script type=application/ld+json>[' + times('{},') + '{}]</script>'
    yield 'json-numbers.html', '<script type=application/ld+json>[' + times('1,') + '1]</script>'
    yield 'elements.xml', '<r>' + times('<a/>') + '</r>'
    yield 'items.rss', '<rss><channel>' + times('<item><link>a</link></item>') + '</channel></rss>'
    yield 'numbers.json', '[' + times('1,') + '1]'


def run(program, file, command):
    """The exit status, the processor's seconds and the peak of memory in bytes."""
    position = 2 if command[0] == 'select' else 1
    line = [program, *command[:position], file, *command[position:], '--no-store', '--max-time', str(SECONDS),
            '--base-url', 'http://h.test/']
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=os.environ | {'SWIFT_BACKTRACE': 'enable=no'})
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    _, status, usage = os.wait4(process.pid, 0)
    watch.cancel()
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(prog='Scripts/bounds')
    parser.add_argument('program', nargs='?', help='the command to run; without it the release is built')
    program = parser.parse_args().program
    if not program:
        quietly([ROOT / 'Scripts/build', '--product', 'webinspect'], stderr=subprocess.DEVNULL)
        program = ROOT / '.build-release/release/webinspect'
    pairs, beyond, most = 0, 0, (0, '', '')
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages():
            file = pathlib.Path(folder) / name
            file.write_text(text, newline='')
            bound = FIXED + EACH * file.stat().st_size
            for command in COMMANDS:
                status, seconds, memory = run(program, file, command)
                pairs += 1
                most = max(most, (memory / bound, name, ' '.join(command)))
                if memory > bound or seconds > SECONDS + 0.1 or status < 0 or status >= 70:
                    beyond += 1
                    print(f'{name} {" ".join(command)}: status {status}, {seconds:.2f} s of the processor, '
                          f'{memory / 2 ** 20:.0f} MiB of {bound / 2 ** 20:.0f}', flush=True)
            file.unlink()
    print(f'{pairs} pairs of a page and a command, {beyond} beyond their bounds; at most {most[0]:.2f} of the memory '
          f'({most[1]} {most[2]})')
    sys.exit(1 if beyond else 0)


main()
