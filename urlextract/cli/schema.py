"""The JSON Schema of a record, made from the lists of keys that the manual has.

``python -m urlextract.cli.schema > urlextract/record.schema.json`` writes it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from urlextract.cli.reference import PARSED_KEYS, RECORD_KEYS, entries_of
from urlextract.records import DefectCode, Form, RepairCode

_LISTS: dict[str, dict[str, Any]] = {
    "list of strings": {"type": "string"},
    "list of integers": {"type": "integer"},
    "list of lists": {"type": "array"},
    "list of lists of integers": {"type": "array", "items": {"type": "integer"}},
    "list of objects": {},
}
_ENUMS = {"form": Form, "repair_codes": RepairCode, "defect_codes": DefectCode}


def schema_of_records() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the records of ``urlextract -j``."""
    schema = _object(RECORD_KEYS)
    for key in ("count", "defanged", "places"):
        schema["required"].remove(key)
    schema["properties"]["v"]["const"] = 2
    for key, codes in _ENUMS.items():
        of_key = schema["properties"][key]
        of_key.get("items", of_key)["enum"] = [code.value for code in codes]
    parsed = _object(PARSED_KEYS)
    schema["properties"]["parsed"] |= {"properties": parsed["properties"], "additionalProperties": False}
    title = "A URL that urlextract found"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def _object(keys: str) -> dict[str, Any]:
    """Return the schema of an object with ``keys``; those with a path are within the key before the path."""
    schema = _closed()
    for term, meaning in entries_of(keys):
        path, _, kind = term.partition(", ")
        inside = schema
        *parents, name = re.split(r"\[\]\.|\.", path)
        for parent in parents:
            of_parent = inside["properties"][parent]
            inside = of_parent.setdefault("items" if "items" in of_parent else "properties", {})
            if not inside:
                inside |= _closed()
        inside["properties"][name] = _value(kind) | {"description": meaning}
        inside["required"].append(name)
    return schema


def _closed() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def _value(kind: str) -> dict[str, Any]:
    """Return the schema of a type such as "integer or null"."""
    of_type, _, is_nullable = kind.partition(" or ")
    name = "array" if of_type in _LISTS else of_type
    schema: dict[str, Any] = {"type": [name, "null"] if is_nullable else name}
    if of_type in _LISTS:
        schema["items"] = {**_LISTS[of_type]}
    return schema


if __name__ == "__main__":
    print(json.dumps(schema_of_records(), indent=1))
