"""Load what a row of a table names, when it is first needed: outputs, sources and commands."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load_named(package: str, name: str) -> Any:
    """Return what ``name``, as "module:name", is in a module of ``package``, a part of `urlextract`.

    >>> load_named("grammar", "cells:cells_of")("abc")
    3
    """
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"urlextract.{package}.{module}"), attribute)
