"""The option ``unwrap`` and the keys ``unwrapped`` and ``wrapped_by``, in the library and the command."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from commands import lines, outcome, run
from library import extract_urls

from urlextract import Extractor, Found, examine, extract, extract_html, extract_message

READER = "ada%40a.example"
GATE = "https://eur01.safelinks.protection.outlook.com/"
LINK = f"{GATE}?url=https%3A%2F%2Fwww.a.example%2Fx%3Fy%3D1&data=05%7C{READER}&reserved=0"
TARGET = "https://www.a.example/x?y=1"
UNKNOWN = "https://protect-eu.mimecast.com/s/AbC1?domain=a.example"
TELEPHONE = f"{GATE}?url=tel%3A12&data=05%7C{READER}&sdata=x&reserved=0"
TEXT = (
    f"See {LINK},\n<{LINK}> and <URL:{LINK[:60]}\n{LINK[60:]}>.\n"
    f"In {TELEPHONE} or {UNKNOWN}\nand http://b.example/.\n"
)
TARGETS = [TARGET, TARGET, TARGET, f"{GATE}?url=tel%3A12&reserved=0", UNKNOWN, "http://b.example/"]
ANOTHER = f"{GATE}?url=http%3A%2F%2Fharbour.example%2F&amp;data={READER}"
PAGE = "<html>" + "\n".join(
    f"<a href='{LINK}'>{text}</a>"
    for text in ("www.a.example/x?y=1", LINK, "www.harbour.example", f"at {LINK}", ANOTHER)
)


def test_records_have_the_target_of_a_rewritten_link():
    found = list(extract(TEXT))
    assert [each.unwrapped for each in found] == [TARGET, TARGET, TARGET, None, None, None]
    assert [each.wrapped_by for each in found] == [*["SafeLinks"] * 4, "Mimecast", None]
    assert [each.url for each in found][:3] == [LINK] * 3
    assert [each.host for each in found][:1] == ["eur01.safelinks.protection.outlook.com"]


def test_targets_are_the_results():
    found = list(extract(TEXT, unwrap=True))
    assert [each.url for each in found] == TARGETS
    assert [each.unwrapped for each in found] == [TARGET, TARGET, TARGET, None, None, None]
    assert [each.wrapped_by for each in found] == [*["SafeLinks"] * 4, "Mimecast", None]
    assert {each.host for each in found[:3]} == {"www.a.example"}
    assert [each.span for each in found] == [each.span for each in extract(TEXT)]
    assert list(extract_urls(TEXT, unwrap=True)) == TARGETS
    assert list(extract_urls(iter(TEXT), unwrap=True)) == TARGETS


@pytest.mark.parametrize("hyphen", ["keep", "both"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_targets_do_not_depend_on_the_pieces(size, hyphen):
    extractor = Extractor(unwrap=True, hyphen=hyphen)
    pieces = (TEXT[at : at + size] for at in range(0, len(TEXT), size))
    found = [each for piece in pieces for each in extractor.feed(piece)]
    assert [*found, *extractor.close()] == list(extract(TEXT, unwrap=True, hyphen=hyphen))


@pytest.mark.parametrize("options", [{"unwrap": True}, {}])
def test_records_come_back_from_their_dictionaries(options):
    page = list(extract_html(PAGE, **options))
    for found in [*extract(TEXT, **options), *page]:
        assert Found.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_no_record_of_a_target_names_the_reader():
    found = [*extract(TEXT, unwrap=True), *extract_html(PAGE, unwrap=True)]
    assert len(found) > len(TARGETS)
    assert not [each for each in found if READER in json.dumps(each.to_dict())]


READERS = {
    "SafeLinks in SafeLinks": f"{GATE}?url={quote(TELEPHONE, safe='')}&data=x&reserved=0",
    "SafeLinks in a search": f"https://www.google.com/url?q={quote(TELEPHONE, safe='')}",
    "the reader first": f"{GATE}?data=05%7C{READER}&url=tel%3A12&reserved=0",
    "the reader alone": f"{GATE}?data=05%7C{READER}",
    "another case": f"{GATE}?url=tel%3A12&Data=05%7C{READER}",
    "a reference": f"{GATE}?url=tel%3A12&#38;data=05%7C{READER}",
    "an unknown tracker": f"https://tracker.example/?u={quote(TELEPHONE, safe='')}",
    "an archive": f"https://archive.example/web/2026/{TELEPHONE}",
}


@pytest.mark.parametrize("link", READERS.values(), ids=READERS)
def test_reader_is_never_named(link):
    texts = [f"see {link} now", f"<{link}>"]
    pages = [f"<html><a href='{link}'>{text}</a>" for text in ("x", link)]
    found = [each for text in texts for each in extract(text, unwrap=True)]
    found += [each for page in pages for each in extract_html(page, unwrap=True)]
    printed = json.dumps([each.to_dict() for each in found])
    assert len(found) == 4
    assert "ada" not in printed
    assert "ada" not in " ".join(extract_urls(texts[0], unwrap=True))


def test_reader_is_not_named_in_a_text_that_was_broken():
    text = f"{LINK[:100]} {LINK[100:]}"
    (found,) = (
        each for each in extract_html(f"<html><a href='{LINK}'>{text}</a>", unwrap=True) if each.element
    )
    assert "ada" not in json.dumps(found.to_dict())


def test_link_that_shows_where_a_gateway_leads_to_is_no_lie():
    links = [each for each in extract_html(PAGE) if each.element]
    assert [each.differs for each in links] == [None, None, "domain", None, "domain"]
    assert [bool(each.defects) for each in links] == [False, False, True, False, True]
    assert [each.url for each in extract_html(PAGE, unwrap=True) if not each.element][:1] == [
        "http://www.harbour.example"
    ]
    assert len([each for each in extract_html(PAGE) if each.url == "http://www.a.example/x?y=1"]) == 0


def test_schemes_and_strictness_are_those_of_the_target():
    link = "https://www.google.com/url?q=ftp://ftp.a.example/pub/"
    assert [each.url for each in extract(link, unwrap=True, schemes="ftp")] == ["ftp://ftp.a.example/pub/"]
    assert list(extract(link, unwrap=True, schemes="https")) == []
    bad = "https://www.google.com/url?q=https://a.example:99999/"
    assert list(extract(bad, unwrap=True, valid=True)) == []
    assert [each.url for each in extract(bad, valid=True)] == [bad]


def test_rewritten_link_in_a_message_is_decoded():
    data = b"Subject: x\nContent-Transfer-Encoding: quoted-printable\n\n" + LINK.replace("=", "=3D").encode()
    assert [each.url for each in extract_message(data, unwrap=True)] == [TARGET]
    assert [each.url for each in examine(LINK, unwrap=True) if isinstance(each, Found)] == [TARGET]


@pytest.mark.parametrize("name", ["mail.eml", "note.txt", "page.html"])
def test_command_prints_targets(tmp_path, name):
    path = tmp_path / name
    path.write_text(PAGE if name == "page.html" else TEXT if name == "note.txt" else f"Subject: x\n\n{TEXT}")
    records = [json.loads(line) for line in lines(run("--unwrap", "-j", path))]
    urls = [record["url"] for record in records]
    assert urls[:3] == [TARGET, TARGET, TARGET]
    assert lines(run("--unwrap", path)) == urls
    assert lines(run("--unwrap", "--raw", path)) == [record["raw"] for record in records]
    assert lines(run("--unwrap", "-J", "2", path)) == urls
    assert lines(run("--unwrap", "-u", path)) == list(dict.fromkeys(urls))
    assert READER not in "\n".join([*urls, json.dumps(records)])
    assert outcome("--unwrap", "-c", path)[1] == f"{len(urls)}\n"


@pytest.mark.parametrize("after", ["...", "\u2026 for it"])
def test_link_that_was_cut_has_no_target(after):
    link = "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fwww.a.example%2fpath%2fpa"
    (found,) = extract(f"See {link}{after}", unwrap=True)
    assert (found.url, found.unwrapped, found.wrapped_by) == (link, None, "Barracuda")
    (whole,) = extract(f"See {link}&c=E,1{after}", unwrap=True)
    assert whole.url == "https://www.a.example/path/pa"
    assert list(extract_urls(f"See {link}{after}", unwrap=True)) == [link]
