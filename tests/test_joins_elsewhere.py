"""A bare URL that may continue is joined if the whole occurs elsewhere in its message (SPEC §3)."""

from pathlib import Path

import pytest
from commands import outcome
from remarks import words

from urlextract import extract_message, extract_source

FIRST = "https://www.example.com/kernel/invoice/summer/2014-March/"
SECOND = "996521.html"
WHOLE = FIRST + SECOND
ALTERNATIVE = (
    "Subject: tables\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n"
    f"--x\nContent-Type: text/plain\n\nsee http://a.example/one\n{FIRST}\n{SECOND} is it\n\n"
    "--x\nContent-Type: text/html\n\n"
    '<p>see <a href="http://a.example/one">one</a>, and <a href="{link}">this</a></p>\n--x--\n'
)


def mail(link: str) -> bytes:
    return ALTERNATIVE.replace("{link}", link).encode()


def test_link_of_the_html_part_is_evidence() -> None:
    records = list(extract_message(mail(WHOLE)))
    assert [found.url for found in records] == ["http://a.example/one", WHOLE, "http://a.example/one", WHOLE]
    joined = records[1]
    assert words(joined.repairs) == ("joined 2 lines",)
    assert words(joined.defects) == ()
    assert joined.alternatives[-1].url == FIRST
    assert "the whole URL stands elsewhere in the message" in joined.alternatives[-1].reason


@pytest.mark.parametrize("link", [FIRST, WHOLE + "x", "http://b.example/"])
def test_another_link_is_not_evidence(link: str) -> None:
    found = list(extract_message(mail(link)))[1]
    assert (found.url, words(found.defects)) == (FIRST, ("may-continue",))


def test_join_delimited_ignores_the_evidence() -> None:
    assert [found.url for found in extract_message(mail(WHOLE), join="delimited")][1] == FIRST


@pytest.mark.parametrize("postmark", [b"", b"From jo@a.example Sat Jan  1 00:00:00 2000\n"])
def test_plain_output_has_the_urls_of_the_records(postmark: bytes, tmp_path: Path) -> None:
    """One message, and a mailbox in which the whole of one URL occurs in another message only."""
    path = tmp_path / "box"
    messages = [mail(WHOLE), mail("http://b.example/"), f"Subject: x\n\n{WHOLE}\n".encode()]
    path.write_bytes(b"\n".join(postmark + message for message in messages) if postmark else messages[0])
    records = [found.url for found in extract_source(path)]
    assert records.count(WHOLE) == (3 if postmark else 2)
    assert records.count(FIRST) == (1 if postmark else 0)
    assert outcome(path)[1].split() == records
