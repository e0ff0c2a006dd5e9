"""To which message a message is a reply, and which one began its thread: RFC 5322, section 3.6.4."""

from __future__ import annotations

import pytest

from urlextract import Found, extract_message
from urlextract.output.table import COLUMNS

BODY = b"\nhttp://a.example/\n"

# The fields of a head, then in_reply_to and thread_id
HEADS: list[tuple[bytes, str | None, str | None]] = [
    (b"Subject: x\n", None, None),
    (b"Message-ID: <1@a>\n", None, "<1@a>"),
    (b"Message-ID: <2@a>\nIn-Reply-To: <1@a>\n", "<1@a>", "<1@a>"),
    (b"Message-ID: <3@a>\nIn-Reply-To: <2@a>\nReferences: <1@a> <2@a>\n", "<2@a>", "<1@a>"),
    (b"Message-ID: <3@a>\nReferences: <1@a> <2@a>\n", None, "<1@a>"),
    (b"In-Reply-To: <1@a>\n", "<1@a>", "<1@a>"),
    (b'In-Reply-To: Your message of "Mon, 14 Nov 1994 09:12:31 +0100." <1@a>\n', "<1@a>", "<1@a>"),
    (b'In-Reply-To: Your message of "Mon,\n 14 Nov 1994 09:12:31 +0100."\n\t<1@a.\n example>\n',
     "<1@a.example>", "<1@a.example>"),
    (b"REFERENCES:\n <1@a>\n <2@a>\nin-reply-to: (of Monday) <2@a> (again)\n", "<2@a>", "<1@a>"),
    (b"References: <1@a>\nReferences: <9@a>\nIn-Reply-To: <2@a>\nIn-Reply-To: <8@a>\n", "<2@a>", "<1@a>"),
    (b"Message-ID: <1@a> (added by postmaster@b)\n", None, "<1@a>"),
    (b"Message-ID: 1@a\n", None, "1@a"),
    (b"Message-ID: <1993.7>\nReferences: <1990.1> <2@a>\n", None, "<1990.1>"),
    (b'Message-ID: <"1 2"@a>\n', None, '<"12"@a>'),
    # Malformed
    (b"Message-ID: <3@a>\nIn-Reply-To: your mail of Monday\n", None, "<3@a>"),
    (b"Message-ID: <3@a>\nIn-Reply-To: <of Monday>\nReferences: >2@a< 1@a\n", None, "<3@a>"),
    (b"Message-ID: <3@a>\nIn-Reply-To:\nReferences: <>\n", None, "<3@a>"),
    (b"Message-ID: <3@a>\nReferences: <1@a <2@a>\n", None, "<2@a>"),
    (b"Message-ID:\n", None, None),
    (b"References: <\xe4@a> <2@a>\n", None, "<ä@a>"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "in_reply_to", "thread_id"), HEADS)
def test_thread_of_a_message(head: bytes, in_reply_to: str | None, thread_id: str | None) -> None:
    for data in (head + BODY, (head + BODY).replace(b"\n", b"\r\n")):
        (found,) = extract_message(data)
        assert (found.in_reply_to, found.thread_id) == (in_reply_to, thread_id)


def test_thread_is_that_of_the_innermost_message() -> None:
    inner = b"Message-ID: <9@b>\nReferences: <7@b>\n" + BODY
    data = b"Message-ID: <2@a>\nIn-Reply-To: <1@a>\nContent-Type: message/rfc822\n\n" + inner
    (found,) = extract_message(data)
    assert (found.message_id, found.in_reply_to, found.thread_id) == ("<9@b>", None, "<7@b>")
    report = (
        data.partition(b"Content-Type")[0] + b"Content-Type: message/feedback-report\n\nReferences: <7@b>\n"
    )
    (found,) = extract_message(report + b"Reported-URI: http://a.example/\n")
    assert (found.message_id, found.in_reply_to, found.thread_id) == ("<2@a>", "<1@a>", "<1@a>")


def test_all_messages_of_a_thread_have_its_id() -> None:
    """Also if a reply has only one of the two fields, and one that is folded inside."""
    heads = (
        b"Message-ID: <root@a.example>\n",
        b"Message-ID: <2@b>\nIn-Reply-To: <root@a.example>\n",
        b"Message-ID: <3@b>\nReferences: <root@\n a.example> <2@b>\nIn-Reply-To: <2@b>\n",
    )
    threads = {found.thread_id for head in heads for found in extract_message(head + BODY)}
    assert threads == {"<root@a.example>"}


@pytest.mark.parametrize("unit", [b" <1@a>", b"\n <1@a>", b" <", b" <a@", b" <a", b"<>", b" \n\t", b" x"])
def test_field_of_a_megabyte_is_bounded(unit: bytes) -> None:
    """A head has a largest size, and is read as text after it: what counts here is the thread."""
    value = unit * (400_000 // len(unit))
    data = b"Message-ID: <2@a>\nReferences: <0@a>" + value + b"\nIn-Reply-To:" + value + b"\n" + BODY
    (found,) = extract_message(data)
    assert found.thread_id == "<0@a>"
    assert found.in_reply_to in (None, "<1@a>")


def test_identifier_is_looked_for_at_the_beginning_of_a_field() -> None:
    far = b"Message-ID: <2@a>\nReferences:" + b" x" * 5_000 + b" <1@a>\n" + BODY
    long = b"Message-ID: <2@a>\nReferences: <" + b"x" * 3_000 + b"@a> <1@a>\n" + BODY
    assert [found.thread_id for data in (far, long) for found in extract_message(data)] == ["<2@a>", "<1@a>"]


def test_records_have_the_thread() -> None:
    (found,) = extract_message(b"Message-ID: <2@a>\nIn-Reply-To: <1@a>\n" + BODY)
    record = found.to_dict()
    names = list(record)
    at = names.index("message_id")
    assert names[at + 1 : at + 3] == ["in_reply_to", "thread_id"]
    assert (record["in_reply_to"], record["thread_id"]) == ("<1@a>", "<1@a>")
    assert {"in_reply_to", "thread_id"} <= set(COLUMNS)
    assert Found.from_dict(record) == found
    with pytest.raises(ValueError, match="thread_id"):
        Found.from_dict({**record, "thread_id": 1})
