"""The local page: how soon it is there, what it takes, and its list at many pages."""
import asyncio
import http.client
import json
import statistics
import subprocess
import threading
import time

from measure import Failed, run


class Site:
    """Pages of one host on loopback, as many as are asked for; each is small, and has a title."""

    def __enter__(self):
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._answer, '127.0.0.1', 0))
        self.port = self._server.sockets[0].getsockname()[1]
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _answer(self, reader, writer):
        try:
            while line := await reader.readline():
                while (await reader.readline()).strip():
                    pass
                path = line.split()[1].decode()
                body = f'<!doctype html><title>Page {path[1:]} of many</title><p>It is small.'.encode()
                writer.write(b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: max-age=86400\r\n'
                             b'Content-Length: %d\r\n\r\n%s' % (len(body), body))
        except ConnectionError:
            pass
        finally:
            writer.close()


class Server:
    """`webinspect serve` on a cache, until it is ended."""

    def __init__(self, program, cache):
        start = time.monotonic()
        self._process = subprocess.Popen([program, 'serve', '--cache-dir', cache], stdout=subprocess.PIPE)
        address = self._process.stdout.readline().decode().strip()
        self.ready = time.monotonic() - start
        if not address:
            raise Failed('webinspect serve does not begin')
        origin, _, self._token = address.partition('/#token=')
        self._connection = http.client.HTTPConnection(origin.removeprefix('http://'), timeout=600)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()

    def get(self, target):
        """What the app is answered, and after how many seconds."""
        start = time.monotonic()
        self._connection.request('GET', '/api/' + target, headers={'Authorization': 'Bearer ' + self._token})
        answer = json.load(self._connection.getresponse())
        return answer, time.monotonic() - start

    @property
    def memory(self):
        """Bytes that it has at hand."""
        lines = open(f'/proc/{self._process.pid}/status').read().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith('VmRSS'))


def read_whole(server, count):
    """Waits until all pages are in the list; how many seconds that took."""
    start = time.monotonic()
    while True:
        answer, _ = server.get('list?count=0')
        if answer['indexing'] is None and answer['pages'] >= count:
            return time.monotonic() - start
        if time.monotonic() - start > 1800:
            raise Failed(f'the list has {answer["pages"]} of {count} pages')
        time.sleep(0.2)


def server(tools, cases, settings):
    program, cache, rows = tools.binaries / 'webinspect', tools.folder / 'kept', []
    began = []
    for _ in range(settings.rounds + 1):
        with Server(program, tools.folder / 'empty') as empty:
            began.append(empty.ready)
    rows.append(['ready', f'{1000 * statistics.median(began[1:]):.1f} ms'])
    with Server(program, tools.folder / 'empty') as empty:
        time.sleep(2)
        rows.append(['idle', f'{empty.memory / 1e6:.1f} MB'])
    with Site() as site:
        urls = tools.folder / 'urls'
        urls.write_text(''.join(f'http://127.0.0.1:{site.port}/{n}\n' for n in range(settings.kept_pages)))
        run([program, 'batch', urls, '-o', tools.folder / 'titles.jsonl', '--run', 'url', '--cache-dir', cache,
             '--jobs', '16', '--per-host', '16', '--silent'], wants_output=False)
    count = f'{settings.kept_pages:,} pages'
    with Server(program, cache) as first:
        rows.append([f'{count}: read at the first start', f'{read_whole(first, settings.kept_pages):.1f} s'])
    window, again, filters = [], [], []
    for turn in range(max(settings.turns, 1)):
        with Server(program, cache) as server:
            window.append(server.get('list?count=100')[1])
            again.append(server.get(f'list?count=100&from={settings.kept_pages // 2}')[1])
            for words in ('777', f'page-{turn}', 'title:many', f'{turn} -2'):
                filters.append(server.get(f'list?count=100&filter={words.replace(" ", "+")}')[1])
            memory = server.memory
    for name, values in [('first window after the start', window), ('any other window', again), ('a filter', filters)]:
        rows.append([f'{count}: {name}', f'{1000 * statistics.median(values):.1f} ms (at most {1000 * max(values):.1f})'])
    rows.append([f'{count}: memory after that', f'{memory / 1e6:.1f} MB'])
    cases.case('server', 'the local page', '').table = (['', 'took'], rows)
