"""How the body of a part is read, by its media type: a table.

A row has the reader of the body, and, for a text of a special format, the function that makes running text
of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from urlextract.message.running_text import (
    Running,
    unfolded_properties,
    without_cells,
    without_commands,
    without_references,
)

Reader = Literal["none", "text", "page", "message", "report", "status", "http", "unreadable"]


class Kind(NamedTuple):
    """How the parts of a media type are read.

    - "text": as a text, from which ``running`` makes running text, if it is set;
    - "page": as HTML;
    - "message": as a message, or the head of one;
    - "report": the same, but its fields describe no message: RFC 5965, section 3; RFC 8098, section 3.1;
    - "status": as blocks of fields: RFC 3464, section 2;
    - "http": as an HTTP message: RFC 9112, section 10;
    - "unreadable": not, but there is a program that does, see `advice_for`;
    - "none": not at all.

    What is too deep in other messages to be read as one is read as a text.
    """

    reader: Reader
    running: Running | None = None


_NONE, _TEXT, _PAGE, _MESSAGE = Kind("none"), Kind("text"), Kind("page"), Kind("message")
_FOLDED, _TABLE = Kind("text", unfolded_properties), Kind("text", without_cells)
_XML, _ENRICHED = Kind("text", without_references), Kind("text", without_commands)

KINDS: dict[str, Kind] = {
    "text/html": _PAGE,
    "text/x-html": _PAGE,
    "text/x-amp-html": _PAGE,
    "application/xhtml+xml": _PAGE,
    "text/calendar": _FOLDED,
    "text/vcard": _FOLDED,
    "text/x-vcard": _FOLDED,
    "text/directory": _FOLDED,
    "text/csv": _TABLE,
    "text/comma-separated-values": _TABLE,
    "text/xml": _XML,
    "application/xml": _XML,
    "application/rss+xml": _XML,
    "application/atom+xml": _XML,
    "text/enriched": _ENRICHED,
    "text/richtext": _ENRICHED,
    "application/json": _TEXT,
    "application/pgp": _TEXT,  # signed text before RFC 2015: "application/pgp; format=text"
    "application/warc-fields": _TEXT,
    # RFC 2046, section 5.2; RFC 5537, section 2.3 (news); RFC 6532, section 3.7 (global)
    "message/rfc822": _MESSAGE,
    "message/global": _MESSAGE,
    "message/news": _MESSAGE,
    "message/partial": _MESSAGE,
    # RFC 6522, section 4; RFC 6533, section 6
    "text/rfc822-headers": _MESSAGE,
    "message/global-headers": _MESSAGE,
    "message/feedback-report": Kind("report"),
    "message/disposition-notification": Kind("report"),
    "message/global-disposition-notification": Kind("report"),
    "message/delivery-status": Kind("status"),
    "application/http": Kind("http"),
    "message/http": Kind("http"),
    "application/ms-tnef": Kind("unreadable"),
    "application/vnd.ms-tnef": Kind("unreadable"),
    "application/pkcs7-mime": Kind("unreadable"),
    "application/x-pkcs7-mime": Kind("unreadable"),
}
"""The rows; a type without one is a text if it is JSON, or any ``text``, ``message`` or ``multipart``."""


@lru_cache(maxsize=1024)
def kind_of(media_type: str) -> Kind:
    """Return how parts of a media type, in lower case, are read.

    >>> [kind_of(each).reader for each in ("text/html", "text/x-log", "image/gif", "application/feed+json")]
    ['page', 'text', 'none', 'text']
    """
    is_text = media_type.startswith(("text/", "message/", "multipart/"))
    is_json = media_type.startswith("application/") and media_type.endswith("+json")
    return KINDS.get(media_type) or (_TEXT if is_text or is_json else _NONE)


def advice_for(media_type: str, smime_type: str) -> str | None:
    """Return what an unreadable part is and which program reads it; None if it holds no text at all.

    ``smime_type`` is the parameter of that name (RFC 8551, section 3.2.2), in lower case.

    >>> advice_for("application/ms-tnef", "")
    "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    """
    if "tnef" in media_type:
        return "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    if smime_type == "certs-only":
        return None
    if smime_type == "signed-data":
        return "opaque S/MIME is not read: take it out with 'openssl cms -verify -noverify'"
    return "encrypted S/MIME is not read: 'openssl cms -decrypt' does that"
