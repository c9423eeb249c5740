"""Jobs over many pages, by one process of ``webinspect pipe`` that is kept."""

from __future__ import annotations

import json
import os
import re
import select
import threading
import time
import weakref
from collections import deque
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

from ._binary import checked, surroundings
from ._errors import ProcessDied, UsageError, make_error
from ._process import Process, Silence
from ._results import Result, failed, parse, result

Jobs = Union[str, Iterable[str], Mapping[str, str]]
Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]

# How many are worked on at once, unless said otherwise: what `pipe` has.
CONCURRENCY = 16
# Sources that are read ahead of what is answered, for each that is worked on at once; and the most bytes of them.
AHEAD = 4
AHEAD_BYTES = 32 << 20
# The longest line that `pipe` takes.
LONGEST_LINE = 64 << 20
# Seconds that a process has to end by itself once all is answered.
END_TIME = 5.0
# Seconds that a new process has for its first answer.
START_TIME = 30.0
# How many processes in a row may die before they have answered anything.
DEATHS = 3

# Flags that would break one answer for each source, in their order.
_REFUSED = {"--run", "--shard", "--all", "--jobs", "--help", "-h", "--version"}

_live: "weakref.WeakSet[_Engine]" = weakref.WeakSet()


def _forked() -> None:
    for engine in list(_live):
        engine.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class _Item:
    """A source that is not answered yet."""

    __slots__ = ("number", "id", "url", "line", "error", "place")

    def __init__(self, number: int, source: Source) -> None:
        self.number = number
        self.place = 0
        self.error: Optional[str] = None
        if isinstance(source, Mapping):
            members = dict(source)
            self.id = members.get("id", number)
            url = members.get("url", members.get("base_url"))
        elif isinstance(source, (str, os.PathLike)):
            url = os.fspath(source)
            if not isinstance(url, str):
                url = os.fsdecode(url)
            members = {"url": url}
            self.id = number
        else:
            raise TypeError(f"a source is a string, a path or a mapping, not {type(source).__name__}")
        self.url = url if isinstance(url, str) else None
        # The program gets a number of ours, so that an ID may be anything.
        members["id"] = number
        try:
            self.line = json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"
        except UnicodeEncodeError:
            self.line = json.dumps(members, separators=(",", ":")).encode("ascii") + b"\n"
        if len(self.line) - 1 > LONGEST_LINE:
            self.line = b""
            self.error = f"the source takes a line of more than {LONGEST_LINE} bytes"


