"""One page, and questions about it."""

from __future__ import annotations

import base64
import json
import os
import re
import tempfile
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._binary import checked, surroundings
from ._errors import ExtractionError, ProcessDied, UsageError, WebinspectError, error_class, make_error
from ._process import Process
from ._run import END_TIME, run

# Flags that say how a page is read; they go to the questions, not to the load.
_READING = {"base-url", "mime", "encoding", "parser", "max-depth", "max-nodes", "max-tree-memory"}
# Flags that go to both.
_BOTH = {"max-filesize"}
# Fields that were true of the bytes on their way.
_ON_THE_WAY = {"content-encoding", "content-length", "transfer-encoding"}
# What would change what load() reads.
_REFUSED = {"json", "output", "head", "help", "version", "explain"}


def _flags(options: Mapping[str, Any]) -> Tuple[List[str], List[str]]:
    loading: List[str] = []
    reading: List[str] = []
    for name, value in options.items():
        word = name.strip("_").replace("_", "-")
        if word in _REFUSED or len(word) < 2:
            raise UsageError("usage", f"{name}: it cannot be an option of load()")
        values = value if isinstance(value, (list, tuple)) else [value]
        flags: List[str] = []
        for one in values:
            if one is True:
                flags.append(f"--{word}")
            elif one is not False and one is not None:
                flags += [f"--{word}", os.fspath(one) if isinstance(one, os.PathLike) else str(one)]
        if word not in _READING:
            loading += flags
        if word in _READING or word in _BOTH:
            reading += flags
    return loading, reading


