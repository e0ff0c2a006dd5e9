"""The lines that ``-n`` prints: those of the file, so that ``vim +N FILE`` shows the URL.

In a source below, each line that has a URL of a result says so: ``.example/`` and a word that stands nowhere
else. What is encoded counts as standing where its message begins.
"""

import base64
import bz2
import gzip
import quopri
import subprocess

import pytest
from commands import lines, run
from packing import plant, tarred
from realtools import LIMIT, need
from sampled import mostly_slow

from urlextract.pipeline.options import options_of
from urlextract.run.cutting import Cutter
from urlextract.run.file_lines import FileLines
from urlextract.run.results import found_in
from urlextract.sources.streams import Origin
from urlextract.sources.stretches import read_stretch

POSTMARK = b"From a@b.example Mon Nov 14 09:12:44 1994\n"
LONG_LINE = (
    "Grüße an alle, " + "wort " * 30 + "http://qp.example/one und " + "wort " * 30 + "http://qp.example/two"
)
QUOTED = quopri.encodestring(f"{LONG_LINE}\n\nEnde http://qp.example/three\n".encode())
ENCODED = base64.encodebytes(b"<p>\n" * 90 + b"<a href='http://base64.example/'>x</a>\n")
COUNTED = b"From here\nFrom there\nsee http://counted.example/ x\n"

MESSAGES = {
    "fields and plain text": (
        b"Subject: one http://subject.example/\nList-Help: <http://help.example/>,\n <http://folded.example/>\n\n"
        b"see\nhttp://plain.example/ x\n\n> quoted <http://quoted.example/>\n\n-- \nhttp://signature.example/\n"
    ),
    "a URL that is broken over lines": b"Subject: x\n\nsee\n<http://broken.exa\nmple/long> http://after.example/\n",
    "8 bits": (
        b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\nGr\xfc\xdfe\n"
        b"see http://latin.example/ x\n"
    ),
    "parts": (
        b"MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=bb\n\n"
        b"pre http://preamble.example/ x\n"
        b"--bb\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        + QUOTED
        + b"\n--bb\nContent-Type: text/html; name=http://parameter.example/\n\n<p>\n"
        b"<a href='http://html.example/'>\n"
        b"x</a>\n--bb--\npost http://epilogue.example/ x\n"
    ),
    "flowed": (
        b"Content-Type: text/plain; format=flowed\n\nwords and words \nand more words \n"
        b"http://flow.example/one and \nmore http://flow.example/two x\nnext http://flow.example/three\n\n"
        b"> quoted words \n> http://flow.example/four\n"
    ),
    "flowed and quoted-printable": (
        b"Content-Type: text/plain; format=flowed; charset=utf-8\n"
        b"Content-Transfer-Encoding: quoted-printable\n\n"
        b"Gr=C3=BC=C3=9Fe and words=20\nand a long line that is bro=\nken, http://both.example/one and=20\n"
        b"http://both.example/two x\n\nnext=20\nand also bro=\nken http://both.example/three\n"
    ),
    "an encoding that nobody knows": (
        b"Content-Type: text/plain\nContent-Transfer-Encoding: none\n\nsee\nhttp://unknown.example/ x\n"
    ),
    "a folded field with letters": (
        "Subject: Å…\n see http://letters.example/subject\nList-Help: <http://letters.example/a>, Å\n"
        " <http://letters.example/b>\n\nx\n"
    ).encode(),
    "a message in a message": (
        b"Content-Type: multipart/mixed; boundary=cc\n\n--cc\nContent-Type: message/rfc822\n\n"
        b"Subject: inner http://inner.example/subject\n\nhi\nsee http://inner.example/body x\n--cc--\n"
    ),
    "a copy of a message in a text": (
        b"Subject: fwd\n\nlook:\n\n---------- Forwarded message ----------\nFrom: x@y.example\n"
        b"Date: Mon, 14 Nov 1994 09:12:50 +0000\nSubject: old\nTo: z@y.example\n\n"
        b"the old http://copy.example/ x\n"
    ),
    "a head with a line that is no field": (
        b"Subject: odd\nhttp://odd.example/ in the head\nTo: a@b.example\n\nhttp://odd.example/body x\n"
    ),
    "Content-Length": b"Subject: six\nContent-Length: %d\n\n%s" % (len(COUNTED), COUNTED),
    "a block that is no text": (
        b"Subject: x\n\nhttp://before.example/\nbegin 644 a.bin\n" + b"M" + b"A" * 60 + b"\n" + b"`\nend\n"
        b"http://behind.example/ x\n"
    ),
    "no text before the head": b"Subject: last\n\nhttp://last.example/\n",
}  # fmt: skip
MAILBOX = b"".join(POSTMARK + message + b"\n" for message in MESSAGES.values())


