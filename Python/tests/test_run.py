from __future__ import annotations

import gc
import itertools
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
from unittest import mock

import webinspect
from webinspect import _process, _run
from support import children, descriptors, eventually, kill, run_program, server, stand_in, started, threads

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")


class Case(unittest.TestCase):
    """Nothing may stay behind: no process, no thread, no open file."""

    def setUp(self) -> None:
        gc.collect()
        self.open = descriptors()

    def tearDown(self) -> None:
        gc.collect()
        self.assertTrue(eventually(lambda: not threads()), threads())
        self.assertEqual(children(), [])
        self.assertTrue(eventually(lambda: descriptors() == self.open), "open files stay")


class RunTests(Case):
    def test_jobs_on_pages_of_a_server(self) -> None:
        with server() as origin:
            found = list(webinspect.run(["links", "text --markdown"], [f"{origin}/a", f"{origin}/missing"]))
        self.assertEqual([result.id for result in found], [1, 2])
        self.assertEqual([result.status for result in found], [200, 404])
        self.assertEqual(found[0].url, f"{origin}/a")
        self.assertIn(f"{origin}/next", [link["url"] for link in found[0].results["links"]["links"]])
        self.assertIn("# Tea", found[0].results["text"]["markdown"])
        self.assertTrue(found[0].ok)
        assert found[1].error is not None
        self.assertEqual(found[1].error.code, "http.404")
        self.assertIn("text", found[1].results)

    def test_names_of_jobs_and_forms_of_sources(self) -> None:
        sources = [{"id": "tea", "html": "<h1>Tea</h1>", "base_url": "http://a.test/"}, {"id": 2, "nothing": 1}]
        first, second = webinspect.run({"heading": "select h1 --first"}, sources)
        self.assertEqual((first.id, first.url), ("tea", "http://a.test/"))
        self.assertEqual(first.results["heading"]["results"][0]["matches"][0]["text"], "Tea")
        assert second.error is not None
        self.assertEqual((second.id, second.error.code), (2, "input.form"))
        self.assertEqual(second.raw["error"]["code"], "input.form")

    def test_ids_are_any_json(self) -> None:
        ids = [None, True, 1.5, 10**40, "ä\ud800", "", [1, {"a": None}], {"b": []}, float("nan")]
        found = list(webinspect.run("meta", ({"id": one, "html": ""} for one in ids)))
        self.assertEqual([repr(result.id) for result in found], [repr(one) for one in ids])
        self.assertTrue(all(result.ok for result in found))

    def test_what_no_json_has_in_it_is_an_answer_or_raised(self) -> None:
        found = list(webinspect.run("meta", ["", "/\ud800", "a\nb", {"html": "\ud800"}, {"html": 3}]))
        self.assertEqual([result.id for result in found], [1, 2, 3, 4, 5])
        results = webinspect.run("meta", [{"html": ""}, {"html": b"bytes"}])
        self.assertTrue(next(results).ok)
        with self.assertRaises(TypeError):
            next(results)

    def test_huge_lines(self) -> None:
        sources = [{"html": "é" * (8 << 20)}, {"html": "a" * (64 << 20)}, {"html": "<title>b</title>"}]
        found = list(webinspect.run("text", sources))
        self.assertEqual(len(found[0].results["text"]["text"].strip()), 8 << 20)
        assert found[1].error is not None
        self.assertEqual(found[1].error.code, "input.line")
        self.assertTrue(found[2].ok)

    def test_ten_thousand_sources_are_read_lazily(self) -> None:
        read = 0
        ahead = 0

        def sources():
            nonlocal read
            for read in range(1, 10_001):
                yield {"html": f"<title>{read}</title>" + "x" * 2000}

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for count, result in enumerate(webinspect.run("meta", sources(), concurrency=4), 1):
            self.assertEqual(result.id, count)
            self.assertEqual(result.results["meta"]["titles"][0]["text"], str(count))
            ahead = max(ahead, read - count)
        self.assertEqual(count, 10_000)
        self.assertLessEqual(ahead, 4 * _run.AHEAD + 1)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 32 << 10)

    def test_a_slow_reader_holds_an_endless_source_back(self) -> None:
        counter = itertools.count()
        results = webinspect.run("meta", ({"html": str(next(counter))} for _ in itertools.repeat(0)), concurrency=2)
        next(results)
        time.sleep(0.3)
        self.assertLessEqual(next(counter), 2 * _run.AHEAD + 2)
        results.close()

    def test_early_ends_leave_nothing(self) -> None:
        endless = lambda: ({"html": ""} for _ in itertools.repeat(0))
        for _ in webinspect.run("meta", endless()):
            break
        with self.assertRaises(ZeroDivisionError):
            for _ in webinspect.run("meta", endless()):
                raise ZeroDivisionError
        with webinspect.run("meta", endless()) as results:
            next(results)
        self.assertEqual(list(results), [])
        lost = webinspect.run("meta", endless())
        next(lost)
        pid = lost.pid
        self.assertIn(pid, children())
        del lost
        gc.collect()
        self.assertTrue(eventually(lambda: not children()))
        never = webinspect.run("meta", endless())
        del never

    def test_two_at_once_and_two_threads_on_one(self) -> None:
        one = webinspect.run("meta", ({"id": ("a", i), "html": ""} for i in range(300)))
        two = webinspect.run("text", ({"id": ("b", i), "html": ""} for i in range(300)))
        for i, (first, second) in enumerate(zip(one, two)):
            self.assertEqual((first.id, second.id), (("a", i), ("b", i)))
        two.close()
        one.close()
        shared = webinspect.run("meta", ({"html": ""} for _ in range(500)))
        taken: "list[int]" = []
        workers = [threading.Thread(target=lambda: taken.extend(r.id for r in shared)) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(sorted(taken), list(range(1, 501)))

    def test_closing_from_another_thread_ends_who_waits(self) -> None:
        release = threading.Event()

        def sources():
            yield {"html": ""}
            release.wait()

        results = webinspect.run("meta", sources())
        next(results)
        closer = threading.Timer(0.2, results.close)
        closer.start()
        self.assertEqual(list(results), [])
        closer.join()
        release.set()

    def test_what_sources_raise_is_raised_behind_the_answers(self) -> None:
        def sources():
            yield {"html": ""}
            yield {"html": ""}
            raise LookupError("no more")

        results = webinspect.run("meta", sources())
        self.assertEqual([next(results).id, next(results).id], [1, 2])
        with self.assertRaisesRegex(LookupError, "no more"):
            next(results)
        self.assertEqual(list(results), [])

    def test_a_source_that_blocks_holds_no_answer_back(self) -> None:
        release = threading.Event()

        def sources():
            yield {"html": ""}
            release.wait()
            yield {"html": ""}

        results = webinspect.run("meta", sources())
        self.assertEqual(next(results).id, 1)
        release.set()
        self.assertEqual([result.id for result in results], [2])
        # Closed while a source blocks: the process ends, and is not waited for by the source; the thread ends once that comes back.
        release.clear()
        results = webinspect.run("meta", sources())
        next(results)
        results.close()
        self.assertEqual(children(), [])
        release.set()

    def test_bad_arguments(self) -> None:
        for selector in ("h1\0", "h1\ud800"):
            with self.subTest(selector), self.assertRaises(webinspect.UsageError):
                list(webinspect.run(f"select '{selector}'", ["x"]))
        for jobs in ("nope", "select h1[", "links --nope", {"a b": "links"}, []):
            with self.subTest(jobs), self.assertRaises(webinspect.UsageError):
                list(webinspect.run(jobs, ["x"]))
        with self.assertRaises(webinspect.UsageError):
            list(webinspect.run("links", [], options=["--nope"]))
        for option in ("--shard", "--run=links", "--all"):
            with self.assertRaises(webinspect.UsageError):
                webinspect.run("links", [], options=[option])
        with self.assertRaises(TypeError):
            webinspect.run("links", "https://example.com/")
        with self.assertRaises(webinspect.UsageError):
            webinspect.run("links", [], concurrency=0)

    def test_interrupted_it_ends_and_leaves_no_process(self) -> None:
        program = textwrap.dedent(
            """
            import itertools, os, sys, threading, signal
            import webinspect
            # Whoever runs tests in the background has it ignored.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            results = webinspect.run("meta", ({"html": ""} for _ in itertools.repeat(0)))
            next(results)
            try:
                with results:
                    print(results.pid, flush=True)
                    for result in results:
                        pass
            except KeyboardInterrupt:
                print(results.pid, [t.name for t in threading.enumerate() if t.name.startswith("webinspect")], flush=True)
            """
        )
        for _ in range(5):
            with started(
                [sys.executable, "-c", program],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PYTHONPATH": SOURCES},
            ) as child:
                assert child.stdout is not None
                pid = int(child.stdout.readline())
                time.sleep(random.random() * 0.2)
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.stdout.read(), "None []\n")
                self.assertEqual(child.wait(), 0)
            self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_what_a_signals_handler_raises_goes_through(self) -> None:
        def handler(*_: object) -> None:
            raise TimeoutError("alarm")

        former = signal.signal(signal.SIGALRM, handler)
        try:
            for number in range(30):
                results = webinspect.run("meta", ({"html": ""} for _ in itertools.repeat(0)), timeout=30)
                with self.assertRaisesRegex(TimeoutError, "alarm"), results:
                    signal.setitimer(signal.ITIMER_REAL, 0.001 + 0.003 * number)
                    for _ in results:
                        pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, former)

    def test_what_a_page_says_in_json_of_any_depth_and_length(self) -> None:
        def below(depth: int, work: "object") -> "list[webinspect.Result]":
            return below(depth - 1, work) if depth else work()  # type: ignore[operator]

        data = '<script type="application/ld+json">{}</script>'
        deep = data.format('{"a":[' * 200 + "1" + "]}" * 200)
        sources = [{"html": data.format('{"a":%s}' % ("1" * 10_000))}, {"html": deep}, {"html": ""}]
        self.assertEqual([r.error for r in webinspect.run("url", sources)], [None] * 3)
        # Where Python has little left of its stack, it is an answer too.
        left = sys.getrecursionlimit() - 150
        found = below(left, lambda: list(webinspect.run("url", sources)))
        self.assertEqual([r.error.code if r.error else None for r in found][::2], [None, None])

    def test_the_end_of_python_ends_the_process(self) -> None:
        program = textwrap.dedent(
            """
            import itertools, sys, threading, os
            import webinspect
            def sources():
                yield {"html": ""}
                threading.Event().wait()
            results = webinspect.run("meta", sources())
            next(results)
            print(results.pid, flush=True)
            {end}
            """
        )
        for end in ("", "sys.exit(3)", "os._exit(0)", "os.kill(os.getpid(), 9)"):
            with self.subTest(end):
                answer = run_program(
                    [sys.executable, "-c", program.replace("{end}", end)],
                    stdout=subprocess.PIPE,
                    env={**os.environ, "PYTHONPATH": SOURCES},
                    timeout=60,
                )
                pid = int(answer.stdout)
                self.assertTrue(eventually(lambda pid=pid: not os.path.exists(f"/proc/{pid}")))

    def test_forked_off_it_belongs_to_the_parent(self) -> None:
        results = webinspect.run("meta", ({"html": ""} for _ in range(2000)))
        next(results)
        pid = os.fork()
        if pid == 0:
            # What waits for it waits no longer than this.
            signal.alarm(300)
            status = 1
            try:
                try:
                    next(results)
                except RuntimeError:
                    results.close()
                    # Its own work goes on.
                    status = 0 if len(list(webinspect.run("meta", [{"html": ""}] * 3))) == 3 else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertEqual([result.id for result in results], list(range(2, 2001)))

    def test_environment(self) -> None:
        with stand_in() as path:
            with self.assertRaises(webinspect.UsageError):
                list(webinspect.run("links", ["a"], environment={"WEBINSPECT_NO_SUCH": "1"}, options=["--shard"]))
            found = list(webinspect.run("links", ["a"], binary=path, environment={"A": "1", "HOME": None}))
        self.assertEqual(len(found), 1)


