"""The bars and goals that figures are held against."""
import dataclasses
import statistics
import typing


@dataclasses.dataclass
class Target:
    text: str
    benchmark: str
    case: str
    # Gets the figure off a case; None where the peer is not installed.
    value: typing.Callable
    bar: typing.Optional[float]
    goal: typing.Optional[float] = None
    # Whether a smaller figure is the better one.
    is_limit: bool = False

    def holds(self, value, mark):
        return value <= mark if self.is_limit else value >= mark


def against(peer, clock='cpu', ours=None):
    """How many times our time a peer takes."""
    def value(case):
        there = any(subject.name == peer for subject in case.subjects)
        return case.ratio(peer, clock, ours) if there else None
    return value


def rate(case):
    """How many of ours there are in a second of the wall's clock."""
    return 1 / statistics.median(case.subjects[0].wall) if case.subjects[0].wall else None


def milliseconds(number):
    """How long a way of ours takes, by its place in the case."""
    def value(case):
        return statistics.median(case.subjects[number].wall) * 1000 if len(case.subjects) > number and case.subjects[number].wall else None
    return value


def inverse(value):
    def inverted(case):
        ratio = value(case)
        return 1 / ratio if ratio else None
    return inverted


FLOOR = 'libxml2 in C, htmlReadMemory'

TARGETS = [
    Target('parsing, times as fast as `htmlReadMemory`', 'parsing', 'bytes', against(FLOOR), 1.5, 4.4),
    Target('memory of the tree, of libxml2’s', 'memory', 'the tree', inverse(against(FLOOR)), 1.0, 0.9, True),
    Target('URLs, times as fast as `curl_url`', 'urls', 'resolve', against('curl_url'), 3),
    Target('`a[href]`, times as fast as a walk in C', 'selectors', 'a[href]', against('walk in C'), 1),
    Target('`a[href]`, times as fast as lexbor', 'selectors', 'a[href]', against('selectolax (lexbor)'), None, 1),
    Target('the whole report, of the parse', 'parts', 'the report', inverse(against('parse')), 3, None, True),
    Target('main text from bytes, times as fast as resiliparse', 'text', 'bytes to main', against('resiliparse, main content'), 1),
    Target('main text from bytes, of the parse', 'text', 'bytes to main', inverse(against('WebLoader, the parse alone')), 1.5, None,
           True),
    Target('the same as Markdown, of the parse', 'text', 'bytes to main',
           inverse(against('WebLoader, the parse alone', ours='WebLoader, as Markdown')), 1.5, None, True),
    Target('recipe, times the rate of C', 'rules', 'twelve', against('C: htmlReadMemory and XPath'), 1, 2),
    Target('cache hits a second', 'cache', 'hits', rate, 25_000),
    Target('cache hits, of the rate of plain reads', 'cache', 'hits', against('plain read of one file', 'wall'), None, 0.7),
    Target('fetching 100 KB, of libcurl’s rate', 'fetch', 'pages of 100', against('libcurl in C', 'wall'), 0.7, 0.95),
    Target('fetching 10 KB, of libcurl’s rate', 'fetch', 'pages of 10 ', against('libcurl in C', 'wall'), 0.7, 0.95),
    Target('title of a file, times as fast as xmllint', 'commands', 'the title of', against('xmllint', 'wall'), 1),
    Target('title of a file, times as fast as pup', 'commands', 'the title of', against('pup', 'wall'), None, 1),
    Target('the same from the cache, of xmllint’s time', 'commands', 'the title from', inverse(against('xmllint on the file', 'wall')),
           1.5, None, True),
    Target('diff of a pair of 158 KB, ms', 'diff', '158 KB, ten', milliseconds(1), 10, None, True),
    Target('diff of a pair of 1 MB, ms', 'diff', '1 MB', milliseconds(1), 100, None, True),
    Target('diff of 10 MB with one edit and parsing both, of the parse', 'diff', '10 MB',
           inverse(against('parsing both, alone', ours='WebDifference, with parsing both')), 5, None, True),
    Target('back to a page of 100 KB from memory, ms', 'session', 'back', milliseconds(0), 1, None, True),
    Target('back to it from the folder of pages, ms', 'session', 'back', milliseconds(1), 3, None, True),
    Target('the first search in a page of 1 MB, ms', 'session', 'find', milliseconds(0), 5, None, True),
    Target('restoring a session of 50 entries, ms', 'session', 'restoring 50', milliseconds(0), 5, None, True),
]