def check(printed, data, least=1):
    """Assert that each line that was printed is that of its URL, as a reader of the file counts."""
    in_file = data.replace(b"\r\n", b"\n").split(b"\n")
    assert len(printed) >= least
    for line in printed:
        name, _, url = line.partition(":http:")
        beginning = url[: url.index(".exa") + len(".exa")]
        assert beginning.encode() in in_file[int(name) - 1], line


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", MESSAGES)
def test_a_message(name, ending, tmp_path):
    for data in (MESSAGES[name], POSTMARK + b"Subject: first\n\nx\n\n" + POSTMARK + MESSAGES[name]):
        plant(tmp_path, {"file": data.replace(b"\n", ending)})
        check(lines(run("-n", tmp_path / "file")), data.replace(b"\n", ending))


@pytest.mark.parametrize(("before", "kind", "content", "printed"), [
    (POSTMARK + b"Subject: a\n\nhi\n\n" + POSTMARK, b"text/html", ENCODED, ["7:http://base64.example/"]),
    (b"", b"message/rfc822",
     base64.encodebytes(b"Subject: http://inner.example/\n\n\nhttp://body.example/\n"),
     ["1:http://inner.example/", "1:http://body.example/"]),
], ids=["a part", "a message"])  # fmt: skip
def test_what_is_encoded_stands_where_its_message_begins(before, kind, content, printed, tmp_path):
    head = b"Subject: x\nContent-Type: %b\nContent-Transfer-Encoding: base64\n\n" % kind
    plant(tmp_path, {"file": before + head + content})
    assert lines(run("-n", tmp_path / "file")) == printed


