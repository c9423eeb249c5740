"""WARC files as work for many machines: which files, which parts of them, and where in them pages begin."""

from __future__ import annotations

import contextlib
import glob
import gzip
import json
import os
import re
import stat
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generator, Iterable, Iterator, List, Mapping, Optional, Sequence, Set

from ._errors import ProcessDied, UsageError
from ._process import Process

# What the files of a folder have to end with to be taken; a file that is named may be called anything.
ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
# What a path has to begin with to be no path of this machine.
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# The end of an answer that has an error.
_ERROR = re.compile(rb'\},"error":(\{(?:,?"\w+":"(?:[^"\\]|\\.)*")+\})\}')
_PAGES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class Shard:
    """The records of a file that begin at ``start`` or behind it, and before ``end``; None is the end of the file."""

    warc: str
    start: int = 0
    end: Optional[int] = None


def is_remote(path: str) -> bool:
    """Whether it is no path but a URL of other machines, as s3a://bucket/key."""
    return _REMOTE.match(path) is not None


def expand(paths: Iterable[Any]) -> List[str]:
    """Paths, with the files of folders and what patterns match in their place, each lot in its order.

    What is not there stays as it is: other machines may have it, and if they do not, a row says so.
    """
    found: List[str] = []
    for given in paths:
        path = os.fspath(given)
        if not isinstance(path, str):
            raise TypeError(f"a path is a string, not {type(path).__name__}")
        path = re.sub("^file:/+", "/", path)
        if is_remote(path):
            found.append(path)
        elif os.path.isdir(path):
            found += sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(ENDINGS))
        elif glob.has_magic(path) and not os.path.exists(path):
            found += sorted(glob.glob(path, recursive=True)) or [path]
        else:
            found.append(path)
    return found


