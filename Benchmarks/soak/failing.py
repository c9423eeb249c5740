"""A site on loopback that fails in every way, and writes down what it did: see Scripts/soak."""
import hashlib
import http.server
import random
import socketserver
import threading
import time

PAGES = 300

# How often each way of failing comes, of a thousand answers; all others are whole.
FAILURES = {
    'status-500': 20, 'status-503': 20, 'status-404': 10, 'redirect-loop': 8, 'redirect': 20, 'closed-at-once': 15, 'cut-off': 15,
    'broken-chunks': 10, 'broken-gzip': 10, 'slow': 8, 'hangs': 5, 'no-head': 8, 'huge-head': 5, 'too-large': 5, 'wrong-type': 10,
    'wrong-charset': 10,
}


def page(number):
    links = {number * 2 % PAGES, (number * 2 + 1) % PAGES, (number + 7) % PAGES}
    text = hashlib.sha256(str(number).encode()).hexdigest() * 20
    return ('<!DOCTYPE html><title>Page %d</title><link rel=stylesheet href="/style.css"><h1>Page %d</h1><p>%s' % (number, number, text)
            + ''.join(f'<p><a href="/p/{link}">{link}</a>' for link in sorted(links)) + f'<img src="/i/{number % 20}.svg" alt="">').encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        site, path = self.server.site, self.path.partition('?')[0]
        who = self.headers.get('User-Agent', '')
        how = 'whole' if path in ('/robots.txt', '/login', '/account') else site.choose()
        began = time.monotonic()
        try:
            self.answer(how, path)
        except OSError:
            # The client has gone.
            how = 'client-left'
            self.close_connection = True
        site.note(who, path, how, began)

    def do_POST(self):
        self.rfile.read(min(1 << 16, int(self.headers.get('Content-Length') or 0)))
        self.send_response(303)
        self.send_header('Location', '/account')
        self.send_header('Set-Cookie', 'id=1; Path=/; HttpOnly')
        self.send_header('Content-Length', '0')
        self.end_headers()

    def body(self, path):
        if path == '/robots.txt':
            return 'text/plain', b'User-agent: *\nDisallow: /private/\n'
        if path == '/login':
            return 'text/html', b'<!DOCTYPE html><title>Log in</title><form method=post action=/login><input name=user><button>Log in</button></form>'
        if path == '/style.css':
            return 'text/css', b'h1 { color: teal }'
        if path.startswith('/i/'):
            return 'image/svg+xml', b'<svg xmlns="http://www.w3.org/2000/svg"/>'
        number = path.rpartition('/')[2]
        return 'text/html; charset=utf-8', page(int(number) % PAGES if number.isdigit() else 0)

    def answer(self, how, path):
        kind, body = self.body(path)
        if how in ('closed-at-once', 'no-head'):
            self.wfile.write(b'' if how == 'closed-at-once' else b'\x00\xff no HTTP\r\n\r\n')
            self.close_connection = True
            return
        if how == 'hangs':
            time.sleep(4)
            self.close_connection = True
            return
        if how.startswith('status-'):
            return self.whole(int(how[7:]), 'text/html', b'<title>Sorry</title>', {'Retry-After': '1'} if how.endswith('503') else {})
        if how == 'redirect-loop':
            return self.whole(302, 'text/html', b'', {'Location': path})
        if how == 'redirect':
            return self.whole(302, 'text/html', b'', {'Location': '/p/%d' % (len(path) % PAGES)})
        tag = '"%s"' % hashlib.md5(body).hexdigest()[:12]
        fields = {'ETag': tag, 'Cache-Control': self.server.site.policy()}
        if how == 'whole' and self.headers.get('If-None-Match') == tag:
            return self.whole(304, None, b'', fields)
        if how == 'wrong-type':
            kind = 'application/pdf'
        if how == 'wrong-charset':
            kind = 'text/html; charset=utf-16'
        if how == 'huge-head':
            fields['X-Huge'] = 'x' * 60_000
        if how == 'too-large':
            body = body * (3 << 20 // max(1, len(body)))
        if how == 'broken-chunks':
            self.send_response(200)
            self.send_header('Transfer-Encoding', 'chunked')
            self.end_headers()
            self.wfile.write(b'zz\r\n' + body[:100])
            self.close_connection = True
            return
        if how == 'broken-gzip':
            return self.whole(200, kind, b'\x1f\x8b\x08\x00' + body[:200], {'Content-Encoding': 'gzip'})
        if how == 'cut-off':
            self.send_response(200)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body[:len(body) // 2])
            self.close_connection = True
            return
        if how == 'slow':
            self.send_response(200)
            self.send_header('Content-Type', kind)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            for place in range(0, len(body), 1 + len(body) // 8):
                self.wfile.write(body[place:place + 1 + len(body) // 8])
                time.sleep(0.1)
            return
        self.whole(200, kind, body, fields)

    def whole(self, status, kind, body, fields):
        self.send_response(status)
        if kind:
            self.send_header('Content-Type', kind)
        for name, value in fields.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


class Site:
    """The server, for as long as a `with` runs, and what it has answered."""

    def __init__(self, seed):
        self._chance, self._lock = random.Random(seed), threading.Lock()
        # For each client: (path, how it was answered, when the request came, when the answer was over).
        self.answers = {}
        self._server = Server(('127.0.0.1', 0), Handler)
        self._server.site = self
        self.url = f'http://127.0.0.1:{self._server.server_port}'
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def choose(self):
        with self._lock:
            number = self._chance.randrange(1000)
        for how, share in FAILURES.items():
            number -= share
            if number < 0:
                return how
        return 'whole'

    def policy(self):
        with self._lock:
            return self._chance.choice(['max-age=60', 'no-cache', 'no-store', 'max-age=0, must-revalidate', 'max-age=1, stale-if-error=60'])

    def note(self, who, path, how, began):
        with self._lock:
            self.answers.setdefault(who, []).append((path, how, began, time.monotonic()))

    def of(self, who):
        with self._lock:
            return list(self.answers.get(who, []))
