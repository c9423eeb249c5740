from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zlib
from typing import Any, Dict, List, Optional
from unittest import mock

import webinspect
from webinspect import _shards, spark
from webinspect._shards import Listing, Shard
from support import BINARY, kill, run_program, stand_in
from test_run import SOURCES, Case

SPARK = all(importlib.util.find_spec(name) for name in ("pyspark", "pyarrow")) and shutil.which("java") is not None


def record(url: str, body: bytes, kind: str = "text/html", head: str = "", type: str = "response", status: int = 200) -> bytes:
    """A member of gzip that is a record."""
    block = b"HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (status, kind.encode(), len(body)) + body
    fields = (
        f"WARC/1.1\r\nWARC-Type: {type}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: {url}\r\n{head}"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(fields.encode() + block + b"\r\n\r\n", mtime=0)


def named(number: int) -> str:
    return f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"


class Files(Case):
    """A folder with an archive of ten pages, an image and an answer of 404."""

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        pages = [record(f"http://a.test/{n}", b"<title>Page %d</title><a href=/n>n</a>" % n, head=named(n)) for n in range(10)]
        others = [record("http://a.test/i", b"PNG", "image/png", named(20)), record("http://a.test/404", b"", head=named(21), status=404)]
        self.members = [*pages[:5], *others, *pages[5:]]
        self.good = self.write("good.warc.gz", b"".join(self.members))

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, data: bytes) -> str:
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def index(self, path: str, name: str, change: Any = lambda lines: lines) -> str:
        """An index beside a file, its lines changed."""
        lines = run_program([BINARY, "archive", "index", path], stdout=subprocess.PIPE, check=True).stdout.splitlines(True)
        return self.write(name, b"".join(change(lines)))

    def listed(self, shard: Shard) -> "tuple[List[Dict[str, Any]], Optional[str]]":
        listing = Listing(shard, binary=BINARY)
        places = list(listing)
        return places, listing.fault and listing.fault["code"]

    def work(self, jobs: webinspect._run.Jobs = "meta", **changes: Any) -> spark._Work:
        words = webinspect._run._job_arguments(jobs)[1::2]
        names = [word.split("=")[0].split()[0] for word in words]
        given: Dict[str, Any] = dict(
            jobs=_shards.mark_jobs(words, names, "mark"), mark="mark", columns=spark.columns(names), options=(),
            concurrency=2, timeout=None, open=None, binary=None, environment=None,
        )  # fmt: skip
        return spark._Work(**{**given, **changes})

    def rows(self, *sources: Any, **changes: Any) -> List[Dict[str, Any]]:
        work = self.work(**changes)
        return [dict(zip(work.columns, row)) for row in work.rows(sources)]


