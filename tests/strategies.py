"""Strategies for generated tests, with text that is hard to read."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from urlextract.grammar.chars import STRAY_BYTES
from urlextract.grammar.marks import CLOSERS, END_MARKS
from urlextract.urls import SCHEMES as TABLE

BLANKS = " \t\v\f\xa0\u2003\u3000"
# ruff: noqa: E501
PIECES = (
    "<", ">", "<URL:", "URL:", "url: ", "http://", "https://", "ftp://", "ftp:", "//", "/", ":", "mailto:", "news:",
    "urn:", "foo://", "www.", "ftp.", "a.example", "b.example/x", "x", "-", "-\n", "\n", "\r\n", "\r", "\n\n", " ",
    "\n> ", "> ", "\n>> ", "| ", "\n| ", "# ", "\n# ", "JD> ", "\nJD> ", " * ", "\n * ", "//  ", '"', "'", "(", ")", "[", "]",
    ".", ",", ";", "?", "!", "*", "@", "a@b.example", "&lt;", "&gt;", "&amp;", "\\", "\\\n", "%20", "#f", "=", "é", "。",
    "“", "\u00a0", "\x85", "\x00", "\udcf6", "日", "\x0c", "[Page 9]\n", "RFC 1738\n", "tel:", "1", "info:", "file:", "C:\\",
    "geo:", "1,2", "See", "+", "=", "=\n", "=3D", "=20\n", "=C3=A9", "%2F", "x" * 60,
)  # fmt: skip


PRINTABLE = tuple(map(chr, range(32, 127)))
OF_GRAMMAR = (
    *END_MARKS, *BLANKS.replace("-", ""), *CLOSERS, *CLOSERS.values(), *map(chr, [*STRAY_BYTES][::16]),
    *(f"{name}:" for name in TABLE), "&lt;", "&gt;", "&quot;", "&nbsp;", "&#39;", "&apos;", "&amp;lt;", "&copy;",
)  # fmt: skip
"""The characters and names that the constants of `grammar` hold."""
OF_CLASSES = (
    "é", "я", "日", "か", "한", "ก", "ع", "e\u0301", "\u0663", "¹", "→", "│", "☀", "👍", "❤\ufe0f", "“", "’", "«",
    "…", "—", "•", "。", "！", "「", "\u200c", "\u200b", "\u2010", "\u00ad", "\x85", "\ue000", "\ufffc", "\ufffd",
    "\x00", "\x03", "\x1b[1m", "\x7f", "\udcff", "\r\r\n", "\f", "=20", "\\n", "\\fB", "\\/", "\\-", "\\u0026",
)  # fmt: skip
"""Some of every other class of characters that a rule names."""
anything = st.one_of(*map(st.sampled_from, (PIECES, PRINTABLE, OF_GRAMMAR, OF_CLASSES)))


def examples(count, **how):
    """Set the number of examples, which the profile "long" multiplies."""
    return settings(max_examples=count * settings.default.max_examples // 100, **how)


# fmt: off
HEADS = ("", "see ", "[x](", "\\url{", "1.", "--", "...", "a;", "link:", "a|", "~", "> ", "> > ", "* ", "- ", "x - ", "*b ", "=20", "x https://\n", "x http:\n//", "JD> ", "John Doe> ", ":>", "=> ", "j.d.> ", "# ", "/* ", "REM ", "| ", "a > b ", "< ", "<\n| ")
OPENINGS = ("<", "<URL:", "<URL: ", "<URL:\n", "<url:\x0c", "< ", '"', "", "(", "&lt;")
STARTS = (
    "http://", "https://", "ftp://", "HTTP://", "http:", "http:/", "gopher://", "svn+ssh://", "mailto:", "news:",
    "netnews:", "about: ", "file:", "urn:", "tel:", "www.", "ftp.", "\\nhttp://", "1http://",
    "Seehttps://", "doi:10.1/", "geo:", "sms:", "DOI: ",
)
INNER = (
    "[2]", "[text]", "[]", "|sh", "を", "日", "я", "✅", "#http://e.example", "%40", "\\_", "\\(f\\)", ".or", ".html", "@h", "_",
    "a.example", "www.b.example", "xn--", "a@b.example", ":8080", "/", "/x/", "?q=", "&b", "#f", "-", "--", "%20", "=", "(y)",
    "path>", "Foo>", "foo", "*", "//", "http://c.example/", "6http://d.example", "svn+https://", "123", "=3D", "1,2", "é", "=====", "@c.example", "|", ":", ";", "'", "&lt;",
)
BREAKS = (
    "%\n", "\ng/", "\nb.example/c", "\ndf", "\nb)", "\u2010\n", ".\n",
    "\n", "\n> ", "\n>> ", "\n>", "\r\n", "\n  ", "\n* ", "\n*", "\n# ", "\n#", "\n%", "-\n", "-\n> ", "\\\n", "\n-",
    "\n@", "\n:", " ", "\n\n", "\n>\n", "\nJD> ", "\n:>", "\n=> ", "\nj.d.> ", "\nREM ", "\n=====", "\n> =====\n", "=\n", "=\n> ",
)
CLOSINGS = (">", "> ", "\n>", ">.", '"', ")", "'", " ", "\n", "; ", ", ", "&gt;", "! ", "")
# fmt: on
_insides = st.lists(
    st.one_of(st.sampled_from(INNER), st.sampled_from(INNER), st.sampled_from(BREAKS)), max_size=8
).map("".join)
_bracketed = st.builds(
    "{}{}{}{}{}{}".format,
    *map(st.sampled_from, (HEADS, OPENINGS, STARTS)),
    _insides,
    *map(st.sampled_from, (CLOSINGS, ("", "\n", " word> and\n"))),
)
broken_texts = st.lists(_bracketed, min_size=1, max_size=3).map("".join)
"""URLs with and without delimiters, broken in every way, after all prefixes."""

texts = st.lists(st.one_of(st.sampled_from(PIECES), anything), max_size=24).map("".join)

_BEFORE = (
    "see ", "(", "=", "- ", "\n", "\n  ", "", '"', "'", "*", "_", "~", "+", "<", "<URL:", "[", "{", "|",
    "a | ", "\\n", "> ", "x",
)  # fmt: skip
_BEGINS = (
    "http://a.example", "https://www.b.example:80", "ftp://c", "HTTP://d.example", "gopher://e", "file:///", "file://f",
    "www.g.example", "ftp.h.example", "mailto:i@j.example", "news:k.l", "urn:m:n", "tel:1", "info:o/p", "svn+ssh://q", "x://r",
)  # fmt: skip
plain_texts = st.builds(
    "{}{}{}{}{}".format,
    *map(st.sampled_from, (_BEFORE, _BEGINS, ("", "/", "/s", "?t=", "#"))),
    st.lists(st.one_of(st.sampled_from(PRINTABLE), anything), max_size=6).map("".join),
    st.sampled_from(("", " ", ". ", ", ", ")", ">", '"', "'", ";", "\n", "\nword ", "\n/u ", "*", "_")),
)
"""One usual URL in text, with any characters at its end: what the fast path accepts."""

SCHEMES = (
    "http", "https", "ftp", "gopher", "wais", "telnet", "nntp", "ldap", "prospero", "svn+ssh", "rlogin",
    "snews",
)  # fmt: skip
HOSTS = (
    "a.example", "www.example.org", "xn--bcher-kva.example", "bücher.example", "user:pw@host-name.example.org:8080",
    "192.0.2.1", "[2001:db8::1]:80", "a-b.c-d.example", "very-long-host-name.with.many-labels.in.it.example.co.uk",
)  # fmt: skip
HOSTLESS = (
    "mailto:joe@a.example", "news:comp.lang.c", "urn:isbn:1", "mid:a@b.example", "cid:a@b.example", "tel:+1", "man:a(1)",
    "info:x/y", "about:x", "data:,", "x-y:z", "file:///a", "file:/b", "afs:/c.d/e",
)  # fmt: skip
PATHS = (
    "/", "/", "/", "-", "-", "--", ".", ",", ";", "?", "&", "=", "%20", "%C3%A9", "%E6%97%A5", "~", "_", "!", "$", "'", "(",
    ")", "*", "+", ":", "@", "#", "[", "]", "http://", "www.", "ftp.x.y", "a@b.c", "abc", "documentation", "x", "12345",
    "Z" * 30, "é", "日本", "e\u0301", "//", "mailto:", "%7C", "%3E", "From", "..", "==", "|", "^", " ", "%",
)  # fmt: skip

_starts = st.one_of(
    st.builds("{}://{}/".format, st.sampled_from(SCHEMES), st.sampled_from(HOSTS)), st.sampled_from(HOSTLESS)
)
printed_urls = st.builds(
    lambda start, rest: start + "".join(rest), _starts, st.lists(st.sampled_from(PATHS), max_size=40)
)
"""URLs of all kinds, with parts that are hard to break."""


MESSAGE_LINES = st.sampled_from([
    b"Subject: www.a.example", b"Subject: =?utf-8?q?http=3A//a.b?=", b"From: www <a@www.b.example>",
    b"Received: from http://r/", b"List-Help: <mailto:a@b.example?subject=c>,", b" <https://f.example/>",
    b"Content-Type: text/plain; charset=utf-8", b"Content-Type: text/plain; charset=utf-16",
    b"Content-Type: text/plain; format=flowed; delsp=yes", b"Content-Type: text/html",
    b"Content-Type: image/gif", b"Content-Type: multipart/mixed; boundary=b",
    b"Content-Type: multipart/alternative; boundary=c", b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: quoted-printable", b"Content-Location: http://l.example/",
    b"Content-Location: m/n", b"Content-Type : text/html", b"Content-Type: text/html (x) charset=x",
    b"Content-Type: multipart/mixed; boundary=b (y)", b"Content-Type: text/calendar",
    b"Content-Type: message/rfc822", b'X-Json: {"u":"http:\\/\\/r.example\\/s"}',
    b"Received: from www.t.example", b"Date: x", b"<center>http://c.example</center>www.d.example\\,e",
    b"<base href='o/'><a href='(http://blocked::http://q.example)'>", b"--b", b"--b--", b"--c", b"--c--", b"",
    b"", b"", b"http://u.example/ ww =", b'<a href=3D"http://v.example/">=C3=A9',
    b"ww " * 24 + b"http://w.example=", b"?b=3Dc d", b"w.v.example w", b"ww ", b"w.x.example/<http://",
    b"aHR0cDovL2EuZXhhbXBsZS8=", b"<a href=http://h.example/ title='>'>x</a> <p>http://p.example/ &amp;",
    b'<a href="www.x">http</b>://i.example/</a><!-- http://j.example/',
    b"--> <img src='mailto:a@b'> http&colon;//k.example/ <URL:ftp://", b"> quoted.example/>", b"- news:a.b.c",
    b"\xe4\xff http://\xc3\xa4.example/\xe2\x80\x9d", b"\xc2\xa0www.\xc3\xa9.example", b"broken field",
])  # fmt: skip
"""Lines of messages: heads, boundaries, bodies, and what is odd in them."""