class DeathTests(Case):
    def check(self, urls: "list[str]", poisoned: "set[int]", **options: object) -> "list[webinspect.Result]":
        with stand_in() as path:
            found = list(webinspect.run("links", urls, binary=path, **options))
        self.assertEqual([result.id for result in found], list(range(1, len(urls) + 1)))
        for index, result in enumerate(found):
            code = result.error.code if result.error else None
            self.assertEqual(code, "process.died" if index in poisoned else None, index)
        return found

    def test_a_poisoned_source_is_found_among_the_others(self) -> None:
        urls = ["a"] * 200
        for place, how in ((0, "die"), (77, "exit"), (78, "half"), (120, "garbage"), (150, "other"), (199, "die")):
            urls[place] = how
        found = self.check(urls, {0, 77, 78, 120, 150, 199})
        assert found[77].error is not None and found[0].error is not None
        self.assertIn("something broke", found[77].error.message)
        self.assertIn("SIGKILL", found[0].error.message)

    def test_nothing_but_poison(self) -> None:
        self.check(["die"] * 6, set(range(6)), concurrency=2)

    def test_what_never_answers_is_dead_after_the_timeout(self) -> None:
        self.check(["a", "stop", "a"], {1}, timeout=0.5)

    def test_a_flood_on_standard_error(self) -> None:
        self.check(["a", "flood", "a"], set())
        tail = _process.Tail(10)
        for _ in range(100):
            tail.append(b"abcdef")
        self.assertEqual(tail.text, "cdefabcdef")

    def test_a_hang_at_the_end(self) -> None:
        with mock.patch.object(_run, "END_TIME", 0.3), stand_in(after="time.sleep(60)") as path:
            self.assertEqual(len(list(webinspect.run("links", ["a"] * 3, binary=path))), 3)
        ignoring = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
        with mock.patch.object(_run, "END_TIME", 0.3), stand_in(before=ignoring, after="time.sleep(60)") as path:
            self.assertEqual(len(list(webinspect.run("links", ["a"] * 3, binary=path))), 3)

    def test_death_at_the_start_is_raised(self) -> None:
        with stand_in(before="os.kill(os.getpid(), 11)") as path:
            with self.assertRaisesRegex(webinspect.ProcessDied, "SIGSEGV"):
                list(webinspect.run("links", ["a"] * 3, binary=path))
        with stand_in(before="print('hello'); sys.exit(0)") as path:
            with self.assertRaises(webinspect.ProcessDied):
                list(webinspect.run("links", ["a"] * 3, binary=path))

    def test_killed_at_random_moments_each_is_answered_once(self) -> None:
        chance = random.Random(7)
        kills = blamed = 0
        for _ in range(12):
            total = chance.randrange(200, 1200)
            results = webinspect.run("links", ({"html": f"<a href=/{i}>x</a>" * 20} for i in range(total)))
            done = threading.Event()

            def killer(results: webinspect.Results = results, done: threading.Event = done) -> None:
                nonlocal kills
                while not done.wait(chance.random() * 0.1):
                    kills += kill(results)

            thread = threading.Thread(target=killer)
            thread.start()
            ids = []
            try:
                for result in results:
                    ids.append(result.id)
                    if result.error is None:
                        self.assertEqual(result.results["links"]["links"][0]["reference"], f"/{result.id - 1}")
                    else:
                        self.assertEqual(result.error.code, "process.died")
                        blamed += 1
            finally:
                done.set()
                thread.join()
            self.assertEqual(ids, list(range(1, total + 1)))
        self.assertGreater(kills, 12)
        self.assertLessEqual(blamed, kills)

    def test_killed_while_there_is_nothing_to_do(self) -> None:
        release = threading.Event()

        def sources():
            yield {"html": ""}
            release.wait()
            yield {"html": ""}

        results = webinspect.run("meta", sources())
        next(results)
        self.assertTrue(kill(results))
        threading.Timer(0.3, release.set).start()
        last = next(results)
        self.assertTrue(last.ok, last)
        self.assertEqual(list(results), [])


if __name__ == "__main__":
    unittest.main()
