"""A page whose scripts are run, its resources from the cache, beside the same browser alone."""
import contextlib
import fcntl
import functools
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from measure import ENVIRONMENT, Failed

CASE = 'a page of 100 KB with 20 resources from the cache, its scripts run by a browser that has been started'

# The last script says so once all that the page loads is there.
LAST = '''addEventListener('load', () => {
  for (let n = 0; n < 200; n++) document.body.append(Object.assign(document.createElement('p'), { textContent: 'Made ' + n }));
  document.body.append(Object.assign(document.createElement('p'), { id: 'done' }));
});'''


def make(root):
    """A page of about 100 KB that loads 20 files: style sheets, scripts, images."""
    for n in range(5):
        (root / f's{n}.css').write_text(''.join(f'.c{n}-{m}{{margin:{m % 9}px}}' for m in range(400)))
        (root / f'j{n}.js').write_text(LAST if n == 4 else f'globalThis.value{n} = [{",".join(map(str, range(2_000)))}];')
    for n in range(10):
        size = f'width="{20 + n}" height="20"'
        (root / f'i{n}.svg').write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect {size}/></svg>' + ' ' * 5_000)
    head = ''.join(f'<link rel=stylesheet href=s{n}.css><script src=j{n}.js></script>' for n in range(5))
    images = ''.join(f'<img src=i{n}.svg alt="">' for n in range(10))
    body = ''.join(f'<p class=c{n % 5}-{n % 400}>Some words of a paragraph, <a href="p{n}.html">a link</a> and <b>more</b>.'
                   for n in range(1_050))
    (root / 'page.html').write_text(f'<!DOCTYPE html><meta charset=utf-8><title>page</title>{head}{images}{body}')


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header('Cache-Control', 'max-age=86400')
        super().end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(root):
    """Serves a folder, all of which may be kept for a day; gives its URL."""
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=root)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f'http://127.0.0.1:{server.server_port}/'
        server.shutdown()


class Browser:
    """The browser by itself, with a disk cache of its own, over its debugging pipe."""

    def __init__(self, program):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # It reads 3 and writes 4.
        (theirs, self._commands), (self._answers, answers) = os.pipe(), os.pipe()
        theirs, answers = (move(descriptor) for descriptor in (theirs, answers))
        flags = ['--headless=new', '--remote-debugging-pipe', f'--user-data-dir={self._folder.name}', '--no-first-run',
                 '--disable-extensions', '--disable-background-networking', '--disable-component-update', '--disable-gpu',
                 '--disable-dev-shm-usage', '--disable-site-isolation-trials', 'about:blank']
        if os.geteuid() == 0:
            flags.insert(0, '--no-sandbox')
        self._process = subprocess.Popen(['bash', '-c', f'exec 3<&{theirs} 4>&{answers}; exec "$@"', 'bash', program, *flags],
                                         pass_fds=(theirs, answers), stderr=subprocess.DEVNULL, env=ENVIRONMENT,
                                         start_new_session=True)
        os.close(theirs)
        os.close(answers)
        self._rest, self._last, self.events = b'', 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        self._folder.cleanup()

    def _message(self):
        while b'\0' not in self._rest:
            part = os.read(self._answers, 1 << 20)
            if not part:
                raise Failed('the browser has ended')
            self._rest += part
        message, _, self._rest = self._rest.partition(b'\0')
        return json.loads(message)

    def ask(self, method, session=None, **parameters):
        self._last += 1
        question = {'id': self._last, 'method': method, 'params': parameters}
        if session:
            question['sessionId'] = session
        os.write(self._commands, json.dumps(question).encode() + b'\0')
        while True:
            message = self._message()
            if message.get('id') == self._last:
                if 'error' in message:
                    raise Failed(f'{method}: {message["error"]}')
                return message['result']
            self.events.append(message.get('method'))

    def load(self, url):
        """The markup of a page once its scripts have run, in a tab of its own."""
        target = self.ask('Target.createTarget', url='about:blank')['targetId']
        session = self.ask('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.ask('Page.enable', session)
        self.events.clear()
        self.ask('Page.navigate', session, url=url)
        while 'Page.loadEventFired' not in self.events:
            self.events.append(self._message().get('method'))
        markup = self.ask('Runtime.evaluate', session, expression='document.documentElement.outerHTML', returnByValue=True)
        self.ask('Target.closeTarget', targetId=target)
        return markup['result']['value']


def move(descriptor):
    """The descriptor with a number that no other program expects to be something else."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Renderer:
    """`webinspect pipe --render`, which keeps its browser for the next page."""

    def __init__(self, program, cache):
        self._process = subprocess.Popen(
            [program, 'pipe', '--run', 'text', '--wait-for', '#done', '--cache-dir', cache, '--policy', 'returnCacheDataElseLoad'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()

    def load(self, url):
        """What webinspect makes of a page: its text."""
        self._process.stdin.write(url.encode() + b'\n')
        self._process.stdin.flush()
        return self._process.stdout.readline().decode()


def render(tools, cases, settings):
    program = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)
    if not program:
        print('render: skipped: there is no Chromium (Scripts/setup browser)', file=sys.stderr)
        return
    root = tools.folder / 'rendered'
    root.mkdir()
    make(root)
    case = cases.case('render', CASE, 'page')
    with served(root) as site, Renderer(tools.binaries / 'webinspect', tools.folder / 'render-cache') as ours, Browser(program) as alone:
        url = site + 'page.html'
        for turn in range(-2, settings.rounds):
            for name, loader in (('webinspect --render', ours), ('the browser alone', alone)):
                start = time.monotonic()
                made = loader.load(url)
                took = time.monotonic() - start
                if 'Made 199' not in made:
                    raise Failed(f'{name} has not run the scripts: {made[:300]}')
                if turn >= 0:
                    case.subject(name).wall.append(took)