class _Engine:
    """What the iterator and the thread that writes share."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Optional[Dict[str, str]],
        width: int,
        timeout: Optional[float],
        pass_fds: Sequence[int],
        read: Callable[[bytes], Any],
    ) -> None:
        self.arguments = arguments
        self.environment = environment
        self.timeout = timeout
        self.pass_fds = pass_fds
        self.read = read
        self.owner = os.getpid()
        # Only one thread at a time takes answers.
        self.turn = threading.RLock()
        # All below is guarded by `lock`. It is taken as it is, not by `with changed`: what a signal's handler raises, as
        # Ctrl-C does, could otherwise come between the two, and the lock would stay taken.
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.pending: Deque[_Item] = deque()
        self.bytes = 0
        self.window = width * AHEAD
        self.process: Optional[Process] = None
        # How many of `pending`, from the first, the process has been given.
        self.sent = 0
        # How many of `pending`, from the first, are given one at a time, since one of them may end the process.
        self.alone = 0
        self.ended = False
        self.failure: Optional[BaseException] = None
        self.closed = False
        self.writing = False
        self.taking = False
        # Only the thread that takes answers touches these.
        self.writer: Optional[threading.Thread] = None
        self.starts = 0
        self.deaths = 0
        self.wake_read, self.wake_write = os.pipe()
        os.set_blocking(self.wake_read, False)
        os.set_blocking(self.wake_write, False)
        _live.add(self)

    # The thread that writes

    def has_room(self) -> bool:
        return len(self.pending) < self.window and (not self.pending or self.bytes < AHEAD_BYTES)

    def tell(self) -> None:
        """Has the other thread look again; called with the lock."""
        try:
            self.changed.notify_all()
        except RuntimeError:
            # Who was told as a signal came is told twice.
            pass

    def wake(self) -> None:
        try:
            os.write(self.wake_write, b"w")
        except OSError:
            pass

    def feed(self, sources: Iterator[Source]) -> None:
        """Reads sources as there is room, and writes them."""
        number = 0
        while True:
            with self.lock:
                item: Optional[_Item] = None
                while True:
                    if self.closed:
                        return
                    process = self.process
                    if process is not None and self.sent < len(self.pending) and not (self.alone and self.sent):
                        item = self.pending[self.sent]
                        self.sent += 1
                        if item.error is None:
                            process.written += 1
                            item.place = process.written
                            self.writing = True
                        # The other thread waits for nothing else, or counts the time from here.
                        if self.sent == 1:
                            self.wake()
                        break
                    if not self.ended and not self.alone and self.has_room():
                        self.taking = True
                        break
                    self.changed.wait()
            if item is not None:
                if item.error is None:
                    # If it is not read any more, the other thread sees the end of the process.
                    process.write(item.line)  # type: ignore[union-attr]
                    with self.lock:
                        self.writing = False
                        self.tell()
                item = process = None
                continue
            process = None
            taken: Optional[_Item] = None
            failure: Optional[BaseException] = None
            try:
                source = next(sources)
                number += 1
                taken = _Item(number, source)
                del source
            except StopIteration:
                pass
            except BaseException as error:  # It is raised where the answers are taken.
                failure = error
            with self.lock:
                self.taking = False
                if taken is not None:
                    self.pending.append(taken)
                    self.bytes += len(taken.line)
                    if self.process is None:
                        self.wake()
                else:
                    self.ended = True
                    self.failure = failure
                    self.wake()
                self.tell()
            taken = failure = None

    # The thread that takes answers

    def next(self, sources: Optional[Iterator[Source]]) -> Optional[Result]:
        """The next answer; None at the end."""
        if self.writer is None and sources is not None:
            self.start()
            writer = threading.Thread(target=self.feed, args=(sources,), name="webinspect-writer", daemon=True)
            writer.start()
            self.writer = writer
        while True:
            with self.lock:
                if self.closed:
                    return None
                if self.sent and self.pending[0].error is not None:
                    item = self.answered()
                    return failed(item.id, item.url, "input.line", item.error or "")
                finished = self.ended and not self.pending
                process = self.process
                missing = process is None and bool(self.pending)
                waiting = self.sent > 0
            if finished:
                self.finish()
                return None
            if missing:
                self.start()
                continue
            if process is None:
                self.idle()
                continue
            deadline = None
            if self.timeout is not None and waiting:
                deadline = time.monotonic() + self.timeout
            line: Optional[bytes] = None
            fault: Optional[str] = None
            dead = False
            try:
                line = process.read(self.wake_read, deadline)
            except Silence:
                dead, fault = True, f"it has not answered for {self.timeout:g} s"
            except EOFError:
                dead = True
            found: Optional[Result] = None
            if dead:
                if fault is None and not process.wait(END_TIME):
                    fault = "it has closed its output"
                found = self.lost(fault)
            elif line is not None:
                found = self.read_answer(line)
            else:
                self.drain_wake()
            if found is not None:
                return found

    def idle(self) -> None:
        """Waits until there is a source, or no more."""
        poll = select.poll()
        poll.register(self.wake_read, select.POLLIN)
        poll.poll()
        self.drain_wake()

    def drain_wake(self) -> None:
        try:
            while os.read(self.wake_read, 4096):
                pass
        except BlockingIOError:
            pass

    def answered(self) -> _Item:
        """Takes the first; called with the lock."""
        item = self.pending.popleft()
        self.bytes -= len(item.line)
        self.sent -= 1
        if self.alone:
            self.alone -= 1
        self.tell()
        return item

    def read_answer(self, line: bytes) -> Optional[Result]:
        answer: Any = None
        deep = False
        try:
            answer = self.read(line)
        except RecursionError:
            deep = True
        except ValueError:
            pass
        with self.lock:
            process = self.process
            if process is None or not self.sent:
                item = None
            else:
                item = self.pending[0]
                if deep and line.startswith(b'{"id":%d,' % item.number):
                    self.answered()
                    process.answered += 1
                    return failed(item.id, item.url, "answer.depth", "the answer is nested more deeply than Python reads")
                if self.is_answer(answer, item):
                    self.answered()
                    process.answered += 1
                    self.deaths = 0
                    return result(item.id, answer)
        return self.lost(f"it has written what is no answer: {line[:100]!r}")

    @staticmethod
    def is_answer(answer: Any, item: _Item) -> bool:
        if not isinstance(answer, dict):
            return False
        identity = answer.get("id")
        if type(identity) is not int:
            return False
        if identity == item.number:
            return True
        # A line that cannot be read is answered with its number.
        error = answer.get("error")
        return isinstance(error, dict) and str(error.get("code")).startswith("input.") and identity == item.place

    def start(self) -> None:
        """Starts a process. One that stands in for another has to answer a question first, or nobody's page is to blame."""
        while True:
            process = Process(self.arguments, self.environment, self.pass_fds)
            try:
                process.open()
                self.starts += 1
                answers = self.starts == 1 or self.answers_probe(process)
                with self.lock:
                    if answers and not self.closed:
                        self.process = process
                        self.tell()
                        return
            except BaseException:
                process.end()
                process.close()
                raise
            self.retire(process)
            if answers:
                return
            self.count_death(process)

    @staticmethod
    def answers_probe(process: Process) -> bool:
        process.written += 1
        if not process.write(b'{"id":0,"html":""}\n'):
            return False
        try:
            line = process.read(None, time.monotonic() + START_TIME)
            answer = parse(line or b"")
        except (Silence, EOFError, ValueError, RecursionError):
            return False
        if not isinstance(answer, dict) or answer.get("id") != 0:
            return False
        process.answered += 1
        return True

    def retire(self, process: Process) -> None:
        """Ends a process, and waits until nobody writes to it."""
        process.end()
        with self.lock:
            if self.process is process:
                self.process = None
            if threading.current_thread() is not self.writer:
                self.changed.wait_for(lambda: not self.writing, 5)
        process.close()

    def count_death(self, process: Process) -> None:
        if process.answered:
            self.deaths = 0
            return
        self.raise_refusal(process)
        self.deaths += 1
        if self.deaths >= DEATHS:
            raise ProcessDied("process.died", f"webinspect dies before it answers anything: {process.death}")

    @staticmethod
    def raise_refusal(process: Process) -> None:
        """Raises what the process said as it ended with a status of its own."""
        status = process.status
        if not status or status < 0:
            return
        match = re.match(r"webinspect: (.*) \(([a-z][a-z.-]*)\)$", process.tail.last_line)
        if match is not None:
            raise make_error(match.group(2), match.group(1), status)
        if status == 2:
            raise UsageError("usage", process.tail.last_line or "webinspect refuses its arguments")

    def lost(self, why: Optional[str]) -> Optional[Result]:
        """The process has died, or is ended. What it worked on gets one chance alone; who had that is answered."""
        with self.lock:
            process = self.process
        if process is None:
            return None
        self.retire(process)
        message = f"the process died while it worked on this: {why or process.death}"
        with self.lock:
            if self.closed:
                return None
            suspects, self.sent = self.sent, 0
            found = None
            if suspects and self.alone:
                self.sent = 1
                item = self.answered()
                found = failed(item.id, item.url, "process.died", message)
            else:
                self.alone = suspects
            self.tell()
        self.count_death(process)
        return found

    def finish(self) -> None:
        """All is answered: lets the process end by itself, and says what it has to say."""
        with self.lock:
            process = self.process
            failure, self.failure = self.failure, None
        if process is not None:
            process.close_input()
            process.discard(END_TIME)
            self.retire(process)
        self.close()
        if failure is not None:
            try:
                raise failure
            finally:
                failure = None
        if process is not None:
            self.raise_refusal(process)

    def close(self) -> None:
        """Ends the process and the threads."""
        if os.getpid() != self.owner:
            return
        with self.lock:
            again, self.closed = self.closed, True
            process = self.process
            writer, taking = self.writer, self.taking
            if not again:
                self.wake()
            self.tell()
        if process is not None:
            process.end()
        with self.turn:
            if process is not None:
                self.retire(process)
            # Whoever is in a source of the caller's cannot be ended; it ends once it comes back.
            if writer is not None and writer is not threading.current_thread() and not taking:
                writer.join(5)
            with self.lock:
                self.pending.clear()
                if self.wake_read >= 0:
                    os.close(self.wake_read)
                    os.close(self.wake_write)
                    self.wake_read = self.wake_write = -1

    def forget(self) -> None:
        """In a process that was forked off: the process, its streams and the threads are the other's."""
        process = self.process
        if process is not None:
            process.forget()
        for descriptor in (self.wake_read, self.wake_write):
            if descriptor >= 0:
                try:
                    os.close(descriptor)
                except OSError:
                    pass
        self.wake_read = self.wake_write = -1


