"""The main text of pages from their bytes, with resiliparse, and with others that are there: text.py FOLDER ROUNDS"""
import importlib
import pathlib
import sys

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

from row import measure

rounds = int(sys.argv[2])
pages = [path.read_bytes() for path in sorted(pathlib.Path(sys.argv[1]).glob('*.html'))]


def compare(name, write, rounds):
    def all_pages():
        for page in pages:
            write(page)
    measure('text', 'bytes to main text', 'page', name, all_pages, rounds, len(pages))


def resiliparse(page):
    # Told the encoding, it has less to do than we have.
    return extract_plain_text(HTMLTree.parse_from_bytes(page, 'utf-8'), main_content=True)


def trafilatura(page):
    return importlib.import_module('trafilatura').extract(page)


def readability(page):
    return importlib.import_module('readability').Document(page.decode('utf-8', 'replace')).summary()


def is_there(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


compare('resiliparse, main content', resiliparse, rounds)
# Some take a hundred times as long.
for name, write in [('trafilatura', trafilatura), ('readability', readability)]:
    if is_there(name):
        compare(name, write, 1)