def plan(paths: Iterable[str], split_bytes: Optional[int]) -> List[Shard]:
    """Shards for files: each its own, but files with an index that are larger than ``split_bytes`` in parts of about that size.

    A record belongs to the part that it begins in, so the parts need not begin at records.
    """
    if split_bytes is not None and split_bytes < 1:
        raise UsageError("usage", "split_bytes is a number of bytes, from 1")
    shards: List[Shard] = []
    for path in paths:
        count = 1
        if split_bytes is not None and not is_remote(path):
            try:
                size = os.stat(path).st_size
            except (OSError, ValueError):
                size = 0
            if size > split_bytes and index_of(path):
                count = -(-size // split_bytes)
        cuts = [size * part // count for part in range(1, count)]
        shards += [Shard(path, start, end) for start, end in zip([0, *cuts], [*cuts, None])]
    return shards


def index_of(path: str) -> Optional[str]:
    """The CDXJ index beside a file: its name, or that without .warc.gz, with .cdxj or .cdxj.gz; None if there is none.

    One that is older than the file may lack records, and is none.
    """
    stem = next((path[: -len(ending)] for ending in reversed(ENDINGS) if path.endswith(ending)), path)
    for name in (path, os.path.splitext(path)[0], stem):
        for index in (name + ".cdxj", name + ".cdxj.gz"):
            try:
                if os.stat(index).st_mtime_ns >= os.stat(path).st_mtime_ns:
                    return index
            except (OSError, ValueError):
                continue
    return None


def _is_page(status: Any, mime_type: Any) -> bool:
    """As `--all` has it: HTML or XHTML, of a status of 2xx or none."""
    return mime_type in _PAGES and (status in (None, "", "-") or str(status).startswith("2") and len(str(status)) == 3)


def indexed(path: str) -> Optional[List[Dict[str, int]]]:
    """Where the pages of a file are, in its order, as its index says; None if there is none that is to be trusted.

    Not trusted is what names places outside of the file, or has revisits, of which it does not say whether they are pages.
    """
    index = index_of(path)
    if index is None:
        return None
    places: Dict[int, int] = {}
    name = os.path.basename(path)
    try:
        size = os.stat(path).st_size
        with (gzip.open if index.endswith(".gz") else open)(index, "rb") as lines:
            for line in lines:
                if line.startswith(b"!") or not line.strip():
                    continue
                fields = json.loads(line.split(b" ", 2)[2])
                if os.path.basename(fields.get("filename", name)) != name:
                    continue
                offset, length = int(fields["offset"]), int(fields["length"])
                if offset < 0 or length < 0 or offset + length > size or fields.get("mime") == "warc/revisit":
                    return None
                if _is_page(fields.get("status"), fields.get("mime")):
                    places[offset] = length
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError):
        return None
    return [{"offset": offset, "length": places[offset]} for offset in sorted(places)]


class Listing(Iterator[Dict[str, Any]]):
    """Where the pages of a shard are, in the order of the file: offset, length, and part in what has parts.

    :param shard: What is listed.
    :param path: The file to read, where that is not ``shard.warc``.
    :param binary: The program, which lists what has no index.
    """

    def __init__(
        self,
        shard: Shard,
        path: Optional[str] = None,
        *,
        binary: str,
        environment: Optional[Dict[str, str]] = None,
    ) -> None:
        self._shard = shard
        self._path = path or shard.warc
        self._command = [binary, "archive", "ls", "--jsonl", "--", self._path]
        self._environment = environment
        self._places = self._find()
        #: What is wrong with the file, as a code and a message, once the listing has come to its end.
        self.fault: Optional[Mapping[str, str]] = None

    def __next__(self) -> Dict[str, Any]:
        return next(self._places)

    def close(self) -> None:
        """Ends the listing, and its process."""
        self._places.close()

    def _find(self) -> Generator[Dict[str, Any], None, None]:
        found: Optional[Iterable[Dict[str, Any]]] = indexed(self._path)
        for place in self._listed() if found is None else found:
            if self._shard.end is not None and place["offset"] >= self._shard.end:
                break
            if place["offset"] >= self._shard.start:
                yield place

    def _listed(self) -> Iterator[Dict[str, Any]]:
        with contextlib.suppress(OSError, ValueError):
            if not stat.S_ISREG(os.stat(self._path).st_mode) and not os.path.isdir(self._path):
                # A pipe would be waited for.
                self.fault = {"code": "file.unreadable", "message": "it is not a regular file"}
                return
        process = Process(self._command, self._environment)
        process.open()
        process.close_input()
        others: Set[str] = set()
        try:
            while True:
                try:
                    record = json.loads(process.read(None, None) or b"")
                except EOFError:
                    break
                if self._holds_page(record, others):
                    yield {name: record[name] for name in ("offset", "length", "part") if record.get(name) is not None}
            process.wait(60)
        finally:
            process.end()
            process.close()
        self.fault = self._fault(process)

    @staticmethod
    def _holds_page(record: Mapping[str, Any], others: Set[str]) -> bool:
        """Whether a record is a page, or a revisit of what may be one; ``others`` are the IDs of what is none."""
        if record["type"] not in ("response", "resource", "revisit"):
            return False
        if record["type"] == "revisit" and record["status"] in (None, 304):
            return record["refers_to"] not in others
        if _is_page(record["status"], record["mime_type"]):
            return True
        others.add(record["id"])
        return False

    def _fault(self, process: Process) -> Optional[Mapping[str, str]]:
        """The first that was said of the file. A listing that was ended from outside says nothing of it, and is raised."""
        if process.status == 0:
            return None
        for line in process.tail.text.splitlines():
            said = re.fullmatch(r"webinspect: (?:warning: )?(.*) \(([a-z][a-z.-]*)\)", line)
            if said is not None:
                message = said[1]
                for between in (", ", ": "):
                    if message.startswith(self._path + between):
                        message = message[len(self._path + between) :]
                return {"code": said[2], "message": message}
        raise ProcessDied("process.died", f"the records of {self._shard.warc} cannot be listed: {process.death}")


def mark_jobs(words: Sequence[str], names: Sequence[str], mark: str) -> Dict[str, str]:
    """Jobs, called by what `pipe` calls them, with a mark and a point before it."""
    return {
        f"{mark}.{name}": word[len(name) + 1 :] if word.startswith(name + "=") else word
        for word, name in zip(words, names)
    }


def split_answer(mark: str) -> Callable[[bytes], Any]:
    """What reads answers to marked jobs: their results stay the JSON that they came as, in UTF-8.

    Who passes results on does not look at them, and to find where they begin takes a tenth of the time of reading them. A page
    that does not know the mark can have no such names in its data.
    """
    before = mark.encode() + b"."
    name = re.compile(rb'"' + re.escape(before) + rb'([^"]+)":')

    def read(line: bytes) -> Any:
        error = None
        # Behind the error of the answer is one brace; behind what a page calls so are those of the result it is in, too.
        at = line.rfind(b'},"error":{"code":') if line.endswith(b'"}}') else -1
        said = _ERROR.fullmatch(line, at) if at >= 0 else None
        if said is not None:
            error, line = json.loads(said[1].replace(before, b"")), line[: at + 1] + b"}"
        head, *rest = name.split(line)
        answer = json.loads(head + b"}}" if rest else line)
        if rest:
            if not line.endswith(b"}}"):
                raise ValueError("an answer that does not end")
            # Behind a result is a comma; behind the last, two braces.
            ends = [-1] * (len(rest) // 2 - 1) + [-2]
            answer["results"] = {rest[2 * n].decode(): rest[2 * n + 1][:end] for n, end in enumerate(ends)}
        if error is not None:
            answer["error"] = error
        return answer

    return read
