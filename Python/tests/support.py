"""What tests share: a server on loopback, a stand-in for the program, what is left of threads and processes."""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from typing import Callable, Iterator, List

import webinspect
from webinspect import __version__

BINARY = os.environ.get("WEBINSPECT", "")

# Runs a program, which is ended after five minutes: an error then.
run_program = functools.partial(subprocess.run, timeout=300)

# Answers lines as `pipe` does, and does what a source of its asks for.
STAND_IN = """
#!{python} -IS
import json, os, signal, sys, time
if sys.argv[1:] == ["--version"]:
    print("webinspect {version}")
    sys.exit(0)
{before}
for line in sys.stdin.buffer:
    source = json.loads(line)
    url = source.get("url") or ""
    if url == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if url == "exit":
        sys.stderr.write("something broke\\n")
        sys.exit(3)
    if url == "half":
        sys.stdout.write('{{"id":' + str(source["id"]))
        sys.stdout.flush()
        os._exit(0)
    if url == "garbage":
        sys.stdout.buffer.write(b"\\xff\\xfe garbage\\n")
        sys.stdout.flush()
        time.sleep(60)
    if url == "other":
        source["id"] = 99999999
    if url == "stop":
        time.sleep(60)
    if url == "flood":
        for _ in range(1600):
            sys.stderr.buffer.write(b"x" * 65536)
    print(json.dumps({{"id": source["id"], "url": url or None, "status": None, "results": {{"pid": os.getpid()}}}}), flush=True)
{after}
"""


@contextlib.contextmanager
def stand_in(version: str = __version__, before: str = "", after: str = "") -> Iterator[str]:
    """The path of a program that stands in for webinspect."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "webinspect")
        with open(path, "w", encoding="utf-8") as file:
            file.write(STAND_IN.lstrip().format(python=sys.executable, version=version, before=before, after=after))
        os.chmod(path, stat.S_IRWXU)
        yield path


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, kind, body = self.server.answer(self.path)  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def page(path: str) -> "tuple[int, str, bytes]":
    if path == "/missing":
        return 404, "text/html", b"<title>Not here</title>"
    if path == "/latin1":
        return 200, "text/html; charset=iso-8859-1", b"<title>\xe4</title>"
    body = (
        f"<!doctype html><html lang=en><title>Page {path}</title><meta name=description content='A page.'>"
        "<main><h1>Tea</h1><p class='price'>It's 2.50</p><a href='/next'>Next</a>"
        "<table><tr><th>Name<th>Price<tr><td>Tea<td>2.50</table></main>"
    )
    return 200, "text/html; charset=utf-8", body.encode()


@contextlib.contextmanager
def server(answer: Callable[[str], "tuple[int, str, bytes]"] = page) -> Iterator[str]:
    """The origin of a server on loopback."""
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    running.daemon_threads = True
    running.answer = answer  # type: ignore[attr-defined]
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}"
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


@contextlib.contextmanager
def started(command: List[str], **options: object) -> "Iterator[subprocess.Popen]":
    """A process, which is ended with the block where that fails, and after five minutes."""
    child = subprocess.Popen(command, **options)  # type: ignore[call-overload]
    timer = threading.Timer(300, child.kill)
    timer.start()
    try:
        with child:
            try:
                yield child
            except BaseException:
                child.kill()
                raise
    finally:
        timer.cancel()


def kill(results: webinspect.Results) -> bool:
    """Kills the process that works now, if there is one: whoever waits for it has not done so yet."""
    process = results._engine.process
    if process is not None:
        process.signal(signal.SIGKILL)
    return process is not None


def threads() -> List[str]:
    """Names of threads of the package that run."""
    return sorted(thread.name for thread in threading.enumerate() if thread.name.startswith("webinspect-"))


def children() -> List[int]:
    """Processes that this one has started and that are there, also as zombies."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        own = file.read().split()
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
            own += file.read().split()
    return sorted({int(number) for number in own})


def descriptors() -> int:
    """How many files are open."""
    return len(os.listdir("/proc/self/fd"))


def eventually(holds: Callable[[], bool], seconds: float = 30) -> bool:
    """Whether something comes true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.01)
    return holds()
