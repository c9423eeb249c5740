"""Finding the program, and looking whether its version fits."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from typing import Dict, Mapping, Optional, Tuple, Union

from ._errors import BinaryError
from ._version import __version__

# How long `webinspect --version` may take, in seconds.
VERSION_TIME = 30.0

# What has been looked at: a path with its time and size, and its version.
_known: Dict[Tuple[str, int, int], str] = {}


def _candidates(binary: Union[str, "os.PathLike[str]", None]) -> Tuple[str, str]:
    if binary is not None:
        return os.fspath(binary), "the argument `binary`"
    named = os.environ.get("WEBINSPECT")
    if named:
        return named, "$WEBINSPECT"
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "webinspect")
    if os.path.exists(inside):
        return inside, "the package"
    archive = getattr(globals().get("__loader__"), "archive", None)
    if archive is not None:
        return _unpacked(archive), f"the package in {archive}"
    return _on_path("webinspect"), "PATH"


def _on_path(name: str) -> str:
    """The path of a program in one of the folders of PATH that are absolute; empty if it is in none of them."""
    # An empty or a relative folder of PATH is whatever folder the process is in: who may write there must not choose the program.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders))) or ""


def _unpacked(archive: str) -> str:
    """The program of a package that Python imports from a ZIP file, as Spark's executors do: unpacked beside that file, once."""
    import tempfile
    import zipfile

    try:
        status = os.stat(archive)
        folder = f"{archive}.{status.st_mtime_ns:x}.{status.st_size:x}"
        if not os.path.isdir(folder):
            unfinished = tempfile.mkdtemp(prefix=".webinspect-", dir=os.path.dirname(archive))
            try:
                with zipfile.ZipFile(archive) as file:
                    for name in file.namelist():
                        if re.fullmatch(r"webinspect/bin/[a-z-]+", name):
                            os.chmod(file.extract(name, unfinished), 0o755)
                # Several processes may be here at once, of which one is the first.
                with contextlib.suppress(OSError):
                    os.rename(unfinished, folder)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    except (OSError, zipfile.BadZipFile) as error:
        raise BinaryError("binary.missing", f"the program cannot be unpacked beside {archive}: {error}") from None
    program = os.path.join(folder, "webinspect", "bin", "webinspect")
    return program if os.path.exists(program) else _on_path("webinspect")


def find(binary: Union[str, "os.PathLike[str]", None] = None) -> str:
    """The path of the program: ``binary``, else $WEBINSPECT, else that of the package, else that of PATH.

    A name without a slash is looked for on PATH alone, and never in the current folder, whatever PATH says.
    """
    path, origin = _candidates(binary)
    if not path:
        raise BinaryError(
            "binary.missing",
            "there is no program `webinspect`: not in $WEBINSPECT, not in this package, not on PATH",
        )
    if os.sep not in path:
        name, path = path, _on_path(path)
        if not path:
            raise BinaryError("binary.missing", f"{name}, from {origin}, is not on PATH")
    path = os.path.abspath(path)
    if not os.path.exists(path):
        raise BinaryError("binary.missing", f"{path}, from {origin}, is not there")
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        raise BinaryError("binary.permission", f"{path}, from {origin}, is not an executable file")
    return path


def surroundings(environment: Optional[Mapping[str, Optional[str]]]) -> Optional[Dict[str, str]]:
    """The environment of this process with changes: None takes a variable away."""
    if environment is None:
        return None
    result = dict(os.environ)
    for name, value in environment.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = value
    return result


def _minor(version: str) -> Tuple[str, ...]:
    return tuple(version.split(".")[:2])


def checked(
    binary: Union[str, "os.PathLike[str]", None] = None,
    environment: Optional[Mapping[str, Optional[str]]] = None,
) -> str:
    """The path of the program, once its version has been compared with the package's."""
    path = find(binary)
    try:
        status = os.stat(path)
    except OSError as error:
        raise BinaryError("binary.missing", f"{path}: {error.strerror}") from None
    key = (path, status.st_mtime_ns, status.st_size)
    version = _known.get(key)
    if version is None:
        version = _ask(path, environment)
        _known[key] = version
    if _minor(version) != _minor(__version__):
        raise BinaryError(
            "binary.version",
            f"{path} is version {version}, and this package {__version__}: the first two numbers have to be the same",
        )
    return path


def _ask(path: str, environment: Optional[Mapping[str, Optional[str]]]) -> str:
    try:
        answer = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=VERSION_TIME,
            env=surroundings(environment),
        )
    except subprocess.TimeoutExpired:
        raise BinaryError("binary.unusable", f"{path} --version does not end") from None
    except OSError as error:
        raise BinaryError("binary.unusable", f"{path} cannot be started: {error.strerror}") from None
    first = answer.stdout.split(b"\n", 1)[0].decode("utf-8", "replace")
    match = re.match(r"webinspect (\d+\.\d+[0-9A-Za-z.+-]*)", first)
    if answer.returncode != 0 or match is None:
        said = (first or answer.stderr.decode("utf-8", "replace").strip())[:200]
        raise BinaryError(
            "binary.unusable", f"{path} --version ended with status {answer.returncode} and said {said!r}"
        )
    return match.group(1)
