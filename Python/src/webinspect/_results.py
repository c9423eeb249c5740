"""What ``run`` yields."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Optional

from ._errors import make_error


@dataclass(frozen=True)
class Error:
    """Why something is missing. ``code`` is stable, ``message`` for people; ``job`` names the job that failed, if one did."""

    code: str
    message: str
    job: Optional[str] = None


@dataclass(frozen=True)
class Result:
    """The answer to one source."""

    #: The source's own, else its number, from 1.
    id: Any
    #: The URL that answered, after redirects, else the one that was asked for.
    url: Optional[str]
    #: HTTP's status.
    status: Optional[int]
    #: What each job found, by the job's name. There may be results beside an error.
    results: Dict[str, Any]
    error: Optional[Error]
    #: The answer as the program gave it.
    raw: Dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.error is None

    def raise_for_error(self) -> None:
        """Raises the error, if there is one."""
        if self.error is not None:
            raise make_error(self.error.code, self.error.message)


def _integer(text: str) -> Any:
    # Python refuses integers of thousands of digits; a page may have one.
    try:
        return int(text)
    except ValueError:
        return float(text)


def parse(line: bytes) -> Any:
    """Reads JSON, whatever numbers are in it."""
    text = line.decode("utf-8")
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text, parse_int=_integer)


def result(identity: Any, answer: Dict[str, Any]) -> Result:
    """Makes a result of an answer to what ``identity`` is the ID of."""
    raw = dict(answer)
    raw["id"] = identity
    error = None
    given = answer.get("error")
    if isinstance(given, dict):
        job = given.get("job")
        error = Error(str(given.get("code", "")), str(given.get("message", "")), job if isinstance(job, str) else None)
    results = answer.get("results")
    return Result(
        id=identity,
        url=answer.get("url"),
        status=answer.get("status"),
        results=results if isinstance(results, dict) else {},
        error=error,
        raw=raw,
    )


def failed(identity: Any, url: Optional[str], code: str, message: str) -> Result:
    """A result that is an error of ours."""
    return result(
        identity,
        {"id": None, "url": url, "status": None, "results": {}, "error": {"code": code, "message": message}},
    )
