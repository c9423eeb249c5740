from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import unittest

import webinspect
from support import server
from test_run import SOURCES, Case

PROJECT = os.path.dirname(os.path.dirname(SOURCES))


class DocumentationTests(Case):
    """The examples of the documents are run, with a server that stands in for example.com."""

    def run_examples(self, path: str) -> str:
        with open(os.path.join(PROJECT, path), encoding="utf-8") as file:
            examples = re.findall(r"^```python\n(.*?)^```", file.read(), re.S | re.M)
        self.assertGreater(len(examples), 0)
        said = io.StringIO()
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, server() as origin, contextlib.redirect_stdout(said):
            os.chdir(folder)
            try:
                names: "dict[str, object]" = {"webinspect": webinspect}
                for example in examples:
                    exec(compile(example.replace("https://example.com", origin), path, "exec"), names)
            finally:
                os.chdir(before)
        return said.getvalue()

    def test_python_md(self) -> None:
        said = self.run_examples("docs/python.md")
        self.assertIn("Page /\n", said)
        self.assertIn("3 file.not-found\n", said)
        self.assertIn("tea https://shop.example/ 0\n", said)
        self.assertIn("cache.miss\n", said)

    def test_readme(self) -> None:
        self.assertIn("Page / 1\n", self.run_examples("Python/README.md"))


if __name__ == "__main__":
    unittest.main()
