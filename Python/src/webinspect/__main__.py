"""``python -m webinspect ARGUMENTS`` becomes the program: its exit status, standard input and signals are the program's."""

from __future__ import annotations

import os
import sys

from ._binary import find
from ._errors import BinaryError


def main() -> None:
    """Replaces this process by ``webinspect`` with the same arguments."""
    try:
        path = find()
    except BinaryError as error:
        sys.stderr.write(f"webinspect: {error}\n")
        sys.exit(70)
    # Python takes SIGPIPE for itself, and what is ignored would stay so in the program.
    import signal

    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    sys.stdout.flush()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
