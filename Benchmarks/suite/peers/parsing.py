"""Parses pages and frees the trees, with lxml (libxml2) and selectolax (lexbor): parsing.py ROUNDS FILE..."""
import pathlib
import sys

import lxml.html
from selectolax.lexbor import LexborHTMLParser

from row import measure

rounds = int(sys.argv[1])
pages = [pathlib.Path(name).read_bytes() for name in sys.argv[2:]]
parser = lxml.html.HTMLParser(encoding='utf-8', huge_tree=True)
CASE = ('parsing', 'bytes to tree, and freed', 'all pages')


def lexbor():
    for page in pages:
        LexborHTMLParser(page)


def libxml2():
    for page in pages:
        lxml.html.document_fromstring(page, parser=parser)


measure(*CASE, 'selectolax (lexbor)', lexbor, rounds)
measure(*CASE, 'lxml (libxml2)', libxml2, rounds)
