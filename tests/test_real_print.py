"""URLs formatted for troff, TeX, HTML and reST, rendered and read back (SPEC §7)."""

from __future__ import annotations

import html
import json
import os
import re
from typing import TYPE_CHECKING, Any

import docutils.core
import docutils.nodes
import pytest
from library import format_in_any_width
from realtools import need, run
from scans import urls_of

from urlextract import format_url

if TYPE_CHECKING:
    from pathlib import Path

URLS = [
    "http://www.example.org/docs/some-long-path/documentation/with%20escapes/and.more?query=value&b=1;c=%C3%A9#d-e",
    "http://a.example/~user/it's_$100,,ok!?x=(1)&y=[2]*+@",
    "http://web.archive.org/web/http://www.example.com/internationalization/documentation/administration.html",
    "ftp://me@ftp.example.net/pub/papers/a--very--hyphenated--name-of-a-paper-on-tides-and-harbours.ps.gz;type=i",
    "prospero://host.example/a-document//of/the/prospero/directory;attribute=value",
    "gopher://gopher.example.edu:70/00/papers/on.the.nature/of_things%09search%20words",
    "mailto:joe@example.org?subject=hyphenation%20in%20URLs&body=see%20the%20documentation",
    "http://a.example/&copy;/.hidden/'quoted'/100%25/x^~y", "http://a.example/labels/one|two|three",
]  # fmt: skip
CHROMIUM = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def check_line_ends(text: str) -> None:
    inside = [line.rstrip() for line in text.split("\n") if line.strip()]
    assert not [line for line in inside if re.search(r"(?:[-\u2010\u00ad]|%[0-9A-F]?)$", line)], inside
    assert "\u00ad" not in text
    assert "\u200b" not in text


def manual(urls: list[str], **how: Any) -> bytes:
    links = (format_url(url, target="man", **how) for url in urls)
    text = "".join(f"See the words at\n{link}\nfor more.\n.PP\n" for link in links)
    return f".TH URLS 1\n.SH NAME\nurls \\- some of them\n.SH TEXT\n{text}".encode()


def groffed(data: bytes, *arguments: str) -> str:
    groff = need("groff", "groff")
    return run(groff, "-Tutf8", "-man", "-P-c", "-P-b", "-P-u", *arguments, data=data).decode()


@pytest.mark.parametrize("columns", [24, 40, 58, 78])
def test_groff_keeps_every_wrapped_url(columns):
    shown = groffed(manual(URLS, brackets="URL:"), f"-rLL={columns}n")
    assert urls_of(shown) == URLS
    body = shown[shown.index("See the words") : shown.rindex("for more.")]
    check_line_ends(body)


# Characters that only a target with links of its own prints
ODD = [
    'http://a.example/b"c"', "http://a.example/b<c>", "gopher://a.example/b\\c{d}e{", "foo:bar,",
    "http://a.example/b.",
]  # fmt: skip


def links_in(shown: str) -> list[str]:
    """Return the URLs in the brackets that groff and mandoc put around a link."""
    return [re.sub(r"\s", "", url) for url in re.findall("\u27e8(.*?)\u27e9", shown, re.DOTALL)]


@pytest.mark.parametrize("columns", [24, 40, 58, 78])
def test_groff_shows_every_link_whole(columns):
    shown = groffed(manual(URLS + ODD), f"-rLL={columns}n")
    assert links_in(shown) == URLS + ODD
    check_line_ends("".join(re.findall("\u27e8.*?\u27e9", shown, re.DOTALL)))
    # The text after each link goes on in the same paragraph.
    assert len(re.findall(r"\u27e9\s+for\s+more\.", shown)) == len(URLS + ODD)


def test_groff_shows_punctuation_right_after_a_link():
    text = f"See\n{format_url('http://a.example/b.', target='man')} ,\nor not.\n"
    assert "See \u27e8http://a.example/b.\u27e9, or not." in groffed(f".TH A 1\n.SH B\n{text}".encode())


