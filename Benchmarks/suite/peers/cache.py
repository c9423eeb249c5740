"""Hits of hishel's cache on disk, 10 KB each, 1,000 of them: cache.py FOLDER ROUNDS"""
import sys

import httpx
from hishel import SqliteStorage
from hishel.httpx import CacheTransport

from row import measure

folder, rounds = sys.argv[1], int(sys.argv[2])
ENTRIES, HITS = 1000, 1000
FIELDS = {'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'max-age=86400', 'ETag': '"5f3a-62f"',
          'Last-Modified': 'Tue, 14 Nov 2023 22:13:20 GMT', 'Vary': 'Accept-Encoding'}
origin = httpx.MockTransport(lambda request: httpx.Response(200, headers=FIELDS, content=b'x' * 10_000))
client = httpx.Client(transport=CacheTransport(origin, SqliteStorage(database_path=f'{folder}/hishel.db')))


def url(index):
    return f'https://www.example.com/articles/2026/{index}?page=1'


for index in range(ENTRIES):
    client.get(url(index))


def hit():
    for index in range(HITS):
        response = client.get(url(index * 7919 % ENTRIES))
        assert response.extensions['caching']['from_cache'] and len(response.content) == 10_000


measure('cache', 'hits, 10 KB each', 'hit', 'hishel (SQLite)', hit, rounds, HITS)
