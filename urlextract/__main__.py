"""The command ``urlextract``, and ``python -m urlextract``.

PyPI's ``urlextract`` is another project with the same import name. If both are installed
into one place, their files are mixed. No installer reports this, so the command does.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

_MIXED = (
    "urlextract: another project, PyPI's 'urlextract', was installed into the same folder as this one "
    "('urlextract-mail'), and their files are mixed: uninstall both, then install one of them, "
    "or each in an environment of its own"
)


def is_mixed(folder: str) -> bool:
    """Return whether files of the other project are in the package folder ``folder``."""
    return os.path.exists(os.path.join(folder, "urlextract_core.py"))


def main() -> None:
    """Run the command line; an interrupt, or an error of the output, ends it without a traceback."""
    try:
        _run()
    except KeyboardInterrupt:
        os._exit(130)
    except OSError as error:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"urlextract: {error.strerror or error}\n")
        os._exit(2)


def _run() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    if is_mixed(folder):
        print(_MIXED, file=sys.stderr)
    from urlextract.cli import run

    gc.disable()  # the run is short, and the search creates no reference cycles
    run(sys.argv[1:])


if __name__ == "__main__":
    main()
