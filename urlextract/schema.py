"""The JSON Schema of a record (draft 2020-12), made of the table of keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from urlextract.record_keys import KEYS, PARSED_KEYS, SCHEMA_VERSION, Key

_ITEMS: dict[str, dict[str, Any]] = {
    "list of strings": {"type": "string"},
    "list of integers": {"type": "integer"},
    "list of lists": {"type": "array"},
    "list of lists of integers": {"type": "array", "items": {"type": "integer"}},
    "list of objects": {},
}


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a record: see `Found.to_dict`.

    >>> record_schema()["properties"]["line"]["type"]
    'integer'
    """
    schema = _object(KEYS)
    schema["properties"]["v"]["const"] = SCHEMA_VERSION
    schema["properties"]["parsed"] |= {
        "properties": _object(PARSED_KEYS)["properties"],
        "additionalProperties": False,
    }
    title = "A URL that urlextract found"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def _object(keys: Iterable[Key]) -> dict[str, Any]:
    """Return the schema of an object with these keys."""
    return {
        "type": "object",
        "properties": {key.name: _value(key) for key in keys},
        "required": [key.name for key in keys if not (key.is_extra or key.is_added)],
        "additionalProperties": False,
    }


def _value(key: Key) -> dict[str, Any]:
    """Return the schema of the value of a key."""
    of_type, _, is_nullable = key.kind.partition(" or ")
    name = "array" if of_type in _ITEMS else of_type
    schema: dict[str, Any] = {"type": [name, "null"] if is_nullable else name}
    if of_type in _ITEMS:
        schema["items"] = {**_ITEMS[of_type]}
    schema["description"] = key.words
    if key.values:
        schema.get("items", schema)["enum"] = [each.value for each in key.values]
    if key.parts:
        (schema["items"] if of_type in _ITEMS else schema).update(_object(key.parts))
    return schema
