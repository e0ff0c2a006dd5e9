"""The file behind ``--state``: JSON, read with mistrust and written anew as a whole."""

from __future__ import annotations

import json
import os
from typing import Any

from urlextract.errors import SourceError, UrlExtractError
from urlextract.replacing import refuse_planted_link, replace_file

__all__ = ["StateError", "count_in", "read_state", "text_in", "write_state"]

_VERSION = 1
_MOST = 1 << 62


class StateError(UrlExtractError):
    """The state cannot be written; what was read is not at fault."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"{path}: {cause}")


def read_state(path: str) -> dict[str, Any]:
    """Read a state file; none is one of nothing. Raises `SourceError` for what is none."""
    try:
        refuse_planted_link(path)
        if os.path.exists(path) and not os.path.isfile(path):
            raise SourceError(path, "is no regular file, and no state file")
        with open(path, encoding="utf-8") as stream:
            state = json.load(stream)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise SourceError(path, "is no state file") from None
    if not isinstance(state, dict) or state.get("v") != _VERSION:
        raise SourceError(path, "is no state file of this version")
    return state


def write_state(path: str, state: dict[str, Any]) -> None:
    """Replace a state file. Raises `StateError`."""
    text = json.dumps({"v": _VERSION, **state}, separators=(",", ":"))
    try:
        refuse_planted_link(path)
        replace_file(path, f"{text}\n".encode("ascii"))
    except OSError as error:
        raise StateError(path, f"the state cannot be written: {error.strerror or error}") from None


def count_in(value: object) -> int:
    """Give a number of bytes or messages; raises `ValueError` for what is none."""
    if not isinstance(value, int) or not 0 <= value < _MOST:
        raise ValueError(value)
    return value


def text_in(value: object) -> str:
    """Give a text; raises `ValueError` for what is none."""
    if not isinstance(value, str):
        raise ValueError(value)  # noqa: TRY004 - a file is at fault, no caller
    return value