def _record(url: str, status: Optional[int], headers: Sequence[Sequence[str]], body: bytes, version: str) -> bytes:
    """A page as a record of a WARC, which keeps its bytes, its fields and its status."""
    if status is not None:
        lines = [f"HTTP/{version if version in ('1.0', '1.1') else '1.1'} {status} "]
        lines += [f"{name}: {value}" for name, value in headers if name.lower() not in _ON_THE_WAY]
        lines.append(f"Content-Length: {len(body)}")
        block = "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body
        kind, media_type = "response", "application/http;msgtype=response"
    else:
        block = body
        named = [value for name, value in headers if name.lower() == "content-type"]
        kind, media_type = "resource", named[0] if named else "application/octet-stream"
    head = (
        "WARC/1.1\r\n"
        f"WARC-Type: {kind}\r\n"
        f"WARC-Target-URI: {url}\r\n"
        f"WARC-Date: {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
        f"Content-Type: {media_type}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode("utf-8", "surrogateescape") + block + b"\r\n\r\n"


class Page:
    """A page that is there: its bytes are kept, and nothing is asked for again.

    Each question is answered by a process of its own, which is given the bytes; a page that ends it raises ``ProcessDied``,
    and the page can be asked again. What was asked once is kept. Pages may be used by several threads.
    """

    def __init__(
        self,
        url: Optional[str],
        status: Optional[int],
        headers: Sequence[Sequence[str]],
        body: bytes,
        *,
        http_version: str = "1.1",
        reading: Sequence[str] = (),
        binary: Union[str, "os.PathLike[str]", None] = None,
        environment: Optional[Mapping[str, Optional[str]]] = None,
    ) -> None:
        #: The URL that answered, after redirects.
        self.url = url
        #: HTTP's status; None for what did not come by HTTP.
        self.status = status
        #: The response's fields, in their order.
        self.headers: List[Tuple[str, str]] = [(str(name), str(value)) for name, value in headers]
        #: The bytes, their content coding undone.
        self.body = body
        self._http_version = http_version
        self._reading = list(reading)
        self._binary = binary
        self._environment = environment
        self._answers: Dict[str, Any] = {}

    @classmethod
    def from_html(
        cls,
        html: Union[str, bytes],
        base_url: Optional[str] = None,
        *,
        binary: Union[str, "os.PathLike[str]", None] = None,
        environment: Optional[Mapping[str, Optional[str]]] = None,
        **options: Any,
    ) -> "Page":
        """A page of HTML that is there already. Of bytes, the encoding is found as a browser finds it."""
        loading, reading = _flags(options)
        others = [flag for flag in loading if flag.startswith("--") and flag[2:] not in _BOTH]
        if others:
            raise UsageError("usage", f"{others[0]}: nothing is loaded")
        if isinstance(html, str):
            body, media_type = html.encode("utf-8", "replace"), "text/html; charset=utf-8"
        else:
            body, media_type = bytes(html), "text/html"
        return cls(
            base_url, None, [("Content-Type", media_type)], body,
            reading=reading, binary=binary, environment=environment,
        )  # fmt: skip

    # Questions

    def ask(self, job: str) -> Any:
        """The answer to a job as ``run`` takes it, like ``"links --internal"``; raises its error."""
        if job in self._answers:
            return self._answers[job]
        answer = self._ask({"answer": job})["answer"]
        self._answers[job] = answer
        return answer

    def _ask(self, jobs: Mapping[str, str]) -> Dict[str, Any]:
        url = self.url or "about:blank"
        if any(character in url for character in "\r\n"):
            raise UsageError("url.invalid", "a URL has no line feeds")
        record = _record(url, self.status, self.headers, self.body, self._http_version)
        with tempfile.TemporaryFile() as file:
            file.write(record)
            file.flush()
            place = {"warc": f"/dev/fd/{file.fileno()}", "offset": 0, "length": len(record)}
            with run(
                jobs, [place], concurrency=1, options=self._reading, binary=self._binary,
                environment=self._environment, _pass_fds=[file.fileno()],
            ) as results:  # fmt: skip
                result = next(results)
        error = result.error
        # A page that came with a status like 404 is a page.
        if error is not None and not (error.code.startswith("http.") and error.job is None):
            if error.job is not None or not all(name in result.results for name in jobs):
                result.raise_for_error()
        for name in jobs:
            if name not in result.results:
                result.raise_for_error()
                raise ProcessDied("process.died", "there is no answer")
        return result.results

    @property
    def report(self) -> Dict[str, Any]:
        """All that is found on the page, as ``webinspect SOURCE --json`` has it without times and the cache."""
        return self.ask("url")  # type: ignore[no-any-return]

    @property
    def title(self) -> Optional[str]:
        """The title; None where there is none."""
        return self.report.get("title")

    @property
    def links(self) -> List[Dict[str, Any]]:
        """Every reference of the page, in its order, absolute."""
        return self.report.get("links", [])  # type: ignore[no-any-return]

    @property
    def metadata(self) -> Dict[str, Any]:
        """What the page and its response say of the page."""
        return self.report.get("metadata", {})  # type: ignore[no-any-return]

    @property
    def text(self) -> str:
        """What there is to read, as plain text."""
        return str(self.ask("text")["text"])

    @property
    def markdown(self) -> str:
        """What there is to read, as Markdown."""
        return str(self.ask("text")["markdown"])

    @property
    def tables(self) -> List[Dict[str, Any]]:
        """The tables, with their cells."""
        return self.ask("tables")["tables"]  # type: ignore[no-any-return]

    def select(self, selector: str, *, xpath: bool = False, html: bool = False) -> List[Dict[str, Any]]:
        """What a CSS selector, or an XPath expression, matches; with ``html``, each with its markup."""
        words = ["select", "-e", f"answer={selector}"]
        if xpath:
            words.append("--xpath")
        if html:
            words.append("--html")
        return self.ask(_line(words))["results"][0].get("matches", [])  # type: ignore[no-any-return]

    def extract(self, recipe: Union[str, "os.PathLike[str]", Mapping[str, str]], *, strict: bool = True) -> Any:
        """What a recipe takes off the page: the path of one, or a mapping of fields to what they are, as of ``-e``.

        What its rules find wrong, as a required field that is not there, raises ``ExtractionError``, which has what was taken in
        ``data``; with ``strict=False`` that is returned.
        """
        words = ["extract"]
        if isinstance(recipe, Mapping):
            for name, expression in recipe.items():
                words += ["-e", f"{name}={expression}"]
        else:
            words += ["-r", os.fspath(recipe)]
        # A recipe's file may be another the next time.
        job = _line(words)
        answer = self._ask({"answer": job})["answer"]
        errors, data = answer.get("errors") or [], answer.get("data")
        if errors and strict:
            first = errors[0]
            message = f"{first.get('rule')}: {first.get('message')}"
            if len(errors) > 1:
                message += f"; and {len(errors) - 1} more"
            raise ExtractionError(str(first.get("code")), message, errors, data)
        return data

    def __repr__(self) -> str:
        url = self.url if self.url is None or len(self.url) <= 80 else self.url[:79] + "…"
        return f"<webinspect.Page {url!r}, {len(self.body)} bytes>"


def _line(words: Sequence[str]) -> str:
    """Words as a shell would take them: in single quotes."""
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)


