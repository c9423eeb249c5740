"""The title of a page: title.py FILE"""
import sys

import lxml.html

print(lxml.html.parse(sys.argv[1]).findtext('.//title'))