class PlanTests(Files):
    def test_folders_and_patterns_become_files_in_their_order(self) -> None:
        for name in ("b.warc", "a.warc.gz", "c.arc", "d.txt", "a.warc.gz.cdxj"):
            self.write(name, b"")
        self.assertEqual(
            [os.path.basename(path) for path in _shards.expand([self.folder])], ["a.warc.gz", "b.warc", "c.arc", "good.warc.gz"]
        )
        self.assertEqual(_shards.expand([self.path("[ab].warc*")]), [self.path(name) for name in ("a.warc.gz", "a.warc.gz.cdxj", "b.warc")])
        far = ["s3a://bucket/*.warc.gz", "hdfs://name/a.warc.gz", "/no/such.warc", "/no/such/*.warc"]
        self.assertEqual(_shards.expand(far), far)
        self.assertEqual(_shards.expand(["file:///a.warc", "file:/b[1].warc"]), ["/a.warc", "/b[1].warc"])
        with self.assertRaises(TypeError):
            _shards.expand([3])

    def test_large_files_with_an_index_are_taken_in_parts(self) -> None:
        size = os.path.getsize(self.good)
        whole = [Shard(self.good)]
        self.assertEqual(_shards.plan([self.good], 100), whole)
        self.index(self.good, "good.cdxj")
        self.assertEqual(_shards.plan([self.good], None), whole)
        self.assertEqual(_shards.plan([self.good], size), whole)
        parts = _shards.plan([self.good, "s3://b/k"], (size - 1) // 3)
        self.assertEqual([(part.start, part.end) for part in parts[:2]], [(0, size // 4), (size // 4, size // 2)])
        self.assertEqual(parts[3:], [Shard(self.good, size * 3 // 4, None), Shard("s3://b/k")])
        with self.assertRaises(webinspect.UsageError):
            _shards.plan([], 0)

    def test_parts_have_each_page_once_with_an_index_and_without(self) -> None:
        expected, fault = self.listed(Shard(self.good))
        self.assertEqual((len(expected), fault), (10, None))
        for name in (None, "good.warc.gz.cdxj", "good.cdxj.gz"):
            if name is not None:
                self.write(name, b"")
                index = self.index(self.good, name)
                if name.endswith(".gz"):
                    with open(index, "rb") as file:
                        self.write(name, gzip.compress(file.read()))
                self.assertEqual(_shards.indexed(self.good), expected)
            for count in (1, 2, 7, 100):
                size = os.path.getsize(self.good)
                cuts = [size * part // count for part in range(count)]
                shards = [Shard(self.good, start, end) for start, end in zip(cuts, [*cuts[1:], None])]
                self.assertEqual([place for shard in shards for place in self.listed(shard)[0]], expected)
            if name is not None:
                os.remove(self.path(name))

    def test_an_index_that_is_not_to_be_trusted_is_not_used(self) -> None:
        expected, _ = self.listed(Shard(self.good))
        lie = lambda lines: [lines[0].replace(b'"offset":"', b'"offset":"9999999')]
        revisit = lambda lines: [lines[0].replace(b"text/html", b"warc/revisit"), *lines[1:]]
        for change in (lie, revisit, lambda lines: [b"garbage\n"], lambda lines: [b"a b {}\n"], lambda lines: [b"a b []\n"]):
            self.index(self.good, "good.cdxj", change)
            self.assertIsNone(_shards.indexed(self.good))
            self.assertEqual(self.listed(Shard(self.good)), (expected, None))
        # Of other files it says nothing; and one that is older than the file may lack some.
        other = lambda lines: [line.replace(b"good.warc.gz", b"other.warc.gz") for line in lines[1:]] + lines[:1]
        self.index(self.good, "good.cdxj", other)
        self.assertEqual(len(_shards.indexed(self.good) or []), 1)
        os.utime(self.path("good.cdxj"), (1, 1))
        self.assertIsNone(_shards.indexed(self.good))
        self.write("good.cdxj.gz", b"no gzip")
        self.assertIsNone(_shards.indexed(self.good))

    def test_what_is_wrong_with_a_file_is_said_and_what_is_before_it_is_there(self) -> None:
        whole = b"".join(self.members)
        cut = self.write("cut.warc.gz", whole[:-20])
        places, fault = self.listed(Shard(cut))
        self.assertEqual((len(places), fault), (10, "archive.truncated"))
        os.mkfifo(self.path("pipe.warc.gz"))
        os.mkdir(self.path("folder.warc.gz"))
        self.write("empty.warc.gz", b"")
        self.write("text.warc.gz", gzip.compress(b"hello"))
        for name, code in [
            ("missing.warc.gz", "file.not-found"), ("pipe.warc.gz", "file.unreadable"), ("folder.warc.gz", "file.directory"),
            ("empty.warc.gz", "archive.format"), ("text.warc.gz", "archive.format"),
        ]:  # fmt: skip
            with self.subTest(name):
                self.assertEqual(self.listed(Shard(self.path(name))), ([], code))

    def test_a_listing_that_is_ended_from_outside_is_raised(self) -> None:
        with stand_in(before="os.kill(os.getpid(), signal.SIGKILL)") as program:
            with self.assertRaises(webinspect.ProcessDied):
                list(Listing(Shard(self.good), binary=program))

    def test_revisits_of_pages_are_pages(self) -> None:
        refers = "WARC-Refers-To: <urn:uuid:00000000-0000-4000-8000-{:012}>\r\n"
        revisits = [
            record("http://a.test/0", b"", head=named(30 + to) + refers.format(to), type="revisit", status=304) for to in (0, 20, 99)
        ]
        path = self.write("revisits.warc.gz", b"".join([*self.members, *revisits]))
        starts = [place["offset"] for place in self.listed(Shard(path))[0][10:]]
        first = os.path.getsize(self.good)
        self.assertEqual(starts, [first, first + len(revisits[0]) + len(revisits[1])])

    def test_a_listing_that_is_left_ends_its_process(self) -> None:
        listing = Listing(Shard(self.good), binary=BINARY)
        next(listing)
        listing.close()
        self.assertEqual(list(listing), [])


class RowTests(Files):
    def test_results_stay_the_bytes_that_they_came_as(self) -> None:
        read = _shards.split_answer("m")
        head = b'{"id":3,"url":"http://a.test/","status":200,"results":'
        for results, error in [
            (b'{"m.a":{"x":[1,"}}}"]},"m.b":{}}', b""),
            (b'{"m.a":{"error":{"code":"x","message":"y"}}}', b""),
            (b'{"m.a":{},"m.b.2":[{"error":{"code":"x","message":"y"}}]}', b""),
            (b'{"m.a":{"error":{"code":"x","message":"m.a: y"}}}', b',"error":{"code":"c","message":"m.a \\"}}","job":"m.a"}'),
            (b"{}", b',"error":{"code":"c","message":"d"}'),
        ]:
            line = head + results + error + b"}"
            answer, expected = read(line), json.loads(line.replace(b"m.a", b"a").replace(b"m.b", b"b"))
            self.assertEqual({name: json.loads(value.replace(b"m.a", b"a")) for name, value in answer["results"].items()}, expected["results"])
            self.assertEqual({**answer, "results": 0}, {**expected, "results": 0})
        for garbage in (b"", b"\xff", b"[]", b"{", head + b'{"m.a":', b'{"m.'):
            with self.assertRaises(ValueError):
                if isinstance(read(garbage), list):
                    raise ValueError
        self.assertEqual(read(b'{"id":1,"results":{"m.a":  1 , "m.b":{}}}')["results"]["b"], b"{}")

    def test_rows_of_shards(self) -> None:
        found = self.rows(spark._Whole("x", Shard(self.good)), jobs=["meta", "big=links --unique"])
        self.assertEqual([row["url"] for row in found], [f"http://a.test/{n}" for n in range(10)])
        self.assertEqual({(row["id"], row["warc"], row["status"], row["error_code"]) for row in found}, {("x", self.good, 200, None)})
        self.assertEqual(found[0]["date"], "2026-01-02T03:04:05Z")
        self.assertEqual(json.loads(found[3]["meta"])["titles"][0]["text"], "Page 3")
        self.assertEqual(json.loads(found[3]["big"])["links"][0]["url"], "http://a.test/n")
        self.assertEqual([row["offset"] for row in found], [place["offset"] for place in self.listed(Shard(self.good))[0]])

    def test_rows_of_bad_files_are_one_each(self) -> None:
        cut = self.write("cut.warc.gz", b"".join(self.members)[:-20])
        found = self.rows(spark._Whole(None, Shard("/no/such")), spark._Whole(None, Shard(cut)), spark._Whole(None, Shard(self.good)))
        self.assertEqual(
            [(row["offset"] is None, row["error_code"]) for row in found if row["error_code"]],
            [(True, "file.not-found"), (False, "archive.body"), (True, "archive.truncated")],
        )
        self.assertEqual(len(found), 1 + 9 + 1 + 1 + 10)

    def test_a_page_of_a_gigabyte_is_a_row(self) -> None:
        packer, length = zlib.compressobj(1, wbits=31), 1 << 30
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        head = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://a.test/\r\n" + named(1).encode()
        head += b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % (len(block) + length)
        with open(self.path("huge.warc.gz"), "wb") as file:
            file.write(packer.compress(head + block))
            for _ in range(length >> 20):
                file.write(packer.compress(b"<p>x" * (1 << 18)))
            file.write(packer.compress(b"\r\n\r\n") + packer.flush() + self.members[0])
        found = self.rows(spark._Whole(None, Shard(self.path("huge.warc.gz"))))
        self.assertEqual([row["error_code"] for row in found], ["limit.size", None])

    def test_rows_that_are_given(self) -> None:
        offset = len(self.members[0])
        given = [
            {"id": "ü\U0001f600", "warc": self.good, "offset": offset, "length": None},
            {"id": None, "html": "<title>Tea</title>", "base_url": "http://b.test/", "warc": None},
            {"id": "none", "html": None},
            {"id": "all", "warc": self.good},
            {"id": "bytes", "warc": "name", "content": self.members[1]},
            {"id": "large", "html": "x" * (100 << 20)},
        ]
        found = self.rows(*map(spark.source, given))
        self.assertEqual((found[0]["id"], found[0]["url"]), ("ü\U0001f600", "http://a.test/1"))
        self.assertEqual((found[1]["id"], found[1]["url"], found[1]["warc"]), (None, "http://b.test/", None))
        self.assertEqual((found[2]["id"], found[2]["error_code"]), ("none", "input.form"))
        self.assertEqual({row["id"] for row in found[3:13]}, {"all"})
        self.assertEqual((found[13]["warc"], found[13]["offset"], found[13]["url"]), ("name", 0, "http://a.test/1"))
        self.assertEqual((found[14]["id"], found[14]["error_code"]), ("large", "input.line"))
        self.assertEqual(len(found), 15)

    def test_remote_files_are_copied_and_gone(self) -> None:
        def opened(url: str) -> Any:
            return open(self.path(url.rpartition("/")[2]), "rb")

        self.write("text.warc.gz", gzip.compress(b"hello"))
        self.write("cut.warc.gz", b"".join(self.members[:2])[:-20])
        shards = [Shard(f"s3a://bucket/{name}") for name in ("good.warc.gz", "missing.warc.gz", "text.warc.gz", "cut.warc.gz")]
        found = self.rows(*(spark._Whole(None, shard) for shard in shards), open=opened)
        self.assertEqual(len(found), 10 + 1 + 1 + 3)
        codes = [row["error_code"] for row in found[10:]]
        self.assertEqual(codes, ["file.not-found", "archive.format", None, "archive.body", "archive.truncated"])
        self.assertFalse([row for row in found if "/proc/" in str(row)])
        places = [(len(self.members[0]), len(self.members[1])), (len(self.members[0]), None), (-1, 5), (3, 9), (0, 0)]
        given = [{"id": "a", "warc": f"s3://b/{n}.warc.gz", "offset": o, "length": l} for n in ("good", "none") for o, l in places]
        found = self.rows(*map(spark.source, given), open=opened)
        self.assertEqual([row["url"] for row in found[:3]], ["http://a.test/1"] * 2 + [None])
        self.assertEqual({(row["offset"], row["error_code"]) for row in found[5:]}, {(o, "file.not-found") for o, _ in places[:1] + places[3:]} | {(-1, "input.form")})
        self.assertFalse([row for row in found if "/proc/" in str(row)])

        def broken(url: str) -> Any:
            raise OSError("no route")

        with self.assertRaises(OSError):
            self.rows(spark._Whole(None, shards[0]), open=broken)

    def test_a_process_that_is_killed_costs_nothing(self) -> None:
        work, found = self.work(), []
        with mock.patch.object(spark, "run", wraps=webinspect.run) as run:
            results: List[webinspect.Results] = []
            run.side_effect = lambda *given, **flags: results.append(webinspect.run(*given, **flags)) or results[-1]
            for row in work.rows([spark._Whole(None, Shard(self.good))]):
                found.append(row)
                if len(found) == 2:
                    kill(results[0])
        self.assertEqual(found, list(self.work().rows([spark._Whole(None, Shard(self.good))])))

    def test_a_worker_that_is_killed_costs_nothing_and_one_that_a_page_kills_costs_its_row(self) -> None:
        program = f"""
        for line in sys.stdin.buffer:
            source, mark = json.loads(line), {self.path("once")!r}
            answer = {{"id": source["id"], "url": source["url"], "status": None, "results": {{"mark.meta": {{}}}}}}
            if source["url"] == "always" or source["url"] == "once" and not os.path.exists(mark):
                answer["error"] = {{"code": "worker.crash", "message": "it died", "job": "mark.meta"}}
            if source["url"] == "once":
                open(mark, "w").close()
            print(json.dumps(answer, separators=(",", ":")), flush=True)
        sys.exit(0)
        """
        with stand_in(before=textwrap.dedent(program)) as path:
            found = self.rows(*({"id": spark._Origin(url), "url": url} for url in ("once", "always", "never")), binary=path)
        self.assertEqual(
            [(row["id"], row["error_code"], row["error_job"]) for row in found],
            [("once", None, None), ("always", "worker.crash", "meta"), ("never", None, None)],
        )

    def test_another_version_is_raised(self) -> None:
        with stand_in(version="9.9.9") as program:
            with self.assertRaises(webinspect.BinaryError) as raised:
                self.rows(spark._Whole(None, Shard(self.good)), binary=program)
        self.assertEqual(raised.exception.code, "binary.version")

    def test_columns(self) -> None:
        self.assertEqual(list(spark.columns(["a", "links.2"]))[6:8], ["a", "links.2"])
        for names in (["url"], ["a", "A"], ["Error_code"], ["a`b"]):
            with self.assertRaises(webinspect.UsageError):
                spark.columns(names)

    def test_rows_come_in_lots_of_few_bytes(self) -> None:
        large = ("x" * (3 << 20), None, 7)
        self.assertEqual([len(lot) for lot in spark.batched([large] * 5)], [2, 2, 1])
        self.assertEqual([len(lot) for lot in spark.batched([(None,)] * 2001)], [1000, 1000, 1])

    def test_texts_are_unicode(self) -> None:
        self.assertEqual(spark.sound("a\udce4\ud800é"), "a??é")


class PackageTests(Case):
    def python(self, program: str, path: str) -> str:
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return run_program(
            [sys.executable, "-c", textwrap.dedent(program)], env={**environment, "PYTHONPATH": path}, stdout=subprocess.PIPE, check=True
        ).stdout.decode()

    def test_the_package_needs_nothing_of_spark(self) -> None:
        said = self.python(
            "import sys, webinspect; print([n for n in ('webinspect.spark', 'pyspark', 'pyarrow', 'pandas') if n in sys.modules])", SOURCES
        )
        self.assertEqual(said, "[]\n")
        said = self.python("import sys, webinspect.spark; print([n for n in ('pyspark', 'pyarrow') if n in sys.modules])", SOURCES)
        self.assertEqual(said, "[]\n")

    def test_a_package_in_a_zip_unpacks_its_program_once(self) -> None:
        class Session:
            def addArtifacts(self, path: str, pyfile: bool) -> None:
                self.path = path

        session = Session()
        spark.ship(session)  # type: ignore[arg-type]
        with tempfile.TemporaryDirectory() as folder:
            archive = shutil.copy(session.path, folder)
            program = "import webinspect; print(webinspect.__file__, webinspect.find(), next(webinspect.run('meta', [{'html': ''}])).ok)"
            first = self.python(program, archive).split()
            self.assertTrue(first[0].startswith(archive + os.sep), first)
            self.assertTrue(first[1].startswith(folder), first)
            self.assertEqual(first[2], "True")
            self.assertEqual(self.python(program, archive).split(), first)
            self.assertEqual(len(os.listdir(folder)), 2)


@unittest.skipUnless(SPARK, "pyspark, pyarrow or Java is not there")
class SparkTests(unittest.TestCase):
    """On a machine of two threads, in this process's own session."""

    @classmethod
    def setUpClass(cls) -> None:
        import warnings

        from pyspark.sql import SparkSession

        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.enterClassContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
        cls.session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", False)
            .config("spark.ui.showConsoleProgress", False)
            .config("spark.driver.memory", "2g")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", cls.folder)
            .getOrCreate()
        )
        cls.session.sparkContext.setLogLevel("OFF")
        cls.addClassCleanup(cls.session.stop)
        cls.paths = []
        for number in range(4):
            cls.paths.append(os.path.join(cls.folder, f"{number}.warc.gz"))
            with open(cls.paths[-1], "wb") as file:
                file.write(b"".join(record(f"http://{number}.test/{n}", b"<title>%d</title>" % n, head=named(n)) for n in range(50)))

    def rows(self, source: Any, jobs: Any = "meta", **options: Any) -> List[Dict[str, Any]]:
        return [row.asDict() for row in spark.extract(self.session, source, jobs, **options).collect()]

    def test_each_page_of_each_file_is_a_row(self) -> None:
        found = self.rows([*self.paths, "/no/such.warc"], {"titles": "meta", "a.b": "links"})
        self.assertEqual([row["url"] for row in found[:-1]], [f"http://{f}.test/{n}" for f in range(4) for n in range(50)])
        self.assertEqual(json.loads(found[7]["titles"]), {"titles": [{"name": "title", "source": "element", "text": "7"}]})
        self.assertEqual(json.loads(found[7]["a.b"])["links"], [])
        self.assertEqual((found[-1]["warc"], found[-1]["error_code"]), ("/no/such.warc", "file.not-found"))
        self.assertEqual(self.rows(self.folder), self.rows(self.paths))
        self.assertEqual(self.rows([]), [])
        self.assertEqual(spark.extract(self.session, self.paths, "meta").limit(3).count(), 3)

    def test_parts_of_a_file_by_its_index(self) -> None:
        expected = self.rows(self.paths[:1])
        path = shutil.copy(self.paths[0], os.path.join(self.folder, "indexed"))
        run_program([BINARY, "archive", "index", path, "-o", path + ".cdxj"], check=True)
        frame = spark.extract(self.session, path, "meta", split_bytes=1000)
        self.assertGreater(frame.rdd.getNumPartitions(), 5)
        self.assertEqual([row.asDict() for row in frame.collect()], [{**row, "warc": path} for row in expected])

    def test_rows_of_a_frame(self) -> None:
        schema = "id int, warc string, offset int, html string, other string"
        frame = self.session.createDataFrame([(1, None, None, "<title>ü</title>", "x"), (2, self.paths[0], 0, None, None), (None,) * 5], schema)
        found = self.rows(frame)
        self.assertEqual([(row["id"], row["error_code"]) for row in found], [("1", None), ("2", None), (None, "input.form")])
        self.assertIn("ü", found[0]["meta"])
        self.assertEqual(self.rows(frame.limit(0)), [])
        large = self.session.range(2).selectExpr("id", "repeat('x', cast((1 - id) * 104857600 AS int)) AS html")
        self.assertEqual([row["error_code"] for row in self.rows(large)], ["input.line", None])

    def test_bytes_that_spark_has_read(self) -> None:
        files = self.session.read.format("binaryFile").load(self.paths[:2]).selectExpr("path AS warc", "content")
        found = self.rows(files)
        self.assertEqual({row["url"] for row in found}, {row["url"] for row in self.rows(self.paths[:2])})
        self.assertEqual({row["warc"] for row in found}, {"file:" + path for path in self.paths[:2]})

    def test_frames_that_make_no_sense(self) -> None:
        for rows, schema in ([(1,)], "x int"), ([("a", "b")], "warc string, offset string"), ([(1,)], "html int"):
            with self.assertRaises(webinspect.UsageError):
                spark.extract(self.session, self.session.createDataFrame(rows, schema), "meta")
        for flags in ({"jobs": "nothing"}, {"jobs": "url"}, {"jobs": "meta", "concurrency": 0}, {"jobs": "meta", "split_bytes": 0}):
            with self.assertRaises(webinspect.UsageError):
                spark.extract(self.session, self.paths, **flags)

    def test_a_program_of_another_version_fails_the_task_and_not_the_rows(self) -> None:
        path = os.path.join(self.folder, "webinspect")
        shutil.copy(BINARY, path)
        frame = spark.extract(self.session, self.paths, "meta", binary=path)
        with stand_in(version="9.9.9") as program:
            shutil.copy(program, path)
        with self.assertRaisesRegex(Exception, "binary.version"):
            frame.collect()
        os.remove(path)
        with self.assertRaisesRegex(Exception, "binary.missing"):
            frame.collect()


if __name__ == "__main__":
    unittest.main()
