"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Type


class WebinspectError(Exception):
    """Something went wrong. ``code`` is stable, for programs; ``message`` is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class NetworkError(WebinspectError):
    """The network, TLS or a time-out of it."""


class LimitError(WebinspectError):
    """A limit of size, count, depth or time, or a recipe's budget."""


class CacheMiss(WebinspectError):
    """It is not in the cache, or not in the archives, and the network may not be asked."""


class ContentError(WebinspectError):
    """The content could not be decoded or parsed as asked, or a rule failed."""


class ExtractionError(ContentError):
    """Rules of a recipe found something wrong. ``errors`` has all of it, each with its rule, code and message; ``data`` is what the recipe
    took all the same."""

    def __init__(self, code: str, message: str, errors: Sequence[Mapping[str, Any]] = (), data: Any = None) -> None:
        super().__init__(code, message)
        self.errors = list(errors)
        self.data = data


class UsageError(WebinspectError):
    """A bad flag, job, selector, URL or recipe."""


class BinaryError(WebinspectError):
    """The program ``webinspect`` is missing, cannot be run, or has another version."""


class ProcessDied(WebinspectError):
    """The process ended where it should not have."""


_BY_STATUS = {2: UsageError, 3: NetworkError, 5: CacheMiss, 6: LimitError, 7: ContentError}

# Codes whose first word does not say it.
_BY_CODE = {
    "network.decoding": ContentError,
    "archive.miss": CacheMiss,
    "parse.size": LimitError,
    "selector.limit": LimitError,
    "xpath.limit": LimitError,
    "form.limit": LimitError,
    "sitemap.limit": LimitError,
    "input.line": LimitError,
    "rule.invalid": UsageError,
    "file.path": UsageError,
}
_BY_WORD = {
    "network": NetworkError,
    "limit": LimitError,
    "budget": LimitError,
    "cache": CacheMiss,
    "parse": ContentError,
    "archive": ContentError,
    "select": ContentError,
    "rule": ContentError,
    "usage": UsageError,
    "url": UsageError,
    "request": UsageError,
    "selector": UsageError,
    "xpath": UsageError,
    "config": UsageError,
    "input": UsageError,
    "binary": BinaryError,
    "process": ProcessDied,
}


def error_class(code: str, status: Optional[int] = None) -> Type[WebinspectError]:
    """The exception for a code; an exit status, where there is one, says it more exactly."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return _BY_CODE.get(code) or _BY_WORD.get(code.split(".")[0]) or WebinspectError


def make_error(code: str, message: str, status: Optional[int] = None) -> WebinspectError:
    """An exception of the class for a code."""
    return error_class(code, status)(code, message)
