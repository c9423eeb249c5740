from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import webinspect
from webinspect import _errors
from support import BINARY, run_program, server, stand_in, started
from test_run import SOURCES, Case


class PageTests(Case):
    def test_a_page_answers_without_asking_the_server_again(self) -> None:
        with server() as origin:
            page = webinspect.load(f"{origin}/a", no_store=True)
        self.assertEqual((page.url, page.status, page.title), (f"{origin}/a", 200, "Page /a"))
        self.assertIn(("Content-Type", "text/html; charset=utf-8"), page.headers)
        self.assertTrue(page.body.startswith(b"<!doctype"))
        self.assertEqual(page.links[0]["url"], f"{origin}/next")
        self.assertEqual(page.metadata["descriptions"][0]["text"] if "descriptions" in page.metadata else "A page.", "A page.")
        self.assertIn("It's 2.50", page.text)
        self.assertIn("# Tea", page.markdown)
        self.assertEqual(page.tables[0]["rows"], [["Tea", "2.50"]])
        self.assertEqual(page.report["compat_mode"], "CSS1Compat")
        self.assertEqual([match["text"] for match in page.select("p.price")], ["It's 2.50"])
        self.assertEqual(len(page.select("//p[.=\"It's 2.50\"]", xpath=True)), 1)
        self.assertEqual(page.select("h1", html=True)[0]["html"], "<h1>Tea</h1>")
        self.assertEqual(page.select("nothing"), [])
        self.assertEqual(page.extract({"title": "h1", "links[]": "a@url:href"}), {"title": "Tea", "links": [f"{origin}/next"]})
        self.assertEqual(page.ask("links --external")["links"], [])

    def test_bytes_status_and_encoding_are_kept(self) -> None:
        with server() as origin:
            page = webinspect.load(f"{origin}/latin1", no_store=True)
            missing = webinspect.load(f"{origin}/missing", no_store=True)
            with self.assertRaises(webinspect.WebinspectError) as raised:
                webinspect.load(f"{origin}/missing", no_store=True, fail=True)
            other = webinspect.load(f"{origin}/latin1", no_store=True, encoding="koi8-r")
        self.assertEqual((page.title, page.body), ("ä", b"<title>\xe4</title>"))
        self.assertEqual(other.title, "Д")
        self.assertEqual((missing.status, missing.title), (404, "Not here"))
        self.assertEqual(raised.exception.code, "http.status")

    def test_the_cache(self) -> None:
        with tempfile.TemporaryDirectory() as folder, server() as origin:
            with self.assertRaises(webinspect.CacheMiss):
                webinspect.load(f"{origin}/a", cache_dir=folder, cache_only=True)
            webinspect.load(f"{origin}/a", cache_dir=folder, keep=True)
            self.assertEqual(webinspect.load(f"{origin}/a", cache_dir=folder, cache_only=True).title, "Page /a")

    def test_files_and_html(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a page.html")
            with open(path, "wb") as file:
                file.write(b"<meta charset=koi8-r><title>\xc1</title>")
            self.assertEqual(webinspect.load(path).title, "а")
        self.assertEqual(webinspect.load("data:text/html,<title>a</title>").title, "a")
        page = webinspect.Page.from_html("<meta charset=koi8-r><title>ä</title><a href=b>c</a>", "http://a.test/")
        self.assertEqual((page.title, page.links[0]["url"]), ("ä", "http://a.test/b"))
        self.assertEqual(webinspect.Page.from_html(b"<meta charset=koi8-r><title>\xc1</title>").title, "а")
        self.assertEqual(webinspect.Page.from_html("").text.strip(), "")
        with self.assertRaises(webinspect.UsageError):
            webinspect.Page.from_html("", timeout=3)

    def test_what_a_recipe_finds_wrong(self) -> None:
        page = webinspect.Page.from_html("<h1>Tea</h1>")
        with tempfile.TemporaryDirectory() as folder:
            recipe = pathlib.Path(folder, "recipe.yaml")
            recipe.write_text("version: 1\nfields:\n  a: {select: h2, required: true}\n  b: h1\n  c: {select: h3, required: true}\n")
            with self.assertRaises(webinspect.ExtractionError) as raised:
                page.extract(recipe)
            error = raised.exception
            self.assertIsInstance(error, webinspect.ContentError)
            self.assertEqual((error.code, [one["rule"] for one in error.errors]), ("rule.drift", ["a", "c"]))
            self.assertEqual(str(error), "a: required, but found nothing; and 1 more (rule.drift)")
            self.assertEqual(error.data, {"a": None, "b": "Tea", "c": None})
            self.assertEqual(page.extract(recipe, strict=False), error.data)

    def test_errors_name_arguments(self) -> None:
        with self.assertRaises(webinspect.UsageError) as raised:
            webinspect.load("data:,x", max_time="soon")
        self.assertEqual(raised.exception.message, "max_time soon: not a number of seconds")

    def test_a_page_has_a_short_name(self) -> None:
        page = webinspect.Page.from_html("x", "http://h.test/" + "a" * 1000)
        self.assertLess(len(repr(page)), 130)

    def test_errors_are_exceptions(self) -> None:
        def code(work: object) -> "tuple[type, str]":
            with self.assertRaises(webinspect.WebinspectError) as raised:
                work()  # type: ignore[operator]
            self.assertIn(raised.exception.code, str(raised.exception))
            return type(raised.exception), raised.exception.code

        page = webinspect.Page.from_html("<p>a")
        cases = [
            (lambda: webinspect.load("http://127.0.0.1:1/"), webinspect.NetworkError, "network.connect"),
            (lambda: webinspect.load("/nothing/here"), webinspect.WebinspectError, "file.not-found"),
            (lambda: webinspect.load("gopher://a/"), webinspect.UsageError, "url.unsupported"),
            (lambda: webinspect.load("a", no_such_flag=1), webinspect.UsageError, "usage"),
            (lambda: webinspect.load("a", output="b"), webinspect.UsageError, "usage"),
            (lambda: webinspect.load(__file__, max_filesize=3), webinspect.LimitError, "limit.size"),
            (lambda: page.select("h1["), webinspect.UsageError, "selector.invalid"),
            (lambda: page.select("//[", xpath=True), webinspect.UsageError, "xpath.invalid"),
            (lambda: page.extract({"a": "h1["}), webinspect.UsageError, "rule.invalid"),
            (lambda: page.extract("/no/recipe.yaml"), webinspect.WebinspectError, "file.not-found"),
            (lambda: page.ask("nope"), webinspect.UsageError, "usage"),
        ]
        for number, (work, kind, word) in enumerate(cases):
            with self.subTest(number):
                self.assertEqual(code(work), (kind, word))
        # The page is as it was.
        self.assertEqual(page.text.strip(), "a")

    def test_codes_have_their_classes(self) -> None:
        for word, status, kind in [
            ("network.decoding", None, webinspect.ContentError),
            ("network.dns", None, webinspect.NetworkError),
            ("archive.miss", None, webinspect.CacheMiss),
            ("budget.time", None, webinspect.LimitError),
            ("something.new", 6, webinspect.LimitError),
            ("something.new", None, webinspect.WebinspectError),
            ("http.404", None, webinspect.WebinspectError),
            ("process.died", None, webinspect.ProcessDied),
        ]:
            self.assertIs(_errors.error_class(word, status), kind)

    def test_a_page_that_ends_the_process(self) -> None:
        with stand_in() as path:
            page = webinspect.Page.from_html("", "die", binary=path)
            with mock.patch("webinspect._page.run") as run:
                run.side_effect = lambda jobs, sources, **rest: webinspect.run(
                    "links", ["die"], binary=rest["binary"], concurrency=1
                )
                with self.assertRaises(webinspect.ProcessDied):
                    _ = page.text


class BinaryTests(Case):
    def test_missing_not_executable_of_another_version(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "webinspect")
            with self.assertRaisesRegex(webinspect.BinaryError, "binary.missing"):
                webinspect.run("links", [], binary=path)
            with mock.patch.dict(os.environ, {"PATH": folder}):
                del os.environ["WEBINSPECT"]
                with self.assertRaisesRegex(webinspect.BinaryError, "not on PATH"):
                    webinspect.load("a")
            with open(path, "w", encoding="ascii") as file:
                file.write("no program")
            with self.assertRaisesRegex(webinspect.BinaryError, "binary.permission"):
                webinspect.run("links", [], binary=path)
            os.chmod(path, 0o755)
            with self.assertRaisesRegex(webinspect.BinaryError, "binary.unusable"):
                webinspect.run("links", [], binary=path)
        major, minor, _ = webinspect.__version__.split(".")
        with stand_in(version=f"{major}.{int(minor) + 1}.0") as path:
            message = f"version {major}.{int(minor) + 1}.0, and this package {webinspect.__version__}"
            with self.assertRaisesRegex(webinspect.BinaryError, re.escape(message)):
                webinspect.run("links", [], binary=path)
        with stand_in(version=f"{major}.{minor}.77") as path:
            self.assertEqual(list(webinspect.run("links", [], binary=path)), [])

    def test_a_name_is_never_looked_for_in_the_current_folder(self) -> None:
        with stand_in() as path:
            folder, name = os.path.split(path)
            before = os.getcwd()
            os.chdir(folder)
            try:
                for value in ("/nowhere", "", ".", f":/nowhere:.:{os.pardir}/{os.path.basename(folder)}"):
                    with mock.patch.dict(os.environ, {"PATH": value, "WEBINSPECT": name}):
                        for binary in (None, name):
                            with self.assertRaisesRegex(webinspect.BinaryError, "binary.missing"):
                                webinspect.run("links", [], binary=binary)
                        self.assertEqual(list(webinspect.run("links", [], binary=f"./{name}")), [])
            finally:
                os.chdir(before)

    def test_found_on_path_and_by_the_variable(self) -> None:
        with stand_in() as path:
            with mock.patch.dict(os.environ, {"PATH": os.path.dirname(path)}):
                self.assertEqual(webinspect.find(), BINARY)
                del os.environ["WEBINSPECT"]
                self.assertEqual(webinspect.find(), path)
                self.assertEqual(webinspect.find("webinspect"), path)

    def test_the_module_becomes_the_program(self) -> None:
        environment = {**os.environ, "PYTHONPATH": SOURCES}
        command = [sys.executable, "-m", "webinspect"]
        answer = run_program([*command, "--version"], env=environment, stdout=subprocess.PIPE)
        self.assertEqual(answer.returncode, 0)
        self.assertTrue(answer.stdout.startswith(b"webinspect " + webinspect.__version__.encode()))
        answer = run_program(
            [*command, "select", "h1", "-"], env=environment, stdout=subprocess.PIPE, input=b"<h1>a</h1>"
        )
        self.assertEqual((answer.returncode, answer.stdout), (0, b"a\n"))
        answer = run_program([*command, "select", "h2", "-"], env=environment, stdout=subprocess.PIPE, input=b"<h1>a")
        self.assertEqual(answer.returncode, 1)
        with started([*command, "pipe", "--run", "meta"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdin and child.stdout
            child.stdin.write(b'{"html":""}\n')
            child.stdin.flush()
            child.stdout.readline()
            child.terminate()
            self.assertEqual(child.wait(), -15)
        answer = run_program(command, env={**environment, "WEBINSPECT": "/no"}, stderr=subprocess.PIPE)
        self.assertEqual(answer.returncode, 70)
        self.assertIn(b"binary.missing", answer.stderr)

    def test_the_version_is_the_projects(self) -> None:
        path = os.path.join(os.path.dirname(os.path.dirname(SOURCES)), "Sources/WebStandards/Support/WebLoaderVersion.swift")
        with open(path, encoding="utf-8") as file:
            self.assertIn(f'"{webinspect.__version__}"', file.read())


if __name__ == "__main__":
    unittest.main()
