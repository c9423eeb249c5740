"""One process of ``webinspect pipe``: starting it, reading its lines, ending it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from typing import Deque, Dict, List, Optional, Sequence
from collections import deque

from ._errors import BinaryError, UsageError

# How much of what a process says on standard error is kept.
STDERR_KEPT = 64 << 10
# Seconds after SIGTERM, until SIGKILL.
TERMINATION_TIME = 1.0


class Silence(Exception):
    """There was no answer in time. (TimeoutError may be raised by the handler of a signal.)"""


class Tail:
    """The last bytes of a stream."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._bytes = bytearray()
        self._lock = threading.Lock()

    def append(self, piece: bytes) -> None:
        with self._lock:
            self._bytes += piece
            if len(self._bytes) > self._size:
                del self._bytes[: len(self._bytes) - self._size]

    @property
    def text(self) -> str:
        with self._lock:
            return self._bytes.decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        lines = [line for line in self.text.splitlines() if line.strip()]
        return lines[-1].strip()[:1000] if lines else ""


def check(argument: str) -> None:
    """Raises UsageError for what no program can be given: a NUL, and half of a pair of surrogates."""
    try:
        is_possible = b"\0" not in os.fsencode(argument)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise UsageError("usage", f"{argument[:200]!r} has a character that no argument of a program can have")


class Process:
    """A process with its streams. One thread writes, one reads; a thread of its own starts it and drains standard error.

    It is not the main thread that starts it, since what a signal's handler raises there could come between the start and
    the note of it: then nobody would know of the process.
    """

    popen: "subprocess.Popen[bytes]"

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Optional[Dict[str, str]],
        pass_fds: Sequence[int] = (),
    ) -> None:
        self._arguments = list(arguments)
        for argument in self._arguments:
            check(argument)
        self._environment = environment
        self._pass_fds = tuple(pass_fds)
        self.tail = Tail(STDERR_KEPT)
        #: Lines that were written to it, and that it answered.
        self.written = 0
        self.answered = 0
        self._pieces: List[bytes] = []
        self._lines: Deque[bytes] = deque()
        self._lock = threading.Lock()
        self._abandoned = False
        self._is_there = False
        self._fault: Optional[BaseException] = None
        # Released once the process is there, or cannot be.
        self._gate = threading.Lock()
        self._gate.acquire()
        self._drainer = threading.Thread(target=self._work, name="webinspect-stderr", daemon=True)

    def open(self) -> None:
        """Starts it."""
        try:
            self._drainer.start()
            self._gate.acquire()
        except BaseException:
            self._abandon()
            raise
        fault, self._fault = self._fault, None
        if isinstance(fault, OSError):
            raise BinaryError("binary.unusable", f"{self._arguments[0]} cannot be started: {fault.strerror}") from None
        if fault is not None:
            raise fault

    def _abandon(self) -> None:
        with self._lock:
            self._abandoned = True
            if self._is_there:
                self.popen.kill()

    def _work(self) -> None:
        try:
            # A session of its own: Ctrl-C is for this process, which then ends the other.
            popen = subprocess.Popen(
                self._arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=self._environment,
                start_new_session=True,
                pass_fds=self._pass_fds,
            )
        except BaseException as error:
            self._fault = error
            self._gate.release()
            return
        assert popen.stdin and popen.stdout and popen.stderr
        self._stdin, self._stdout, stderr = popen.stdin, popen.stdout, popen.stderr
        with self._lock:
            self.popen = popen
            self._is_there = True
            if self._abandoned:
                popen.kill()
        self._gate.release()
        try:
            while True:
                piece = stderr.read(1 << 16)
                if not piece:
                    break
                self.tail.append(piece)
        except (OSError, ValueError):
            pass
        finally:
            stderr.close()
        with self._lock:
            abandoned = self._abandoned
        if abandoned:
            popen.wait()
            self._stdin.close()
            self._stdout.close()

    def write(self, line: bytes) -> bool:
        """Writes all of it; False if nobody reads any more."""
        view = memoryview(line)
        try:
            descriptor = self._stdin.fileno()
            while view:
                view = view[os.write(descriptor, view) :]
        except (OSError, ValueError):
            return False
        return True

    def read(self, wake: Optional[int], deadline: Optional[float]) -> Optional[bytes]:
        """The next line; None if ``wake`` can be read. Raises EOFError at the end, Silence at the deadline."""
        if self._lines:
            return self._lines.popleft()
        descriptor = self._stdout.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        if wake is not None:
            poll.register(wake, select.POLLIN)
        while True:
            left = None
            if deadline is not None:
                left = max(0.0, deadline - time.monotonic()) * 1000
            ready = poll.poll(left)
            if not ready:
                raise Silence
            found = [ready_descriptor for ready_descriptor, _ in ready]
            if descriptor not in found:
                return None
            piece = os.read(descriptor, 1 << 18)
            if not piece:
                # A line that does not end was not finished.
                self._pieces = []
                raise EOFError
            if b"\n" not in piece:
                self._pieces.append(piece)
                continue
            lines = piece.split(b"\n")
            lines[0] = b"".join(self._pieces) + lines[0]
            self._pieces = [lines.pop()]
            self._lines.extend(lines)
            return self._lines.popleft()

    def close_input(self) -> None:
        try:
            self._stdin.close()
        except OSError:
            pass

    def signal(self, number: int) -> None:
        try:
            self.popen.send_signal(number)
        except OSError:
            pass

    def wait(self, seconds: float) -> bool:
        """Whether it ends within a time."""
        try:
            self.popen.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def discard(self, seconds: float) -> bool:
        """Waits for its end, passing over what it still writes; whether it ends within a time."""
        deadline = time.monotonic() + seconds
        try:
            while True:
                self.read(None, deadline)
                self._lines.clear()
        except EOFError:
            pass
        except Silence:
            return self.wait(0)
        return self.wait(max(0.0, deadline - time.monotonic()))

    def end(self) -> None:
        """Ends it, if it has not, by SIGTERM and then SIGKILL."""
        if not self._is_there or self.popen.poll() is not None:
            return
        self.signal(signal.SIGTERM)
        if not self.wait(TERMINATION_TIME):
            self.signal(signal.SIGKILL)
            self.popen.wait()

    def close(self) -> None:
        """Closes the streams of a process that has ended, whose input nobody writes to any more."""
        if not self._is_there:
            return
        self.close_input()
        try:
            self._stdout.close()
        except OSError:
            pass
        if threading.current_thread() is not self._drainer:
            self._drainer.join(TERMINATION_TIME)

    def forget(self) -> None:
        """In a process that was forked off: closes what is not its own, and touches nothing else."""
        for stream in (self._stdin, self._stdout, self.popen.stderr):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass
        self.popen.returncode = 0

    @property
    def status(self) -> Optional[int]:
        return self.popen.returncode

    @property
    def death(self) -> str:
        """How it ended, in words."""
        status = self.popen.returncode
        if status is None:
            words = "it does not answer"
        elif status < 0:
            try:
                words = f"it was ended by {signal.Signals(-status).name}"
            except ValueError:
                words = f"it was ended by signal {-status}"
        else:
            words = f"it ended with status {status}"
        last = self.tail.last_line
        return f"{words}, having said: {last}" if last else words
