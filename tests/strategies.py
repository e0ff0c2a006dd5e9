"""Text that looks like trouble: what generated tests are made of."""

from __future__ import annotations

from hypothesis import strategies as st

# ruff: noqa: E501
PIECES = (
    "<", ">", "<URL:", "URL:", "url: ", "http://", "https://", "ftp://", "ftp:", "//", "/", ":", "mailto:", "news:",
    "urn:", "foo://", "www.", "ftp.", "a.example", "b.example/x", "x", "-", "-\n", "\n", "\r\n", "\r", "\n\n", " ",
    "\n> ", "> ", "\n>> ", "| ", "\n| ", "# ", "\n# ", "JD> ", "\nJD> ", " * ", "\n * ", "//  ", '"', "'", "(", ")", "[", "]",
    ".", ",", ";", "?", "!", "*", "@", "a@b.example", "&lt;", "&gt;", "&amp;", "\\", "\\\n", "%20", "#f", "=", "é", "。",
    "“", "\u00a0", "\x85", "\x00", "\udcf6", "日", "\x0c", "[Page 9]\n", "RFC 1738\n", "tel:", "1", "info:", "file:", "C:\\",
)  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
