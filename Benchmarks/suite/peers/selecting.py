"""What `bench selectors` measures, with selectolax (lexbor's engine) and lxml (libxml2's XPath).

usage: selecting.py FOLDER ROUNDS
"""
import pathlib
import sys

import lxml.html
from cssselect import HTMLTranslator
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from row import measure

folder, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
texts = [page.read_bytes() for page in sorted(folder.glob('*.html'))]
pages = [LexborHTMLParser(text.decode('utf-8', 'replace')) for text in texts]
trees = [lxml.html.document_fromstring(text.decode('utf-8', 'replace').encode(),
                                       parser=lxml.html.HTMLParser(encoding='utf-8')) for text in texts if text]


def case(name, selector, of_page, of_tree):
    measure('selectors', name, 'all pages', 'selectolax (lexbor)', lambda: sum(map(of_page, pages)), rounds)
    find = etree.XPath(HTMLTranslator().css_to_xpath(selector))
    measure('selectors', name, 'all pages', 'lxml (XPath)', lambda: sum(of_tree(find(tree)) for tree in trees), rounds)


case('a[href], the attribute read', 'a[href]',
     lambda page: sum(len(element.attributes['href'] or '') for element in page.css('a[href]')),
     lambda found: sum(len(element.get('href')) for element in found))
for selector in ['.content', '#main', 'div > p', 'ul li a', 'p:nth-child(2n+1)', 'div:has(> p)', '[class*="nav"]']:
    case(selector, selector, lambda page, selector=selector: len(page.css(selector)), len)
