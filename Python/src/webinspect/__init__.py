"""Load web pages as a browser would, and take them apart.

``run`` does jobs on many pages, by one process that is kept; ``load`` loads one page and answers questions about it.
"""

from __future__ import annotations

from ._binary import find
from ._errors import (
    BinaryError,
    CacheMiss,
    ContentError,
    ExtractionError,
    LimitError,
    NetworkError,
    ProcessDied,
    UsageError,
    WebinspectError,
)
from ._page import Page, load
from ._results import Error, Result
from ._run import Results, run
from ._version import __version__

__all__ = [
    "BinaryError",
    "CacheMiss",
    "ContentError",
    "Error",
    "ExtractionError",
    "LimitError",
    "NetworkError",
    "Page",
    "ProcessDied",
    "Result",
    "Results",
    "UsageError",
    "WebinspectError",
    "__version__",
    "find",
    "load",
    "run",
]
