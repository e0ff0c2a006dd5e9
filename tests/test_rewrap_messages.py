"""Of messages and mailboxes `rewrap` changes the bodies of plain text, and no byte else."""

from __future__ import annotations

from base64 import b64encode

import pytest

from urlextract import mend, rewrap

LONG = "See http://a.example/one-page and the others that are there.\n"
ENCODED = b64encode(LONG.encode()).decode() + "\n"
FILLED = "See http://a.example/one-page\nand the others that are there.\n"
HEAD = "From: a@b.example\nTo: c@d.example\nSubject: A subject of more than thirty columns\n"
KIND = "Content-Type: multipart"
MIXED = f"{HEAD}{KIND}/mixed; boundary="
REPORT = (
    f"{HEAD}{KIND}/report; report-type=delivery-status; boundary=b\n\n--b\n\n{LONG}"
    "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example\n\n"
    "Final-Recipient: rfc822; a@b.example\n"
    f"--b\nContent-Type: message/rfc822\n\n{HEAD}\n{LONG}--b--\n"
)
UNDATED = "From - \nX-Mozilla-Status: 0001\n"
POSTMARK = "From ada@a.example Mon Nov 14 09:12:44 1994\n"
MMDF = "\1\1\1\1\n"

BODIES = {  # a text of several bodies, in each of which LONG stands once for each that is filled
    "one message": f"{HEAD}\n{LONG}",
    "CRLF": f"{HEAD}\n{LONG}".replace("\n", "\r\n"),
    "a boundary that ought to be quoted": f"{MIXED}a/b.c\n\n--a/b.c\n\n{LONG}--a/b.c--\n",
    "a type with a comment": f"{HEAD}Content-Type: text/plain (plain)\n\n{LONG}",
    "an undated postmark": f"{UNDATED}{HEAD}\n{LONG}\n{UNDATED}{HEAD}\n{LONG}",
    "MMDF": f"{MMDF}{HEAD}\n{LONG}{MMDF}{MMDF}{HEAD}\n{LONG}{MMDF}",
    "two parts": f"{MIXED}b\n\n--b\n\n{LONG}\n--b\nContent-ID: <1@a>\n\n{LONG}--b--\n",
    "a mailbox": f"{POSTMARK}{MIXED}b\n\nA preamble of more than thirty columns\n--b\n"
    f"Content-Type: text/plain\n\n{LONG}\n--b\n"
    "Content-Type: text/html\n\n<p>A body of more than thirty columns</p>\n\n--b\n"
    "Content-Transfer-Encoding: quoted-printable\n\nA body of more than=20thirty columns\n\n--b--\n\n"
    f"{POSTMARK}{HEAD}\n{LONG}",
    "beside what is signed": f"{MIXED}b\n\n--b\n{KIND}/signed; micalg=pgp-sha256; boundary=s\n\n--s\n\n"
    "Signed text\nof two http://a.example/\n--s\nContent-Type: application/pgp-signature\n\nabcd\n--s--\n\n"
    f"--b\n\n{LONG}--b--\n",
    **{f"after nested parts and {len(blank)} blank lines": f"{MIXED}b\n\n--b\n{KIND}/mixed; boundary=c\n\n"
       "--c\n\nT\n--c\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\nMIIAAAAA\n--c--\n"
       f"{blank}--b\n\n{LONG}--b--\n{LONG[1:]}" for blank in ("", "\n")},
}  # fmt: skip
NO_BODIES = {
    "an attached text": f"{MIXED}b\n\n--b\n\n--b\nContent-Type: text/plain; name=a.txt\n"
    f"Content-Disposition:\n Attachment; filename=a.txt\n\n{LONG}--b--\n",
    "a preamble and an epilogue": f"{MIXED}b\n\n{LONG}--b\n\nhi\n--b--\n{LONG}",
    "base64 with a comment": f"{HEAD}Content-Transfer-Encoding: (x) base64\n\n{ENCODED}",
    "a message in a message": f"{HEAD}Content-Type: message/rfc822\n\n{HEAD}\n{LONG}",
    "messages of a digest": f"{HEAD}{KIND}/digest; boundary=b\n\n--b\n\n{HEAD}\n{LONG}--b--\n",
    "HTML": f"{HEAD}Content-Type: text/html\n\n{LONG}",
    "text that flows": f"{HEAD}Content-Type: text/plain; format=flowed; delsp=yes\n\n"
    "See http://www.example.org/a/b/ \nc/d/e/f now, and more  \nwords to come.\n",
    "a message that is signed": f'{HEAD}{KIND}/signed; boundary="b"\n\n--b\n\n{LONG}--b--\n',
    "parts of what is signed": f"{HEAD}{KIND}/signed; boundary=b\n\n--b\n{KIND}/mixed; boundary=c\n\n"
    f"--c\n\n{LONG}--c--\n--b--\n",
}


@pytest.mark.parametrize("name", BODIES)
def test_each_body_is_filled_and_nothing_else(name):
    text = BODIES[name]
    expected = text.replace(LONG, FILLED).replace(LONG.replace("\n", "\r\n"), FILLED.replace("\n", "\r\n"))
    assert rewrap(text, 30) == expected != text


@pytest.mark.parametrize("name", NO_BODIES)
def test_what_is_no_body_stays_byte_for_byte(name):
    assert rewrap(NO_BODIES[name], 30) == NO_BODIES[name]


def test_of_a_report_the_words_are_filled_and_not_its_fields_or_what_came_back():
    assert rewrap(REPORT, 30) == REPORT.replace(LONG, FILLED, 1)


SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
    "See <http://a.example/\nb> and the others that are there, of them all.\n\n- -- \nAda\n- ----- \n"
    "see <http://a.example/\nc>\n"
    "-----BEGIN PGP SIGNATURE-----\n\niQEcBAEBCAAGBQJ/\n=abcd\n-----END PGP SIGNATURE-----\n"
)
BROKEN, WHOLE = "See <http://a.example/\nb>\n", "See <http://a.example/b>\n"


@pytest.mark.parametrize("quote", ["", "> "])
@pytest.mark.parametrize("head", ["", f"{HEAD}\n", f"{MIXED}b\n\n--b\n\n"])
@pytest.mark.parametrize("change", [mend, rewrap])
def test_what_pgp_has_signed_stays_and_what_is_around_it_is_changed(change, head, quote):
    def text(other):
        lines = f"{other}{SIGNED}{other}\n{SIGNED}\n{other}".splitlines(keepends=True)
        return head + "".join(quote + line for line in lines)

    assert change(text(BROKEN)) == text(WHOLE)


@pytest.mark.parametrize("change", [mend, rewrap])
def test_what_pgp_has_signed_may_end_with_the_text(change):
    text = f"{HEAD}\n{BROKEN}\n{SIGNED.partition('-----END')[0]}"
    assert change(text) == text.replace(BROKEN, WHOLE, 1)
