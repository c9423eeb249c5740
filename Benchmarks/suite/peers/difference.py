"""Two pages compared by others' libraries: difference.py CASE OLD NEW ROUNDS"""
import sys

import lxml.html
from lxml.html import diff as html_diff
from row import measure
from xmldiff import main as xml_diff

case, old, new, rounds = sys.argv[1], open(sys.argv[2]).read(), open(sys.argv[3]).read(), int(sys.argv[4])


def tree(text):
    return lxml.html.document_fromstring(text.encode()).getroottree()


def by_xmldiff():
    return len(xml_diff.diff_trees(tree(old), tree(new), diff_options={'F': 0.5, 'fast_match': True}))


measure('diff', case, 'pair', 'lxml htmldiff, with parsing', lambda: len(html_diff.htmldiff(old, new)), rounds)
measure('diff', case, 'pair', 'xmldiff, fast match, with parsing', by_xmldiff, rounds)
