"""A program of a user: an index of the links in mail, in SQLite."""

from __future__ import annotations

import json
import sqlite3
from datetime import date, timedelta
from pathlib import Path

import urlextract
from urlextract import (
    Found,
    Message,
    SourceError,
    Span,
    extract_source,
    read_messages,
    types,
    urls,
)
from urlextract.errors import SourceNotFoundError
from urlextract.types import DefectCode, Form, Options

OPTIONS: Options = {"schemes": {"http", "https"}, "join": "likely", "since": timedelta(days=7)}


def rows(path: Path, damaged: list[SourceError]) -> list[tuple[str, str | None, int, int, float, str]]:
    made: list[tuple[str, str | None, int, int, float, str]] = []
    for found in extract_source(path, "mbox", on_damage=damaged.append, include=["*.mbox"], **OPTIONS):
        span: Span = found.inner
        start, end = span
        if DefectCode.MAY_CONTINUE not in [defect.code for defect in found.defects]:
            record = json.dumps(found.to_dict())
            made.append((found.url, found.host, start, end, found.confidence, record))
    return made


def again(line: str) -> Found:
    return Found.from_dict(json.loads(line))


def recent(path: Path) -> list[Message]:
    try:
        return [message for message in read_messages(path) if message.field("subject")]
    except SourceNotFoundError as error:
        print(error.source, error.errno)
        return []


def bare(text: str) -> list[urlextract.Found]:
    forms: set[types.Form] = {types.Form.BARE}
    found = urlextract.extract(text, join="none")
    return [each for each in found if each.form in forms and isinstance(each.parse(), urls.HttpUrl)]


def index(path: Path, database: sqlite3.Connection) -> int:
    damaged: list[SourceError] = []
    made = rows(path, damaged)
    database.executemany("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", made)
    today = list(extract_source(str(path), since=date.today(), forms=[Form.BARE, "angle"]))
    properties: object = Found.schema()["properties"]
    return len(made) + len(today) + len(damaged) + bool(properties)