def test_man_shows_a_page_with_links(tmp_path):
    man = need("man-db", "man")
    page = tmp_path / "urls.1"
    page.write_bytes(manual(URLS + ODD))
    environment = {**os.environ, "MANWIDTH": "60", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"}
    shown = run(man, "-l", page, env=environment).decode()
    assert links_in(re.sub(".\b", "", shown)) == URLS + ODD


def test_groff_without_man_macros_keeps_every_url():
    groff = need("groff", "groff")
    text = "".join(f"See\n{format_url(url, target='man', brackets='<>')}\n.br\n" for url in URLS[3:5])
    shown = run(groff, "-Tascii", data=f".ll 30n\n.nh\n{text}".encode()).decode()
    assert urls_of(shown) == URLS[3:5]


@pytest.mark.parametrize("columns", [30, 58, 78])
def test_mandoc_keeps_every_url(columns, tmp_path):
    mandoc = need("mandoc", "mandoc")
    for how, opening in (({"brackets": "URL:"}, "<URL:"), ({}, "<")):
        (tmp_path / "urls.1").write_bytes(manual(URLS, **how))
        shown = run(mandoc, "-Tutf8", "-O", f"width={columns}", tmp_path / "urls.1").decode()
        text = re.sub(".\b", "", shown)
        assert re.findall(rf"{opening}([^>]*)>", text) == URLS
        assert urls_of(text) == URLS


def typeset(folder: Path, centimetres: int, urls: list[str], **how: Any) -> tuple[str, list[str]]:
    """Return the text of a page that LaTeX makes of URLs, and its links."""
    pdflatex, pdftotext = need("texlive-latex-base", "pdflatex"), need("poppler-utils", "pdftotext")
    links = (format_url(url, target="latex", **how) for url in urls)
    paragraphs = "".join(f"See the words at {link}, for more.\n\n" for link in links)
    source = (
        r"\documentclass{article}\usepackage{hyperref}"
        rf"\usepackage[paperwidth={centimetres}cm,paperheight=60cm,margin=4mm]{{geometry}}"
        rf"\pagestyle{{empty}}\begin{{document}}\sloppy{{}}{paragraphs}\end{{document}}"
    )
    (folder / "urls.tex").write_text(source)
    run(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "urls.tex", cwd=folder)
    shown = run(pdftotext, "-raw", folder / "urls.pdf", "-").decode()
    info = run(pdftotext.replace("pdftotext", "pdfinfo"), "-url", folder / "urls.pdf").decode()
    return shown, list(dict.fromkeys(line.split(maxsplit=2)[2] for line in info.splitlines()[1:]))


@pytest.mark.parametrize("centimetres", [5, 9, 16])
def test_latex_keeps_every_wrapped_url_and_link(centimetres, tmp_path):
    shown, links = typeset(tmp_path, centimetres, URLS, brackets="URL:")
    assert urls_of(shown) == URLS
    check_line_ends(shown)
    assert links == URLS


@pytest.mark.parametrize("centimetres", [5, 16])
def test_latex_shows_every_link_whole(centimetres, tmp_path):
    shown, links = typeset(tmp_path, centimetres, URLS + ODD)
    assert links == URLS + ODD
    whole = re.sub(r"\s", "", shown)
    assert re.findall(r"thewordsat(.*?),formore\.", whole) == URLS + ODD


SCRIPT = """
const texts = [], links = [];
for (const p of document.querySelectorAll("p")) {
  getSelection().selectAllChildren(p);
  texts.push(getSelection().toString());
}
for (const a of document.querySelectorAll("a")) links.push(a.getAttribute("href"));
document.body.setAttribute("data-seen", JSON.stringify({texts, links}));
"""


@pytest.fixture(scope="module", params=["URL:", "auto"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    paragraphs = "".join(
        f"<p>See the words at {format_url(url, target='html', brackets=request.param)}, for more.</p>"
        for url in URLS
    )
    path = tmp_path_factory.mktemp("page") / "urls.html"
    path.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><title>-</title>'
        f'<body style="width:16em">{paragraphs}<script>{SCRIPT}</script>'
    )
    return path


def browse(page: Path, *arguments: str) -> bytes:
    profile = f"--user-data-dir={page.parent}/profile"
    return run(need("chromium", "chromium"), *CHROMIUM, profile, *arguments, page)


def test_html_selection_has_every_url(page):
    dumped = browse(page, "--dump-dom").decode()
    seen = json.loads(html.unescape(re.search(r'data-seen="([^"]*)"', dumped)[1]))
    assert [urls_of(text) for text in seen["texts"]] == [[url] for url in URLS]
    assert seen["links"] == URLS
    assert all("\u200b" not in text for text in seen["texts"])


def test_printed_html_keeps_every_url(page):
    pdftotext, target = need("poppler-utils", "pdftotext"), page.with_suffix(".pdf")
    browse(page, f"--print-to-pdf={target}", "--no-pdf-header-footer")
    shown = run(pdftotext, "-raw", target, "-").decode()
    whole = re.sub(r"\s", "", shown)
    assert re.findall(r"thewordsat(?:<URL:)?(.*?)>?,formore\.", whole) == URLS
    check_line_ends(shown)


@pytest.mark.parametrize("wrapper", ["auto", "URL:"])
@pytest.mark.parametrize("width", [20, 40, 72])
def test_rst_links_to_every_url(width, wrapper):
    urls = [*URLS, *ODD, "http://a.example/ends_in_", "http://a.example/b`c`", "foo:bar_"]
    how = {"target": "rst", "width": width, "prefix": "  ", "brackets": wrapper}
    links = (format_in_any_width(url, **how) for url in urls)
    source = "".join(f"* See the words at\n{link}\n  for more.\n\n" for link in links)
    tree = docutils.core.publish_doctree(source, settings_overrides={"halt_level": 2})
    assert [link["refuri"] for link in tree.findall(docutils.nodes.reference)] == urls
    shown = [item.astext() for item in tree.findall(docutils.nodes.list_item)]
    before, after = ("<URL:", ">") if wrapper == "URL:" else ("", "")
    assert shown == [f"See the words at\n{before}{url}{after}\nfor more." for url in urls]
