"""What is not read, or only in part, is told: of a file that was named as trouble, of others once a kind."""

import gzip
import io
import pickle
import re

import pytest
from commands import outcome
from packing import plant, tarred, zip_of
from sampled import mostly_slow
from slices import read

from urlextract import SourceError, extract_source, index_sources
from urlextract.sources.streams import BLOCK

URL = "http://a.example/"
TEXT = f"{URL}\n"


def zipped(members, encrypted=""):
    """Return a zip archive; members whose names begin so are marked as encrypted."""
    data = bytearray(
        zip_of({name: data.encode() if isinstance(data, str) else data for name, data in members.items()})
    )
    for begin, flags, name_at in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        for each in re.finditer(re.escape(begin), bytes(data)):
            if encrypted and data.startswith(encrypted.encode(), each.start() + name_at):
                data[each.start() + flags] |= 1
    return bytes(data)


def pdf(stream):
    return (
        f"%PDF-1.7\n%\xe2\xe3\n4 0 obj\n<< {stream} >>\nstream\n".encode("latin-1")
        + bytes(90)
        + b"\nendstream\n"
    )


OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
UNREAD = {
    "msg": (OLD_OFFICE, "msgconvert"),
    "doc": (OLD_OFFICE, "catdoc"),
    "pst": (b"!BDN\x80\xa8\x01\x02SM" + bytes(600), "readpst"),
    "rar": (b"Rar!\x1a\x07\x01\x00" + bytes(600), "unrar"),
    "z01": (b"PK\7\x08" + zipped({"1.eml": URL}), "zip -s 0"),
    "db": (b"SQLite format 3\0" + bytes(600), "sqlite3 FILE .dump"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(600), "7z x"),
    "zip": (zipped({"1.eml": b"x", "1.txt": b"y"}, encrypted="1"), "unzip it first"),
    **{
        name: (pdf(words), "pdftotext")
        for name, words in {
            "flate.pdf": "/Length 90 /Filter /FlateDecode",
            "lzw.pdf": "/Filter [/ASCII85Decode/LZWDecode]",
            "encrypted.pdf": "/Encrypt 5 0 R",
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", UNREAD)
def test_file_that_is_named_is_told_and_is_trouble(kind, tmp_path):
    data, tool = UNREAD[kind]
    for name, content in ((f"a.{kind}", data), (f"a.{kind}.gz", gzip.compress(data))):
        status, out, said = outcome(name, cwd=plant(tmp_path, {name: content}))
        assert (status, out) == (2, "")
        assert re.fullmatch(rf"urlextract: {re.escape(name)}: [^\n]*{tool}[^\n]*\n", said)
    status, _, said = outcome(data=data)
    assert (status, said[:14], said.count("\n")) == (2, "urlextract: -:", 1)
    with pytest.raises(SourceError, match=tool):
        list(extract_source(io.BytesIO(data)))


HOW = [[], ["-J", "2"], ["--state", "state"], ["-c"], ["index", "links.db"]]


@pytest.mark.parametrize("words", mostly_slow(HOW), ids=" ".join)
@pytest.mark.parametrize("kind", mostly_slow(UNREAD))
def test_files_in_a_directory_are_counted_and_no_trouble(kind, words, tmp_path):
    data, tool = UNREAD[kind]
    archive = tarred({"one": data, "t.zip": zipped({"two": data, "t": URL})})
    files = {f"{number}.{kind}": data for number in range(3)}
    plant(tmp_path / "mail" / "inside", {**files, "packed.gz": gzip.compress(data), "s.tar": archive})
    status, _, said = outcome(*words, "mail", cwd=tmp_path)
    first = re.escape(f"mail/inside/0.{kind}")
    assert re.fullmatch(rf"urlextract: {first}, and 5 more: [^\n]*{tool}[^\n]*\n", said)
    assert status == 0


def test_status_is_that_of_what_is_read(tmp_path):
    plant(tmp_path, {"a.rar": UNREAD["rar"][0]})
    status, _, said = outcome(".", cwd=tmp_path)
    assert (status, said.count("\n")) == (2, 2)  # there is no message at all
    plant(tmp_path, {"text": "no URL\n"})
    status, _, said = outcome(".", cwd=tmp_path)
    assert (status, said.count("\n")) == (1, 1)


def test_each_kind_is_told_for_each_directory(tmp_path):
    for folder in ("a", "b"):
        for number in "12":
            plant(tmp_path / folder, {f"{number}.{kind}": data for kind, (data, _) in UNREAD.items()})
    kinds = len({data for data, _ in UNREAD.values()}) - 2  # the PDFs are one
    lines = outcome("a", "b", cwd=tmp_path)[2].splitlines()
    assert [sum(f": {folder}/" in line for line in lines) for folder in "ab"] == [kinds, kinds]


def test_members_of_an_archive_are_counted(tmp_path):
    """They were not named; of the archive itself see above. Other members of an encrypted one are read."""
    outlook = UNREAD["pst"][0]
    plant(tmp_path, {"a.zip": zipped({"1.pst": outlook, "2": outlook, "t": URL})})
    status, out, said = outcome("a.zip", cwd=tmp_path)
    assert (status, out) == (0, TEXT)
    assert said.startswith("urlextract: a.zip/1.pst, and 1 more: ")
    items, (_,) = read(zipped({"1": b"x", "2": URL, "3": b"y" * BLOCK}, encrypted="1"))
    assert [item.source for item in items] == ["2", "3"]


IMAGE = b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(2000)
SILENT = {
    "photo.jpg": IMAGE, "program": b"\x7fELF\2\1\1" + bytes(2000), "photos.zip": zipped({"1.jpg": IMAGE}),
    "plain.pdf": pdf("/Length 90"), "notes.txt": b"%PDF-1.7 is compressed by /FlateDecode\n",
    "words.txt": b"/FlateDecode is a filter of PDF\n", "empty.msg": b"", "text.doc": b"text\n",
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_told_of_other_files(name, tmp_path):
    plant(tmp_path, {name: SILENT[name], "text": URL})
    assert outcome(".", cwd=tmp_path) == (0, TEXT, "")


def test_what_of_a_pdf_is_plain_is_read_before_it_is_told():
    data = (
        b"%PDF-1.4\r1 0 obj << /URI (http://a.example/) >>\r2 0 obj << /Filter /FlateDecode >>\rstream\r\0\r"
    )
    for size in (1, 7, BLOCK):
        assert [(item.data, len(damage)) for items, damage in [read(data, size=size)] for item in items] == [
            (data, 1)
        ]
    assert [found.url for found in extract_source(io.BytesIO(data), on_damage=str)] == [URL]
    for before in (b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"):  # blanks make it no text
        for size in (1, 7, BLOCK):
            (damage,) = read(before + UNREAD["flate.pdf"][0], size=size)[1]
            assert damage.cause.startswith("the compressed text of a PDF")


def test_library_tells_and_does_not_raise(tmp_path):
    plant(tmp_path, {"in/a.rar": UNREAD["rar"][0], "in/text": URL})
    assert [found.url for found in extract_source(tmp_path / "in")] == [URL]
    assert index_sources(tmp_path / "links.db", tmp_path / "in").places == 1
    damage = []
    list(extract_source(tmp_path / "in", on_damage=damage.append))
    (error,) = damage
    assert (error.source, error.within) == (str(tmp_path / "in" / "a.rar"), str(tmp_path / "in"))
    assert pickle.loads(pickle.dumps(error)).within == error.within
    with pytest.raises(SourceError, match="unrar") as raised:
        list(extract_source(tmp_path / "in" / "a.rar"))
    assert raised.value.within is None