class Results(Iterator[Result]):
    """The answers, in the order of the sources. Ending it early, or losing it, ends the process and its threads."""

    def __init__(self, engine: _Engine, sources: Iterable[Source]) -> None:
        self._engine = engine
        self._sources: Optional[Iterator[Source]] = iter(sources)
        self._finalizer = weakref.finalize(self, engine.close)

    def __iter__(self) -> "Results":
        return self

    def __next__(self) -> Result:
        engine = self._engine
        if os.getpid() != engine.owner:
            raise RuntimeError("these results belong to the process that this one was forked off")
        try:
            with engine.turn:
                sources, self._sources = self._sources, None
                found = engine.next(sources)
                del sources
        except BaseException:
            self.close()
            raise
        if found is None:
            self.close()
            raise StopIteration
        return found

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> Optional[int]:
        """The number of the process that works now."""
        process = self._engine.process
        return process.popen.pid if process is not None else None

    def close(self) -> None:
        """Ends the process and the threads. What is not answered by then is not."""
        self._sources = None
        self._engine.close()
        self._finalizer.detach()


def _job_arguments(jobs: Jobs) -> List[str]:
    if isinstance(jobs, str):
        words = [jobs]
    elif isinstance(jobs, Mapping):
        for name in jobs:
            if not re.fullmatch(r"[^\s='\"\\]+", name):
                raise UsageError("usage", f"a job cannot be called {name!r}")
        words = [f"{name}={job}" for name, job in jobs.items()]
    else:
        words = list(jobs)
    if not words:
        raise UsageError("usage", "there is no job")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"a job is a string, not {type(word).__name__}")
    return [argument for word in words for argument in ("--run", word)]