EXPECTED = 29
COPY = (
    b"From: x@y.example\nDate: Mon, 14 Nov 1994 09:12:50 +0000\nSubject: old\nTo: z@y.example\n\n"
    b"see http://c.example/ x\n\n"
)
HEADS = [b"From: a@b.example\nMessage-ID: <%d@a.example>\n" % number for number in range(3)]
ARTICLE = b"Path: a!b\nNewsgroups: a.b\nSubject: x\n\nsee\nhttp://news.example/ x\n"
STREAMS = {
    "mailboxes one after the other": (MAILBOX * 3, 3 * EXPECTED),
    "messages one after the other": (
        b"".join(head + MESSAGES["fields and plain text"] for head in HEADS), 3
    ),
    "blank lines before the first message": (b"\n\n\n" + MAILBOX, EXPECTED),
    "many copies of messages in one text": (
        MESSAGES["8 bits"] + b"\n---------- Forwarded message ----------\n".join([b"", *[COPY] * 9]), 10
    ),
    "news": ((b"#! rnews %d\n" % len(ARTICLE) + ARTICLE) * 3, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", STREAMS)
def test_a_file(name, tmp_path):
    data, least = STREAMS[name]
    plant(tmp_path, {"file": data})
    check(lines(run("-n", tmp_path / "file")), data, least)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_a_mailbox(ending, tmp_path):
    data = MAILBOX.replace(b"\n", ending)
    plant(tmp_path, {"box": data})
    expected = lines(run("-n", tmp_path / "box"))
    check(expected, data, EXPECTED)
    assert lines(run("-n", "-u", tmp_path / "box")) == expected


def test_a_maildir(tmp_path):
    message = MESSAGES["fields and plain text"]
    plant(tmp_path / "in", {"cur/1.a:2,S": message, "new/": b"", "tmp/": b""})
    check(lines(run("-n", tmp_path / "in")), message)


def test_what_cannot_be_opened_again_has_the_line_in_its_text(tmp_path):
    """A stream, members of archives, and what is compressed."""
    box = POSTMARK + b"Subject: x\n\na\nsee http://a.example/\n"
    assert lines(run("-n", data=box)) == ["2:http://a.example/"]
    files = {
        "tar": tarred({"one": box}), "gz": gzip.compress(box), "bz2": bz2.compress(box),
        "news": b"#! gunbatch\n" + gzip.compress(b"#! rnews %d\n" % len(box[42:]) + box[42:]),
    }  # fmt: skip
    plant(tmp_path, files)
    for name in files:
        assert lines(run("-n", tmp_path / name)) == ["2:http://a.example/"]


def test_what_is_too_large_to_be_held(tmp_path):
    text = b"".join(
        b"a line of text\n" * 14 + b"see http://n%d.example/ x\n" % number for number in range(8_000)
    )
    page = b"Subject: x\nContent-Type: text/html\n\n<p>\n" + text
    data = MAILBOX + POSTMARK + b"Subject: long\n\n" + text + b"\n" + POSTMARK + page + b"\n" + MAILBOX
    plant(tmp_path, {"box": data})
    check(lines(run("-n", "-J1", tmp_path / "box")), data, 16_000)


def test_a_run_that_resumes(tmp_path):
    others = MAILBOX.replace(POSTMARK, POSTMARK + b"X-Other: 1\n")
    more = others.replace(b"X-Other: 1", b"X-Other: 2")
    for data in (MAILBOX, MAILBOX + others, MAILBOX + others + more):
        plant(tmp_path, {"box": data})
        check(lines(run("-n", "--state", "state", "box", cwd=tmp_path)), data, EXPECTED)


@pytest.mark.parametrize("sources", mostly_slow([["box", "other", "text"], ["box"], ["."]]), ids=str)
def test_several_processes(sources, tmp_path):
    """They get the stretches of a mailbox in any order."""
    box = MAILBOX * 60
    plant(tmp_path, {"box": box, "other": MAILBOX, "text": b"line\nsee http://text.example/\n" * 90})
    expected = run("-n", "-H", "-J1", *sources, cwd=tmp_path).stdout
    assert run("-n", "-H", "-J2", *sources, cwd=tmp_path).stdout == expected


def test_stretches_are_counted_in_any_order(tmp_path):
    box = MAILBOX * 60
    plant(tmp_path, {"box": box})
    stretches = list(Cutter(size=32 * 1024).stretches(str(tmp_path / "box")))
    assert len(stretches) > 1
    counted, numbers = FileLines(), {}
    for stretch in [*stretches[::2], *reversed(stretches)]:
        items = read_stretch(stretch, Origin(stretch.source, pytest.fail))
        for found in counted.numbered(found_in(items, options_of({}), pytest.fail)):
            numbers.setdefault(found.line, set()).add(found.raw.split()[0])
    in_file = box.decode("latin-1").split("\n")
    shown = [line for line, raws in numbers.items() for raw in raws if raw in in_file[line - 1]]
    assert len(shown) > 0.9 * sum(map(len, numbers.values()))


def test_a_url_is_not_seen_where_a_longer_one_begins_with_it(tmp_path):
    head = "Subject: x\nContent-Type: text/plain; charset=utf-8\n\n"
    text = f"{head}é http://a.example/x\n\nhttp://a.example/ http://a.example\n"
    plant(tmp_path, {"eml": text.encode()})
    assert lines(run("-n", tmp_path / "eml"))[:2] == ["4:http://a.example/x", "6:http://a.example/"]


def test_urls_of_one_message_are_counted_each(tmp_path):
    """A file that is named twice, a field with the same URL, and one that a soft break hides."""
    body = b"see=20\nhttp://a.example/=\npath\nhttp://a.example/x=20\n\nhttp://b.example/=20\n"
    head = b"Subject: http://b.example/\nContent-Transfer-Encoding: quoted-printable\n\n"
    plant(tmp_path, {"box": POSTMARK + head + body})
    expected = [
        "2:http://b.example/",
        "2:http://a.example/path",
        "8:http://a.example/x",
        "10:http://b.example/",
    ]
    assert lines(run("-n", tmp_path / "box")) == expected
    assert lines(run("-n", tmp_path / "box", tmp_path / "box")) == expected * 2


def test_records_have_the_line_in_the_part():
    assert lines(run("--fields", "line", data=POSTMARK + b"Subject: x\n\na\nhttp://a.example/\n")) == ["2"]


def test_vim_goes_there(tmp_path):
    vim, path = need("vim", "vim"), plant(tmp_path, {"box": MAILBOX}) / "box"
    how = {"capture_output": True, "timeout": LIMIT, "stdin": subprocess.DEVNULL}
    for printed in lines(run("-n", path)):
        number, _, url = printed.partition(":")
        words = [vim, "-es", "-u", "NORC", f"+{number}", "-c", "print", "-c", "qa!", str(path)]
        shown = subprocess.run(words, check=False, **how)
        assert url[: url.index(".exa")].encode() in shown.stdout, printed
