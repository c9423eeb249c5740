"""Two pages compared: inside of a process beside parsing both, as commands beside what Python has, and hostile pairs."""
import random
import time

from measure import peak, programs_in_turn, run

WORDS = 'tea cup leaf pot milk water green black steam spoon sugar kettle lemon honey tray mint table market'.split()


def words(chance, count):
    return ' '.join(chance.choice(WORDS) for _ in range(count))


def section(chance, number):
    return (f'<section class="s{number}"><h2>{words(chance, 4)} {number}</h2><p>{words(chance, 30)} <a href="/{number}">{words(chance, 2)}</a> '
            f'{words(chance, 12)}</p><ul><li>{words(chance, 4)} {number}</li><li>{words(chance, 5)}</li></ul><img src="/i{number}.png" alt="{words(chance, 2)}"></section>\n')


def page(body):
    return f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title></head><body>{body}</body></html>'


def sections(size):
    chance, parts, length = random.Random(size), [], 0
    while length < size:
        parts.append(section(chance, len(parts)))
        length += len(parts[-1])
    return parts


def edited(parts, share):
    """Some of the parts changed, some gone, some new, one moved."""
    chance, new = random.Random(7), list(parts)
    for _ in range(max(1, int(len(parts) * share))):
        index = chance.randrange(len(new))
        what = chance.random()
        if what < .6:
            new[index] = new[index].replace(chance.choice(WORDS), 'periwinkle', 1)
        elif what < .8 and len(new) > 3:
            del new[index]
        else:
            new.insert(index, section(chance, 100_000 + index))
    if len(new) > 8:
        new.insert(len(new) // 4, new.pop(len(new) // 2))
    return new


def pairs(settings):
    """Names, old and new pages, and whether the peers are asked: they take minutes for what is large."""
    for name, size, share, has_peers in (('158 KB, ten edits', 158_000, .03, True), ('158 KB, all changed', 158_000, 3, False),
                                         ('1 MB, thirty edits', 1_000_000, .01, False)):
        parts = sections(size)
        yield name, page(''.join(parts)), page(''.join(edited(parts, share))), has_peers
    parts = sections(settings.difference_size)
    new = list(parts)
    new[len(new) // 2] = new[len(new) // 2].replace('<p>', '<p>periwinkle ', 1)
    yield f'{settings.difference_size // 1_000_000} MB, one edit', page(''.join(parts)), page(''.join(new)), False


def hostile(size):
    """Pages made to take long, of about so many bytes, each against another."""
    chance = random.Random(3)
    many = [f'<p>{words(chance, 4)} {number}</p>' for number in range(size // 35)]
    yield 'reversed paragraphs', page(''.join(many)), page(''.join(reversed(many)))
    shuffled = many[:]
    chance.shuffle(shuffled)
    yield 'shuffled paragraphs', page(''.join(many)), page(''.join(shuffled))
    yield 'all paragraphs changed', page(''.join(many)), page(''.join(text.replace('</p>', ' more</p>') for text in many))
    yield 'nothing alike', page(''.join(f'<p>{chance.getrandbits(90)} {chance.getrandbits(90)}</p>' for _ in range(size // 65))), page(
        ''.join(f'<p>{chance.getrandbits(90)} {chance.getrandbits(90)}</p>' for _ in range(size // 65)))
    yield 'equal siblings', page('<ul>' + '<li>same</li>' * (size // 13) + '</ul>'), page('<ul>' + '<li>same</li>' * (size // 13 - 1) + '</ul>')
    yield 'nested div', page('<div>' * (size // 11) + 'a' + '</div>' * (size // 11)), page('<div>' * (size // 11) + 'b' + '</div>' * (size // 11))
    # One large block beside many small ones: whatever compares each with each reads it again and again.
    yield 'one block and many', page(f'<p>{words(chance, size // 6)}</p>'), page(''.join(f'<p>{words(chance, 2)} {n}</p>' for n in range(size // 25)))
    rows = [f'<tr><td>{chance.getrandbits(40)}<td>{chance.getrandbits(40)}<td>{chance.getrandbits(40)}' for _ in range(size // 50)]
    others = [f'<tr><td>{chance.getrandbits(40)}<td>{chance.getrandbits(40)}<td>{chance.getrandbits(40)}' for _ in range(size // 50)]
    yield 'tables, nothing alike', page(f'<table>{"".join(rows)}</table>'), page(f'<table>{"".join(others)}</table>')
    yield 'scripts, nothing alike', page(''.join(f'<script>a{chance.getrandbits(60)}()</script>' for _ in range(size // 40))), page(
        ''.join(f'<script>b{chance.getrandbits(60)}()</script>' for _ in range(size // 40)))
    yield 'inline elements', page('<p>' + '<b>x</b> <i>y</i> ' * (size // 19)), page('<p>' + '<i>x</i> <b>y</b> ' * (size // 19))


def difference(tools, cases, settings):
    old, new = tools.folder / 'difference-old.html', tools.folder / 'difference-new.html'
    for name, one, other, has_peers in pairs(settings):
        old.write_text(one)
        new.write_text(other)
        programs = [[tools.bench, 'difference', '--name', name, '--rounds', max(settings.rounds // 2, 3), old, new]]
        if has_peers and tools.python:
            programs.append([tools.python, tools.peer('difference'), name, old, new, 3])
        programs_in_turn(cases, programs, max(settings.turns // 2, 1))
    webinspect, rows = tools.binaries / 'webinspect', []
    for name, one, other in hostile(settings.difference_size // 5):
        old.write_text(one)
        new.write_text(other)
        # Exit status 1 says that they differ.
        command = ['sh', '-c', '"$@"; test $? -le 1', 'sh', webinspect, 'diff', old, new, '--json', '--max-time', '10']
        start = time.monotonic()
        ended = run(command)
        wall = time.monotonic() - start
        rows.append((name, f'{(len(one) + len(other)) / 1e6:.1f}', f'{wall:.2f}', f'{ended.cpu:.2f}', f'{peak(command) / (len(one) + len(other)):.0f}',
                     'yes' if any(line.get('coarse') for line in ended.lines) else 'no'))
    case = cases.case('diff', 'hostile pairs, the command with --max-time 10', 'pair')
    case.table = (('pair', 'MB of both', 's', 's of the processor', 'memory, in pages', 'coarser'), rows)