def run(
    jobs: Jobs,
    sources: Iterable[Source],
    *,
    concurrency: Optional[int] = None,
    options: Sequence[str] = (),
    binary: Union[str, "os.PathLike[str]", None] = None,
    environment: Optional[Mapping[str, Optional[str]]] = None,
    timeout: Optional[float] = None,
    _pass_fds: Sequence[int] = (),
    _read: Callable[[bytes], Any] = parse,
) -> Results:
    """Does jobs on sources, and yields a result for each, in their order, as soon as it is there.

    ``jobs`` are commands as ``webinspect pipe --run`` takes them, or a mapping of names to them. ``sources`` are URLs,
    paths, or mappings as the lines of ``pipe``; they are read by another thread, never far ahead of what is answered,
    and may have no end. ``concurrency`` is how many are worked on at once. ``options`` are flags of loading.
    ``environment`` is added to this process's; None takes a variable away. ``timeout`` is how many seconds an answer may
    take until the process counts as dead; without it there is no such limit.

    What a page does ends no iteration: it is in the result's ``error``. What ends it is raised: a missing program, flags
    that make no sense, an exception of ``sources``.
    """
    if isinstance(sources, (str, bytes, Mapping)):
        raise TypeError("sources are several, as a list; this is one")
    if isinstance(options, str):
        raise TypeError("options are several, as a list; this is one")
    if concurrency is not None and (isinstance(concurrency, bool) or concurrency < 1):
        raise UsageError("usage", "concurrency is a number from 1")
    arguments = _job_arguments(jobs)
    flags = [str(option) for option in options]
    for flag in flags:
        if flag.split("=")[0] in _REFUSED:
            raise UsageError("usage", f"{flag}: it cannot be an option of run()")
    path = checked(binary, environment)
    width = concurrency or CONCURRENCY
    command = [path, "pipe", *arguments, "--jobs", str(width), *flags]
    engine = _Engine(command, surroundings(environment), width, timeout, tuple(_pass_fds), _read)
    return Results(engine, sources)

