"""How much of a message is held, looked at or waited for: the bounds of its memory and time.

Tests make them small, so that a short message goes through all that is made for a large one.
"""

from __future__ import annotations

BLOCK = 1 << 16
"""Bytes that are read on, or dropped, at least."""

JUDGED = 1 << 20
"""Bytes at the beginning of a message, by which is judged what its CRs mean."""

HEAD = 1 << 19
"""Bytes of a head; what comes after them is no field."""

BOUNDARY = 1000
"""Bytes of a boundary line; RFC 2046, section 5.1.1 allows 70 of a boundary."""

PREAMBLE = 1 << 20
"""Bytes in which the first boundary line of a multipart is waited for."""

PART = 1 << 21
"""Bytes of a body that is read as one; a longer one comes in pieces."""

PIECE = 1 << 18
"""Bytes of a piece of a longer body."""

ENCODED_LINE = 1 << 19
"""Bytes of a line of a longer encoded body; where it is longer it is cut."""

WINDOW = 1 << 20
"""Characters of a window of a longer text; a page that is longer comes in windows, too."""

HTTP = 3 << 20
"""Bytes of a message of HTTP in a web archive."""

DEPTH = 20
"""How deep messages, and multiparts within one message, may be nested; deeper ones are text."""
