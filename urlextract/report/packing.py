"""The links of a report for the script of its page: each text once, and numbers in lists.

Targets are in the order of `links`, and the places of each together. Messages are sorted by their dates, and
those without come first, so that a message tells the date by its number. A list that has hardly any values
is two: where they are, and what.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from urlextract.report.links import Links


class _Texts:
    """Texts, each once: the empty one is the first."""

    def __init__(self) -> None:
        self._numbers = {"": 0}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        return list(self._numbers)


def packed(links: Links) -> dict[str, Any]:
    """Return links as lists of numbers and texts, for JSON."""
    texts = _Texts()
    number = texts.number
    targets = links.targets
    places = [place for target in targets for place in target.places]
    messages = sorted(dict.fromkeys(place.message for place in places), key=lambda message: message.date)
    message_at = {message: at for at, message in enumerate(messages)}
    return {
        "targets": {
            "url": [number(target.address.text) for target in targets],
            "host": [target.address.host for target in targets],
            "isLink": [int(target.address.is_link) for target in targets],
            "warning": _sparse(number(target.address.warning) for target in targets),
            "domain": [number(target.domain) for target in targets],
            "places": [len(target.places) for target in targets],
        },
        "messages": {
            "date": [message.date for message in messages],
            "doubtful": _sparse(number(message.doubtful) for message in messages),
            "sender": [number(message.sender) for message in messages],
            "person": [number(message.person) for message in messages],
            "subject": [number(message.subject) for message in messages],
            "source": [number(message.source) for message in messages],
            "file": [number(message.file) for message in messages],
            "number": [message.number for message in messages],
            "id": [number(message.message_id) for message in messages],
            "page": _sparse(number(message.page) for message in messages),
        },
        "places": {
            "message": [message_at[place.message] for place in places],
            "text": [number(place.text) for place in places],
            "context": [number(place.context) for place in places],
            "where": [number(place.where) for place in places],
            "written": _sparse(number(place.written) for place in places),
            "service": _sparse(number(place.service) for place in places),
            "warning": _sparse(number(place.warning) for place in places),
            "lie": _sparse(number(place.lie) for place in places),
            "deceit": _sparse(number(place.deceit) for place in places),
            "mend": _sparse(number(place.mend) for place in places),
        },
        "texts": texts.all(),
    }


def _sparse(numbers: Iterable[int]) -> dict[str, list[int]]:
    """Return the numbers that are not 0, and where they are.

    >>> _sparse([0, 7, 0, 8])
    {'at': [1, 3], 'value': [7, 8]}
    """
    found = [(at, number) for at, number in enumerate(numbers) if number]
    return {"at": [at for at, _ in found], "value": [number for _, number in found]}
