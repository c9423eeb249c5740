"""Jobs over many WARC files, or over the rows of a table, by Apache Spark.

``extract`` makes a DataFrame with a row for each page; ``ship`` gives this package and its program to the executors. pyspark
4 and pyarrow are needed once they are called, ``pip install webinspect[spark]`` gets them.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import itertools
import os
import re
import secrets
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional
from typing import Sequence, Tuple, Union, cast

from ._binary import checked, find, surroundings
from ._errors import UsageError
from ._run import Jobs, Results, _job_arguments, run
from ._shards import Listing, Shard, expand, is_remote, mark_jobs, plan, split_answer

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["ship", "extract"]

# How many pages a process works on at once: one is read while another is parsed. A task has one core unless Spark is told
# otherwise.
CONCURRENCY = 2
# Files with an index are taken in parts of about this many bytes.
SPLIT_BYTES = 256 << 20
# Rows are handed to Spark as soon as there is so much of them.
BATCH_BYTES = 4 << 20
BATCH_ROWS = 1000
# How much of a remote file is in memory at once.
PIECE_BYTES = 8 << 20

# The columns before those of the jobs and behind them, with Spark's types.
_BEFORE = {"id": "string", "warc": "string", "offset": "bigint", "url": "string", "date": "string", "status": "int"}
_BEHIND = {"error_code": "string", "error_message": "string", "error_job": "string"}
# What rows that are given may have, and Spark's types that are taken; None are all.
_STRINGS, _NUMBERS = r"string\b.*|(var)?char\b.*|void", "tinyint|smallint|int|bigint|void"
_TAKEN = {
    "id": ("string", None),
    "warc": ("string", _STRINGS),
    "offset": ("bigint", _NUMBERS),
    "length": ("bigint", _NUMBERS),
    "content": ("binary", "binary"),
    "url": ("string", _STRINGS),
    "html": ("string", _STRINGS),
    "base_url": ("string", _STRINGS),
}

# Errors that say nothing of a page for sure.
_WORKER = ("worker.crash", "worker.memory", "worker.unavailable")

Row = Tuple[Any, ...]


def ship(spark: "SparkSession", wheel: Union[str, "os.PathLike[str]", None] = None) -> None:
    """Gives this package and its program to the executors of a session, present and future.

    It is what ``spark-submit --py-files`` does with a wheel whose name ends in ``.zip``. The executors need Python and pyarrow
    of their own. The program is unpacked beside that file, in Spark's folder for the application, which Spark removes.

    :param wheel: A wheel of this package; None sends the package that is running, with the program that ``find`` finds.
    :raises BinaryError: There is no program to send.
    """
    folder = tempfile.mkdtemp(prefix="webinspect-")
    # Executors that start later fetch the file from here.
    atexit.register(shutil.rmtree, folder, True)
    archive = os.path.join(folder, "webinspect.zip")
    if wheel is not None:
        shutil.copyfile(wheel, archive)
    else:
        here, programs = os.path.dirname(os.path.abspath(__file__)), os.path.dirname(find())
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            for name in sorted(os.listdir(here)):
                if name.endswith(".py"):
                    file.write(os.path.join(here, name), f"webinspect/{name}")
            for name in ("webinspect", "webinspect-worker"):
                file.write(os.path.join(programs, name), f"webinspect/bin/{name}")
    spark.addArtifacts(archive, pyfile=True)


def extract(
    spark: "SparkSession",
    source: Union["DataFrame", str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]],
    jobs: Jobs,
    *,
    options: Sequence[str] = (),
    concurrency: int = CONCURRENCY,
    timeout: Optional[float] = None,
    split_bytes: Optional[int] = SPLIT_BYTES,
    open: Optional[Callable[[str], BinaryIO]] = None,
    binary: Union[str, "os.PathLike[str]", None] = None,
    environment: Optional[Mapping[str, Optional[str]]] = None,
) -> "DataFrame":
    """Does jobs on pages, and has a row for each; nothing is read before the rows are asked for.

    ``source`` is WARC paths, patterns of them, folders and URLs of other file systems (``s3a://bucket/key``): each page of them
    is a row, in the order of the file, and so is what is wrong with a file. Or it is a DataFrame with a row a page: ``warc``,
    ``offset`` and ``length``; ``url``; or ``html`` and ``base_url``. A row with ``warc`` alone is all pages of that file, which
    is read from ``content`` if the row has the bytes. ``id`` comes back as a string.

    The columns: ``id``, ``warc``, ``offset`` (bytes), ``url``, ``date``, ``status``; for each job, by its name, its result as
    JSON; ``error_code``, ``error_message`` and ``error_job``. Each is null where there is none.

    :param jobs: As ``run`` takes them; what they are called is what their columns are called.
    :param options: Flags of loading, as ``run`` takes them.
    :param concurrency: How many pages a task works on at once, from 1.
    :param timeout: Seconds that one answer may take until the process counts as dead; None: the program's own limits hold.
    :param split_bytes: Files with a CDXJ index beside them are taken in parts of about this many bytes; None: each whole.
    :param open: Opens a URL of another file system for reading, on an executor; None has pyarrow do it. Rows with an offset want
        to seek. FileNotFoundError becomes a row; what else it raises fails the task, and Spark tries again.
    :param binary: The program, by its path on the executors and here; None: as ``find`` has it.
    :param environment: Added to the program's environment on the executors and here; None for a name takes it away.
    :raises UsageError: A bad job, flag, number or column; BinaryError: there is no program here, or of another version. Where an
        executor has none, the task fails.
    """
    if concurrency < 1:
        raise UsageError("usage", "concurrency is a number from 1")
    words = _job_arguments(jobs)[1::2]
    # The program itself says what the results are called, and what is wrong with the jobs before anything is begun.
    with run(words, [{"html": ""}], options=options, binary=binary, environment=environment) as results:
        names = list(next(results).results)
    mark = secrets.token_hex(8)
    work = _Work(
        mark_jobs(words, names, mark), mark, columns(names), tuple(options), concurrency, timeout, open,
        binary, environment,
    )  # fmt: skip
    schema = ", ".join(f"`{name}` {kind}" for name, kind in work.columns.items())
    if hasattr(source, "mapInArrow"):
        return taken(source).mapInArrow(work.on_rows, schema)
    paths = [source] if isinstance(source, (str, os.PathLike)) else source
    shards = plan(expand(paths), split_bytes)
    numbers = spark.range(0, len(shards), 1, max(1, len(shards)))
    return numbers.mapInArrow(lambda batches: work.on_shards(shards, batches), schema)


def columns(names: Iterable[str]) -> Dict[str, str]:
    """The columns of the result for jobs of these names, with Spark's types. Spark tells no capital letters from small ones."""
    found = {**_BEFORE, **dict.fromkeys(names, "string"), **_BEHIND}
    known = [name.lower() for name in (*_BEFORE, *names, *_BEHIND)]
    for name in names:
        if known.count(name.lower()) > 1:
            raise UsageError("usage", f"another column is called {name!r}: name the job otherwise, as {{'page': {name!r}}}")
        if "`" in name:
            raise UsageError("usage", f"a column cannot be called {name!r}")
    return found


def taken(frame: "DataFrame") -> "DataFrame":
    """The columns of a frame that are looked at, in the types that are expected."""
    from pyspark.sql.functions import col

    kinds = {name: kind for name, kind in frame.dtypes if name in _TAKEN}
    if not {"warc", "url", "html"} & set(kinds):
        raise UsageError("usage", "the frame has no column `warc`, `url` or `html`")
    for name, kind in kinds.items():
        pattern = _TAKEN[name][1]
        if pattern is not None and not re.fullmatch(pattern, kind):
            raise UsageError("usage", f"the column `{name}` is {kind}, not {_TAKEN[name][0]}")
    return frame.select([col(name).cast(_TAKEN[name][0]).alias(name) for name in kinds])


class _Origin(NamedTuple):
    """Where a row comes from, and the copy that is read in place of a file that is elsewhere."""

    id: Optional[str] = None
    warc: Optional[str] = None
    offset: Optional[int] = None
    copy: Optional[BinaryIO] = None


class _Whole(NamedTuple):
    """All pages of a shard, in place of one."""

    id: Optional[str]
    shard: Shard
    content: Optional[bytes] = None


@dataclass(frozen=True)
class _Work:
    """What is done in each partition."""

    jobs: Mapping[str, str]
    mark: str
    columns: Mapping[str, str]
    options: Sequence[str]
    concurrency: int
    timeout: Optional[float]
    open: Optional[Callable[[str], BinaryIO]]
    binary: Union[str, "os.PathLike[str]", None]
    environment: Optional[Mapping[str, Optional[str]]]

    def on_shards(self, shards: Sequence[Shard], batches: Iterable["RecordBatch"]) -> Iterator["RecordBatch"]:
        """Answers the shards whose numbers come."""
        numbers = (number.as_py() for batch in batches for number in batch.column(0))
        return self.batches(self.rows(_Whole(None, shards[number]) for number in numbers))

    def on_rows(self, batches: Iterable["RecordBatch"]) -> Iterator["RecordBatch"]:
        """Answers rows of what ``taken`` makes."""
        given = (
            {name: value.as_py() for name, value in zip(batch.schema.names, values)}
            for batch in batches
            for values in zip(*batch.columns)
        )
        return self.batches(self.rows(map(source, given)))

    def batches(self, rows: Iterable[Row]) -> Iterator["RecordBatch"]:
        """Rows as Arrow has them, never many bytes at once."""
        import pyarrow

        types = {"string": pyarrow.string(), "bigint": pyarrow.int64(), "int": pyarrow.int32()}
        schema = pyarrow.schema([(name, types[kind]) for name, kind in self.columns.items()])

        def array(values: Sequence[Any], kind: Any) -> Any:
            # The program writes UTF-8, and what is text here was seen to: `sound`. It need not be looked at again.
            return pyarrow.array(values, pyarrow.binary()).view(kind) if kind == types["string"] else pyarrow.array(values, kind)

        for lot in batched(rows):
            arrays = [array(values, field.type) for values, field in zip(zip(*lot), schema)]
            yield pyarrow.RecordBatch.from_arrays(arrays, schema=schema)

    def rows(self, sources: Iterable[Union[_Whole, Mapping[str, Any]]]) -> Iterator[Row]:
        """A row for each answer, in the order of the sources. Whole shards each have a process; single pages share one."""
        for is_whole, lot in itertools.groupby(sources, lambda given: isinstance(given, _Whole)):
            if is_whole:
                for whole in cast(Iterable[_Whole], lot):
                    yield from self.shard(whole)
                continue
            for origin, row in self.answers(map(self.at_hand, cast(Iterable[Mapping[str, Any]], lot))):
                yield row
                if origin.copy is not None:
                    origin.copy.close()

    def shard(self, whole: _Whole) -> Iterator[Row]:
        """A row for each page of a shard, and one for what is wrong with it."""
        origin = _Origin(whole.id, whole.shard.warc)
        with contextlib.ExitStack() as stack:
            copy = self.copied(whole.shard.warc, whole.content)
            path = path_of(stack.enter_context(copy)) if copy is not None else whole.shard.warc
            program = checked(self.binary, self.environment)
            listing = Listing(whole.shard, path, binary=program, environment=surroundings(self.environment))
            places = (
                {"id": origin._replace(offset=place["offset"], copy=copy), "warc": path, **place} for place in listing
            )
            for _, row in self.answers(places):
                yield row
        if listing.fault is not None:
            yield self.row(origin, error=(listing.fault["code"], listing.fault["message"], None))

    def at_hand(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """A source, the record that it is of copied if that is elsewhere."""
        origin = given["id"]
        copy = self.copied(origin.warc, None, origin.offset, given.get("length")) if origin.warc is not None else None
        if copy is None:
            return given
        return {**given, "id": origin._replace(copy=copy), "warc": path_of(copy), "offset": 0}

    def copied(
        self, warc: str, content: Optional[bytes], start: int = 0, length: Optional[int] = None
    ) -> Optional[BinaryIO]:
        """A copy of an archive's bytes; None for a file of this machine, and for what is not there: the program says so."""
        if content is not None:
            return nameless(io.BytesIO(content))
        if not is_remote(warc) or start < 0:
            return None
        try:
            with (self.open or open_remote)(warc) as stream:
                if start:
                    stream.seek(start)
                return nameless(stream, length)
        except FileNotFoundError:
            return None

    def answers(self, sources: Iterable[Mapping[str, Any]]) -> Iterator[Tuple[_Origin, Row]]:
        """The answers to sources, whose IDs are their origins: these, each with its row."""
        with self.begun({**given, "id": given} for given in sources) as results:
            for result in results:
                given = result.id
                if result.error is not None and result.error.code in _WORKER:
                    # What ended the process that evaluates rules may have come from outside: once more, alone.
                    with self.begun([{**given, "id": given}]) as again:
                        result = next(again)
                origin: _Origin = given["id"]
                error: Tuple[Optional[str], ...] = (None, None, None)
                if result.error is not None:
                    message = result.error.message
                    if origin.copy is not None:
                        message = message.replace(path_of(origin.copy), str(origin.warc))
                    error = (result.error.code, message, result.error.job)
                yield origin, self.row(origin, result.url, result.raw.get("date"), result.status, result.results, error)

    def begun(self, sources: Iterable[Mapping[str, Any]]) -> Results:
        return run(
            self.jobs, sources, concurrency=self.concurrency, options=self.options, binary=self.binary,
            environment=self.environment, timeout=self.timeout, _read=split_answer(self.mark),
        )  # fmt: skip

    def row(
        self,
        origin: _Origin,
        url: Optional[str] = None,
        date: Optional[str] = None,
        status: Optional[int] = None,
        results: Mapping[str, bytes] = {},
        error: Tuple[Optional[str], ...] = (None, None, None),
    ) -> Row:
        """The values of a row, in the order of the columns."""
        found = [results.get(name) for name in list(self.columns)[len(_BEFORE) : -len(_BEHIND)]]
        return (*map(sound, (*origin[:3], url, date)), status, *found, *map(sound, error))


def source(given: Mapping[str, Any]) -> Union[_Whole, Dict[str, Any]]:
    """What a row asks for: all of an archive, or a source as ``run`` takes it."""
    members = {name: value for name, value in given.items() if value is not None}
    content = members.pop("content", None)
    origin = _Origin(members.get("id"), members.get("warc"), members.get("offset"))
    if origin.warc is not None and (origin.offset is None or content is not None):
        return _Whole(origin.id, Shard(origin.warc), content)
    return {**members, "id": origin}


def batched(rows: Iterable[Row]) -> Iterator[List[Row]]:
    """Rows in lots of at most BATCH_ROWS, each ended by the row that brings it to BATCH_BYTES."""
    lot: List[Row] = []
    size = 0
    for row in rows:
        lot.append(row)
        size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if size >= BATCH_BYTES or len(lot) >= BATCH_ROWS:
            yield lot
            lot, size = [], 0
    if lot:
        yield lot


def sound(value: Any) -> Any:
    """A value as it is; of a text, what is no Unicode (half of a surrogate pair, a path that is no UTF-8) becomes "?"."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode("utf-8")
    return value


def open_remote(url: str) -> BinaryIO:
    """Opens a file by pyarrow: s3, s3a, gs, hdfs, abfs. Keys and regions come from where those systems' programs have them."""
    from pyarrow import fs

    filesystem, path = fs.FileSystem.from_uri(re.sub("^s3[an]:", "s3:", url))
    return cast(BinaryIO, filesystem.open_input_file(path))


def nameless(stream: BinaryIO, length: Optional[int] = None) -> BinaryIO:
    """A file of the rest of a stream, or of so many bytes. It has no name, and is gone with this process, however that ends."""
    file = tempfile.TemporaryFile()
    left = sys.maxsize if length is None else length
    while left > 0 and (piece := stream.read(min(left, PIECE_BYTES))):
        file.write(piece)
        left -= len(piece)
    file.flush()
    return file


def path_of(file: BinaryIO) -> str:
    """A path by which the program, which runs as the same user, opens a file of this process."""
    return f"/proc/{os.getpid()}/fd/{file.fileno()}"
