"""URLs formatted for troff, TeX, HTML, reST and CommonMark, rendered and read back (SPEC §7)."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from realtools import ROOT, need, run
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
    "http://a.example/&copy;/.hidden/'quoted'/100%25/x^~y",
    "http://a.example/labels/one|two|three",
]
CHROMIUM = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def check_line_ends(text: str) -> None:
    """Check that no rendered line ends in a hyphen or within an escape."""
    inside = [line.rstrip() for line in text.split("\n") if line.strip()]
    assert not [line for line in inside if re.search(r"(?:[-\u2010\u00ad]|%[0-9A-F]?)$", line)], inside
    assert "\u00ad" not in text
    assert "\u200b" not in text


def manual(urls: list[str]) -> bytes:
    text = "".join(f"See the words at\n{format_url(url, target='man')}\nfor more.\n.PP\n" for url in urls)
    return f".TH URLS 1\n.SH NAME\nurls \\- some of them\n.SH TEXT\n{text}".encode()


@pytest.mark.parametrize("columns", [24, 40, 58, 78])
def test_groff_keeps_every_url(columns):
    groff = need("groff", "groff")
    shown = run(
        groff, "-Tutf8", "-man", f"-rLL={columns}n", "-P-c", "-P-b", "-P-u", data=manual(URLS)
    ).decode()
    assert urls_of(shown) == URLS
    body = shown[shown.index("See the words") : shown.rindex("for more.")]
    check_line_ends(body)


def test_groff_without_man_macros_keeps_every_url():
    groff = need("groff", "groff")
    text = "".join(f"See\n{format_url(url, target='man', wrapper='<>')}\n.br\n" for url in URLS[3:5])
    shown = run(groff, "-Tascii", data=f".ll 30n\n.nh\n{text}".encode()).decode()
    assert urls_of(shown) == URLS[3:5]


@pytest.mark.parametrize("columns", [30, 58, 78])
def test_mandoc_keeps_every_url(columns, tmp_path):
    mandoc = need("mandoc", "mandoc")
    (tmp_path / "urls.1").write_bytes(manual(URLS))
    shown = run(mandoc, "-Tutf8", "-O", f"width={columns}", tmp_path / "urls.1").decode()
    assert urls_of(re.sub(".\b", "", shown)) == URLS


@pytest.mark.parametrize("centimetres", [5, 9, 16])
def test_latex_keeps_every_url_and_link(centimetres, tmp_path):
    pdflatex, pdftotext = need("texlive-latex-base", "pdflatex"), need("poppler-utils", "pdftotext")
    paragraphs = "".join(f"See the words at {format_url(url, target='latex')}, for more.\n\n" for url in URLS)
    source = (
        r"\documentclass{article}\usepackage{hyperref}"
        rf"\usepackage[paperwidth={centimetres}cm,paperheight=50cm,margin=4mm]{{geometry}}"
        rf"\pagestyle{{empty}}\begin{{document}}\sloppy{{}}{paragraphs}\end{{document}}"
    )
    (tmp_path / "urls.tex").write_text(source)
    run(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "urls.tex", cwd=tmp_path)
    shown = run(pdftotext, "-raw", tmp_path / "urls.pdf", "-").decode()
    assert urls_of(shown) == URLS
    check_line_ends(shown)
    info = run(pdftotext.replace("pdftotext", "pdfinfo"), "-url", tmp_path / "urls.pdf").decode()
    linked = dict.fromkeys(line.split(maxsplit=2)[2] for line in info.splitlines()[1:])
    assert list(linked) == URLS


SCRIPT = """
const texts = [], links = [];
for (const p of document.querySelectorAll("p")) {
  getSelection().selectAllChildren(p);
  texts.push(getSelection().toString());
}
for (const a of document.querySelectorAll("a")) links.push(a.getAttribute("href"));
document.body.setAttribute("data-seen", JSON.stringify({texts, links}));
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    paragraphs = "".join(
        f"<p>See the words at {format_url(url, target='html')}, for more.</p>" for url in URLS
    )
    path = tmp_path_factory.mktemp("page") / "urls.html"
    path.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><title>-</title>'
        f'<body style="width:16em">{paragraphs}<script>{SCRIPT}</script>'
    )
    return path


def browse(page: Path, *arguments: str) -> bytes:
    return run(
        need("chromium", "chromium"), *CHROMIUM, f"--user-data-dir={page.parent}/profile", *arguments, page
    )


def test_html_selection_has_every_url(page):
    dumped = browse(page, "--dump-dom").decode()
    seen = json.loads(html.unescape(re.search(r'data-seen="([^"]*)"', dumped)[1]))
    assert [urls_of(text) for text in seen["texts"]] == [[url] for url in URLS]
    assert seen["links"] == URLS
    assert all("\u200b" not in text for text in seen["texts"])


def test_printed_html_keeps_every_url(page):
    pdftotext = need("poppler-utils", "pdftotext")
    target = page.with_suffix(".pdf")
    browse(page, f"--print-to-pdf={target}", "--no-pdf-header-footer")
    shown = run(pdftotext, "-raw", target, "-").decode()
    assert urls_of(shown) == URLS
    check_line_ends(shown)


@pytest.mark.parametrize("width", [20, 40, 72])
def test_rst_links_to_every_url(width):
    # In brackets, a label may come after a bar, so such a URL is refused.
    urls = [*(url for url in URLS if "|" not in url), "http://a.example/ends_in_"]
    how = {"target": "rst", "width": width, "prefix": "  ", "overflow": "keep"}
    source = "".join(f"* See the words at\n{format_url(url, **how)}\n  for more.\n\n" for url in urls)
    shown = run(
        sys.executable, "-m", "docutils", "--writer=pseudoxml", "--halt=2", data=source.encode()
    ).decode()
    assert re.findall(r'refuri="([^"]*)"', shown) == urls
    assert "problematic" not in shown


def test_markdown_links_to_every_url():
    source = "".join(f"See the words at\n{format_url(url, target='markdown')}\nfor more.\n\n" for url in URLS)
    renderer = "import markdown_it, sys; print(markdown_it.MarkdownIt('commonmark').parse(sys.stdin.read()))"
    shown = run(sys.executable, "-c", renderer, data=source.encode()).decode()
    targets = re.findall(r"""attrs=\{'href': (?:'([^']*)'|"([^"]*)")""", shown)
    # CommonMark does not say which characters of a target a parser encodes.
    assert [unquote(one or other) for one, other in targets] == [unquote(url) for url in URLS]


def test_format_command_prints_what_format_url_returns(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "urlextract", "format", "-t", "man", URLS[0]],
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stdout.decode() == format_url(URLS[0], target="man") + "\n"
