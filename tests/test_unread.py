"""What is not read, or only in part, is told: of a file that was named as trouble, of others once a kind."""

from __future__ import annotations

import gzip
import io
import pickle
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from commands import run
from packing import tarred
from sampled import mostly_slow
from slices import read_slices

from urlextract import SourceError, extract_source, index_sources
from urlextract.sources.streams import BLOCK

URL = "http://a.example/"


def zipped(members: dict[str, bytes], *, encrypted: str = "") -> bytes:
    """Return a zip archive; members whose names begin so are marked as encrypted."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    data = bytearray(stream.getvalue())
    for begin, flags, name_at in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        for each in re.finditer(re.escape(begin), bytes(data)):
            if encrypted and data.startswith(encrypted.encode(), each.start() + name_at):
                data[each.start() + flags] |= 1
    return bytes(data)


def pdf(stream: str) -> bytes:
    return (
        f"%PDF-1.7\n%\xe2\xe3\n4 0 obj\n<< {stream} >>\nstream\n".encode("latin-1")
        + bytes(90)
        + b"\nendstream\n"
    )


OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
UNREAD = {
    "msg": (OLD_OFFICE, "msgconvert"),
    "doc": (OLD_OFFICE, "catdoc"),
    "pst": (b"!BDN\x80\xa8\x01\x02" + bytes(600), "readpst"),
    "rar": (b"Rar!\x1a\x07\x01\x00" + bytes(600), "unrar"),
    "z01": (b"PK\7\x08" + zipped({"1.eml": URL.encode()}), "zip -s 0"),
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
def test_file_that_is_named_is_told_and_is_trouble(kind: str, tmp_path: Path) -> None:
    data, tool = UNREAD[kind]
    for name, content in ((f"a.{kind}", data), (f"a.{kind}.gz", gzip.compress(data))):
        (tmp_path / name).write_bytes(content)
        done = run(name, cwd=tmp_path)
        assert (done.stdout, done.returncode) == (b"", 2)
        assert re.fullmatch(rf"urlextract: {re.escape(name)}: [^\n]*{tool}[^\n]*\n", done.stderr.decode())
    done = run(data=data)
    assert (done.returncode, done.stderr[:14], done.stderr.count(b"\n")) == (2, b"urlextract: -:", 1)
    with pytest.raises(SourceError, match=tool):
        list(extract_source(io.BytesIO(data)))


HOW = [[], ["-J", "2"], ["--state", "state"], ["-c"], ["index", "links.db"]]


@pytest.mark.parametrize("words", mostly_slow(HOW), ids=" ".join)
@pytest.mark.parametrize("kind", mostly_slow(UNREAD))
def test_files_in_a_directory_are_counted_and_no_trouble(kind: str, words: list[str], tmp_path: Path) -> None:
    data, tool = UNREAD[kind]
    inside = tmp_path / "mail" / "inside"
    inside.mkdir(parents=True)
    for number in range(3):
        (inside / f"{number}.{kind}").write_bytes(data)
    (inside / "packed.gz").write_bytes(gzip.compress(data))
    (inside / "s.tar").write_bytes(tarred({"one": data, "t.zip": zipped({"two": data, "t": URL.encode()})}))
    done = run(*words, "mail", cwd=tmp_path)
    first = f"mail/inside/0.{kind}"
    assert re.fullmatch(
        rf"urlextract: {re.escape(first)}, and 5 more: [^\n]*{tool}[^\n]*\n", done.stderr.decode()
    ), done.stderr
    assert done.returncode == 0


def test_status_is_that_of_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.rar").write_bytes(UNREAD["rar"][0])
    done = run(".", cwd=tmp_path)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 2)  # there is no message at all
    (tmp_path / "text").write_text("no URL\n")
    done = run(".", cwd=tmp_path)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


def test_each_kind_is_told_for_each_directory(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for kind, (data, _) in UNREAD.items():
            (tmp_path / folder / f"1.{kind}").write_bytes(data)
            (tmp_path / folder / f"2.{kind}").write_bytes(data)
    kinds = len({data for data, _ in UNREAD.values()}) - 2  # the PDFs are one
    done = run("a", "b", cwd=tmp_path)
    lines = done.stderr.decode().splitlines()
    assert [sum(f": {folder}/" in line for line in lines) for folder in "ab"] == [kinds, kinds]


def test_members_of_an_archive_are_counted(tmp_path: Path) -> None:
    """They were not named; of the archive itself see above."""
    (tmp_path / "a.zip").write_bytes(
        zipped({"1.pst": UNREAD["pst"][0], "2": UNREAD["pst"][0], "t": URL.encode()})
    )
    done = run("a.zip", cwd=tmp_path)
    assert (done.stdout.decode(), done.returncode) == (f"{URL}\n", 0)
    assert done.stderr.startswith(b"urlextract: a.zip/1.pst, and 1 more: ")


def test_other_members_of_an_encrypted_zip_are_read() -> None:
    damage: list[SourceError] = []
    archive = zipped({"1": b"x", "2": URL.encode(), "3": b"y" * BLOCK}, encrypted="1")
    assert [found.url for found in extract_source(io.BytesIO(archive), on_damage=damage.append)] == [URL]
    assert len(damage) == 1


SILENT = {
    "photo.jpg": b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(2000), "program": b"\x7fELF\2\1\1" + bytes(2000),
    "photos.zip": zipped({"1.jpg": b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(2000)}),
    "plain.pdf": pdf("/Length 90"), "notes.txt": b"%PDF-1.7 is compressed by /FlateDecode\n",
    "words.txt": b"/FlateDecode is a filter of PDF\n", "empty.msg": b"", "text.doc": b"text\n",
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_told_of_other_files(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(SILENT[name])
    (tmp_path / "text").write_text(URL)
    done = run(".", cwd=tmp_path)
    assert (done.stdout.decode(), done.stderr, done.returncode) == (f"{URL}\n", b"", 0)


def test_what_of_a_pdf_is_plain_is_read_before_it_is_told() -> None:
    data = (
        b"%PDF-1.4\r1 0 obj << /URI (http://a.example/) >>\r2 0 obj << /Filter /FlateDecode >>\rstream\r\0\r"
    )
    told: list[Any] = []
    for size in (1, 7, BLOCK):
        blocks = [data[at : at + size] for at in range(0, len(data), size)]
        stream = io.BytesIO(data)
        stream.read1 = lambda _, blocks=blocks: blocks.pop(0) if blocks else b""  # type: ignore[method-assign]
        told.clear()
        assert [found.url for found in extract_source(stream, on_damage=told.append)] == [URL]
        assert len(told) == 1


@pytest.mark.parametrize("before", [b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
def test_blanks_before_a_pdf_make_it_no_text(before: bytes) -> None:
    data = before + UNREAD["flate.pdf"][0]
    for size in (1, 7, BLOCK):
        assert read_slices(data, size, "auto")[1][0].cause.startswith("the compressed text of a PDF")


def test_library_tells_and_does_not_raise(tmp_path: Path) -> None:
    (tmp_path / "a.rar").write_bytes(UNREAD["rar"][0])
    (tmp_path / "text").write_text(URL)
    assert [found.url for found in extract_source(tmp_path)] == [URL]
    assert index_sources(tmp_path / "links.db", tmp_path).places == 1
    damage: list[SourceError] = []
    list(extract_source(tmp_path, on_damage=damage.append))
    (error,) = damage
    assert (error.source, error.within) == (str(tmp_path / "a.rar"), str(tmp_path))
    assert pickle.loads(pickle.dumps(error)).within == error.within
    with pytest.raises(SourceError, match="unrar") as raised:
        list(extract_source(tmp_path / "a.rar"))
    assert raised.value.within is None
