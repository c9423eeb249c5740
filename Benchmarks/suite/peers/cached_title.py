"""The title of a page, from hishel's cache if it is there: cached_title.py DATABASE URL"""
import sys

import lxml.html
from hishel import SqliteStorage
from hishel.httpx import CacheClient

client = CacheClient(storage=SqliteStorage(database_path=sys.argv[1]))
response = client.get(sys.argv[2])
print(lxml.html.document_fromstring(response.content).findtext('.//title'))