def load(
    url: Union[str, "os.PathLike[str]"],
    *,
    binary: Union[str, "os.PathLike[str]", None] = None,
    environment: Optional[Mapping[str, Optional[str]]] = None,
    **options: Any,
) -> Page:
    """Loads a page: a URL (http, https, file, data) or a path.

    Options are the flags of ``webinspect fetch`` and those of reading a page, with ``_`` for ``-``: ``max_time=5``,
    ``cache_only=True``, ``header=["A: b"]``, ``encoding="koi8-r"``. What goes wrong is raised; an HTTP status from 400 on
    only with ``fail=True``.
    """
    try:
        return _load(url, binary, environment, options)
    except UsageError as error:
        raise UsageError(error.code, _naming(options, error.message)) from None


def _naming(options: Mapping[str, Any], message: str) -> str:
    """What is wrong with a flag, by the name of the argument that it was given by."""
    for name in options:
        word = name.strip("_").replace("_", "-")
        message = re.sub(rf"--{re.escape(word)}(?![\w-])", lambda _, name=name: name, message)
    return message


def _load(
    url: Union[str, "os.PathLike[str]"],
    binary: Union[str, "os.PathLike[str]", None],
    environment: Optional[Mapping[str, Optional[str]]],
    options: Mapping[str, Any],
) -> Page:
    loading, reading = _flags(options)
    path = checked(binary, environment)
    process = Process([path, "fetch", "--json", *loading, "--", os.fspath(url)], surroundings(environment))
    pieces: List[bytes] = []
    try:
        process.open()
        process.close_input()
        while True:
            line = process.read(None, None)
            if line:
                pieces.append(line)
    except EOFError:
        process.wait(END_TIME)
    finally:
        process.end()
        process.close()
    answer: Any = None
    try:
        answer = json.loads(b"\n".join(pieces))
    except ValueError:
        pass
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        error = answer["error"]
        message = str(error.get("message"))
        subject = str(error.get("subject") or os.fspath(url))
        if not message.startswith(subject):
            message = f"{subject}: {message}"
        raise make_error(str(error.get("code")), message, process.status)
    if process.status != 0 and not (process.status == 4 and isinstance(answer, dict)):
        raise _said(process)
    if not isinstance(answer, dict):
        raise ProcessDied("process.died", f"webinspect gave no answer: {process.death}")
    if process.status == 4:
        raise _said(process)
    body = answer.get("body")
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else base64.b64decode(answer["body_base64"])
    return Page(
        answer.get("url"), answer.get("status"), answer.get("headers", []), content,
        http_version=str(answer.get("http_version", "1.1")),
        reading=reading, binary=binary, environment=environment,
    )  # fmt: skip


def _said(process: Process) -> WebinspectError:
    """What a process said as it failed."""
    status, line = process.status, process.tail.last_line
    if status is None or status < 0:
        return ProcessDied("process.died", f"webinspect died: {process.death}")
    if line.startswith("webinspect: ") and line.endswith(")") and " (" in line:
        message, code = line[len("webinspect: ") : -1].rsplit(" (", 1)
        return error_class(code, status)(code, message)
    codes = {2: "usage", 4: "http.status", 7: "parse"}
    return make_error(codes.get(status, "internal"), line or process.death, status)
