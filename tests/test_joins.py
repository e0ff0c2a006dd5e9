"""Bare URLs at the end of a line: which are joined with the next lines, and which never are (SPEC §3)."""

from pathlib import Path

import pytest
from commands import outcome
from hypothesis import given
from hypothesis import strategies as st
from remarks import without_contexts, words
from scans import urls_of

from urlextract import Found, examine, extract, rewrap
from urlextract.linebreaks.joining import Join

JOINS: tuple[Join, ...] = ("none", "delimited", "safe", "likely")

FILL = """\
The tables of the harbour were printed by the office each year, and are
now kept by the library of the town, which has scanned all but three of
them.  The rest are on paper.

"""
HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def one_line(*lines: str) -> str:
    return "".join(line.strip(" >|\r") for line in lines)


# By what the URL is broken at: the lines that are the URL
JOINED = {
    "a hyphen": ("https://lists.example.org/archives/list/harbour/thread/2026-", "November/AB3Q7Z/"),
    "a word cut at the column": (
        "https://www.example.com/kernel/invoice-meeting-summer/tables/2014-March/9965", "21.html?view=all"),
    "a commit": (f"https://git.example.org/harbour/commit/?id={HEX[:30]}", HEX[30:40]),
    "an escape": ("https://www.example.com/wiki/Sankt%20Nikolai%2", "C%20Hamburg/plan"),
    "a query": ("https://www.example.com/sites/Team/Shared%20Documents/Forms/AllItems.aspx?",
                "RootFolder=%2Fsites%2FTeam&View=%7B0a1b2c3d%7D"),
    "three lines at one column": (
        "https://sharepoint.example.com/sites/Team/Shared%20Documents/Forms/AllIt",
        "ems.aspx?RootFolder=%2Fsites%2Fsummer%2Fkernel%2Fnews%2Ftables&FolderCTI",
        "D=0x0120004A8D228C5E911CDD60F124"),
    "five lines, broken where words are": (
        "https://docs.example.edu/view-driver-order-news/budget-",
        "station/thread-list-report-kernel/order/2004-January/",
        "release-summer-page/tables-index/invoice-archive-list/",
        "meeting-station/summary.html?from=mail&to=reader&ref=", "0x0120004A8D228C5E911CDD60F124"),
    "a file's name": ("ftp://ftp.example.net/pub/harbour/papers/1996/north/tables-of-the-tide-1",
                      "996.tar.gz"),
    "an archive's name over three lines": (
        "ftp://ftp.example.net/pub/harbour/papers/of-the-tables/north-sea/",
        "station-report-notes-of-the-office/tables-of-the-tide-report-3.8.", "tar.gz"),
}  # fmt: skip


@pytest.mark.parametrize("prefix", ["", "> ", "> > ", ">> ", "| ", "JD> ", "    "])
@pytest.mark.parametrize("kind", JOINED)
def test_certain_continuation_is_joined_whole(kind: str, prefix: str) -> None:
    lines = JOINED[kind]
    # Where the width of the prose decides, it must be that of the URL's own paragraph.
    fill = FILL.rstrip("\n") + "\n" if kind == "a file's name" else FILL
    text = fill + "\n".join(lines) + "\n\nSee you there.\n"
    quoted = "".join(prefix + line for line in text.splitlines(keepends=True))
    (found,) = extract(quoted)
    assert found.url == one_line(*lines)
    assert f"joined {len(lines)} lines" in words(found.repairs)
    assert found.raw == quoted[found.start : found.end]
    assert found.alternatives[-1].url == lines[0].rstrip("?")
    assert urls_of(quoted, join="delimited")[0] == lines[0].rstrip("?")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_any_line_end_is_joined_over(line_end: str) -> None:
    lines = JOINED["five lines, broken where words are"]
    assert urls_of(line_end.join([*lines, "", "Jo"])) == [one_line(*lines)]


@pytest.mark.parametrize(("text", "url", "others"), [
    ("see https://docs.exam\u2010\n   ple.org/x.pdf.", "https://docs.example.org/x.pdf",
     ["https://docs.exam"]),
    ("https://www.north-\nharbour.example.org/pub", "https://www.north-harbour.example.org/pub",
     ["https://www.northharbour.example.org/pub", "https://www.north"]),
])  # fmt: skip
def test_host_broken_at_a_hyphen_is_joined(text: str, url: str, others: list[str]) -> None:
    (found,) = extract(text)
    assert found.url == url
    assert [other.url for other in found.alternatives] == others


@pytest.mark.parametrize(("text", "joined", "without"), [
    ("ftp://ftp.iks-\n  a.org/pub", "ftp://ftp.iks-a.org/pub", "ftp://ftp.iksa.org/pub"),
    ("see https://har-\nbour.co.uk/x", "https://har-bour.co.uk/x", "https://harbour.co.uk/x"),
    ("see https://www.har-\nbour.example/x", "https://www.har-bour.example/x",
     "https://www.harbour.example/x"),
])  # fmt: skip
def test_hyphen_in_a_registered_name_is_not_joined(text: str, joined: str, without: str) -> None:
    """Another name may be somebody else's: with and without the hyphen are alternatives."""
    (found,) = extract(text)
    assert found.url == joined[: joined.index("-")]
    assert [other.url for other in found.alternatives] == [joined, without]
    assert words(found.defects) == ("may-continue",)
    assert next(extract(text, join="likely")).url == joined


NORTH = "http://www.example.com/harbour/tables-of-the-north-sea/from-1900-to-"
SAFE = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2F"
SAFE_REST = "harbour&data=05%7C01%7C&sdata=Zm9v&reserved=0"
MAP = "https://www.example.com/maps/place/Harbour+of+the+North/@54.1,7.9,17z/"
DEFENSE = "https://urldefense.com/v3/__https://docs.bridge.example/weather/of/the/har"
DEFENSE_REST = "bour/payment__;!!Utoj4Qx!abc-DEF_12aaabbbccc$"


@pytest.mark.parametrize(("text", "url"), [
    # The sentence goes on in the last line
    (f"> see {NORTH}\n> 1996/index.html, which has them all.", f"{NORTH}1996/index.html"),
    (f"(https://git.example.org/harbour/tables/blob/{HEX[:28]}\n{HEX[28:40]}/north.c#L33) too",
     f"https://git.example.org/harbour/tables/blob/{HEX[:40]}/north.c#L33"),
    # A line that lost a quote mark, and one that lost all
    (f"> > {NORTH}\n> 1996/index.html\n> > next", f"{NORTH}1996/index.html"),
    (("> He wrote that the tables are kept at the office of the town, in its cellar\n"
      "> https://www.example.com/harbour/archive/tables/of-the-north-sea/nineteen\n"
      "hundred/index.html\n> and that nobody reads them."),
     "https://www.example.com/harbour/archive/tables/of-the-north-sea/nineteenhundred/index.html"),
    # A page break of an RFC
    ((f"   {NORTH}\n\n\n\nRoe                          Informational                     [Page 9]\n\f\n"
      "RFC 9999                        Tides                      January 2001\n\n\n"
      "   1996/index.html\n\n   Next.\n"), f"{NORTH}1996/index.html"),
    # A URL without a scheme counts as well
    ("www.example.com/harbour/archive/tables-of-the-north-sea/nineteen-hundred-\nsix/index.html\n",
     "http://www.example.com/harbour/archive/tables-of-the-north-sea/nineteen-hundred-six/index.html"),
    # The link of a gateway that has no end yet, though its line is wider than mail
    (f"{SAFE}www.example.com%2F\n{SAFE_REST}\n", f"{SAFE}www.example.com%2F{SAFE_REST}"),
    (f"> {SAFE}www\n> .example.com%2F{SAFE_REST}\n", f"{SAFE}www.example.com%2F{SAFE_REST}"),
    (f"See {DEFENSE}{DEFENSE_REST} for it.\n", DEFENSE + DEFENSE_REST),
    (f"See {DEFENSE}\n{DEFENSE_REST} for it.\n", DEFENSE + DEFENSE_REST),
    (f"> {DEFENSE}\n> {DEFENSE_REST}\n>\n> Jo\n", DEFENSE + DEFENSE_REST),
    # The bracket right before it closes in the next word
    ("see [tides](https://a.example/tide-tables/\nnorth.html).", "https://a.example/tide-tables/north.html"),
    ("(http://a.example/x/\n  y(z)) and", "http://a.example/x/y(z)"),
    ("> {http://a.example/x\n> yz}", "http://a.example/xyz"),
    ("(http://a.example/x/\nnorth of it)", "http://a.example/x/"),
    ("(see http://a.example/x/\nnorth)", "http://a.example/x/"),
    ("(http://a.example/x.html\nnorth)", "http://a.example/x.html"),
    ("(http://a.example/x/\nada@b.example)", "http://a.example/x/"),
    ("(http://a.example/x/\n0123456789abcdef)", "http://a.example/x/"),
    ("(http://a.example/x,\ny)", "http://a.example/x"),
    ("(http://a.example/x/\nhttp://b.example/y)", "http://a.example/x/"),
    # A backslash ends the line, or the comment sign of TeX
    ("get http://a.example/x/\\\ny.tar.gz now", "http://a.example/x/y.tar.gz"),
    ("get http://a.example/x:\\\ny.tar.gz", "http://a.example/x"),
    ("get http://a.example/x/\\\nhttp://b.example/", "http://a.example/x/"),
    ("get http://a.example/x/\\\n\ny", "http://a.example/x/"),
    ("\\href{http://a.example/x/%\ny/%\nz}{text}", "http://a.example/x/y/z"),
    ("\\cite{http://a.example/x/%\ny}", "http://a.example/x/%y"),
    # A file's name cut at its dot
    ("see https://a.example/summer/the-harbour.\nhtml. By the rest", "https://a.example/summer/the-harbour.html"),
    # A scheme alone
    ("see https://\ncode.a.com/x, or", "https://code.a.com/x"),
    ("> see ftp:\n> //ftp.a.com/x", "ftp://ftp.a.com/x"),
    ("svn co svn://\nsvn.a.com/trunk here", "svn://svn.a.com/trunk"),
    ("with https://\nand so on", ""),
    ("with https://\nThe.com is", ""),
    # A run goes on to its proved end
    ("http://a.example/x?u=http://b.example\n/y/z.html\n\nnext",
     "http://a.example/x?u=http://b.example/y/z.html"),
    ("https://lore.kernel.org/r/2026112-1-ada@ha\nrbour.example.com/\n",
     "https://lore.kernel.org/r/2026112-1-ada@harbour.example.com/"),
    ("Link: https://lore.kernel.org/r/\n20230107122446.12345-1-ada@example.com\nFixes: x",
     "https://lore.kernel.org/r/20230107122446.12345-1-ada@example.com"),
    (("Link: https://lore.example.org/linux-tides/DM6PR11MB4657F9A2B3C4D5E6F70811AA22@DM6PR11MB4657.nam\n"
     "prd11.prod.example.com\nSigned-off-by: Ada <ada@a.example>"),
     ("https://lore.example.org/linux-tides/DM6PR11MB4657F9A2B3C4D5E6F70811AA22@DM6PR11MB4657.nam"
     "prd11.prod.example.com")),
    ("it is at http://dev.north.or\ng/tickets/12 now", "http://dev.north.org/tickets/12"),
    ("archived at https://a.example/browse/\n  tides/.  See", "https://a.example/browse/tides/"),
    # The whole URL stands after it, in the same paragraph
    (("> https://groups.a.example/d/\n> lists.b.example/d/msgid/tides/77aa77bb-88cc-\n"
     "> 99dd%40c.example\n> <https://groups.a.example/d/lists.b.example/d/msgid/tides/"
     "77aa77bb-88cc-99dd%40c.example#x>"),
     "https://groups.a.example/d/lists.b.example/d/msgid/tides/77aa77bb-88cc-99dd%40c.example"),
    ("see http://w.a.example/abc\ndef/gh\n<http://w.a.example/abcdef/gh?u=1>",
     "http://w.a.example/abcdef/gh"),
    ("see http://w.a.example/p?id=12345678\n9012\n<http://w.a.example/p?id=123456789012#u>",
     "http://w.a.example/p?id=123456789012"),
    ((">    at https://w.a.example/tides/\n>    message/ABCDEFGHIJ/ please.\n"
     "> [1] https://w.a.example/tides/message/ABCDEFGHIJ/"), "https://w.a.example/tides/message/ABCDEFGHIJ/"),
    ("http://w.a.example/x/\nCAF8vJq1k.\n<http://w.a.example/x/CAF8vJq1k?u=1>",
     "http://w.a.example/x/CAF8vJq1k"),
    # A path that asks for a hash, a query that has only begun, a line end that may be cut in two
    (f"{FILL}https://git.example.org/harbour/tables-of-the-north-sea/commit/\n{HEX[:40]}\n\nJo\n",
     f"https://git.example.org/harbour/tables-of-the-north-sea/commit/{HEX[:40]}"),
    ("Report: https://bugs.example.org/buglist.cgi?product=Core&\nresolution=---&order=bugnum and sort.\n",
     "https://bugs.example.org/buglist.cgi?product=Core&resolution=---&order=bugnum"),
    ("Report: https://bugs.example.org/buglist.cgi?\nproduct=Core&component=Layout and then sort them.\n",
     "https://bugs.example.org/buglist.cgi?product=Core&component=Layout"),
    ("see http://a.example/b\r\r\n%2Fc\r\r\n", "http://a.example/b%2Fc"),
    ("see http://a.example/b\r\n%2Fc\r\n", "http://a.example/b%2Fc"),
    # A colon within a line
    (f"{MAP}\ndata=4m6!3m5!1s0x47b3:0x5a2bb30977710db0!8m2!3d54.1756!4d7.8890!16zL20\nvMDF4cTQ4&hl=en:north/x.html\n",
     f"{MAP}data=4m6!3m5!1s0x47b3:0x5a2bb30977710db0!8m2!3d54.1756!4d7.8890!16zL20vMDF4cTQ4&hl=en:north/x.html"),
    # It does not, or it is another URL
    ("failed:\nhttps://a.example/fetch.php?pkg=libtide&ver=1.2-3\nlibtide-dev_1.2-3_amd64.deb\nlibtide1_1.2-3_amd64.deb\n",
     "https://a.example/fetch.php?pkg=libtide&ver=1.2-3"),
    ("see http://w.a.example/abc\ndef/gh\n<http://w.a.example/abcdef/ghi>", "http://w.a.example/abc"),
    ("http://w.a.example/g?y\n#s  =  http://w.a.example/g?y#s", "http://w.a.example/g?y"),
    ("see http://w.a.example/abc\ndef/gh\n\n<http://w.a.example/abcdef/gh>", "http://w.a.example/abc"),
    # Quoted and indented lines are as others
    ((">> http://a.example/b.jhtml?id=1682564\n>> &type=music&intro=mms://a1457.v0029.example.net\n"
     ">> /7/1457/534/v001/asm/x.wmv\n>> =========="),
     ("http://a.example/b.jhtml?id=1682564&type=music&intro=mms://a1457.v0029.example.net"
     "/7/1457/534/v001/asm/x.wmv")),
    ("http://a.example/jump.cgi?x=12345678\n&u=ftp://ftp.files.example.net\n/pub/tides/tables.zip",
     "http://a.example/jump.cgi?x=12345678&u=ftp://ftp.files.example.net/pub/tides/tables.zip"),
    # The link of a gateway: over empty lines that are quoted, and not without its end
    ("> https://urldefense.com/v3/__https://exam\n> ple.com/docs__;!!B4NdrdkgtR\n>\n> aKVT9!5otlOz$\n",
     "https://urldefense.com/v3/__https://example.com/docs__;!!B4NdrdkgtRaKVT9!5otlOz$"),
    ("https://urldefense.com/v3/__https://exam\nple.com/docs__;!!B4NdrdkgtR\n\naKVT9!5otlOz$\n",
     "https://urldefense.com/v3/__https://exam"),
    # Brackets
    ("(https://a.example/x/\n会社案内)", "https://a.example/x/"),
    ("(https://a.example/x/\nwww.b.example/x) for", "https://a.example/x/"),
    ("(https://a.example/x.pdf\n2019) and", "https://a.example/x.pdf"),
    # Nothing of another kind
    ("http://a.example/get/table%20of%20tides\ntable%20of%20tides.zip\n",
     "http://a.example/get/table%20of%20tides"),
    ("www.example.com:/dev/null\nbob:x:1000:1000::/home/bob:/bin/sh", "http://www.example.com"),
    ("http://a.example/x%2528y%2529.r\nx%28y%29.r\n", "http://a.example/x%2528y%2529.r"),
    ("http://a.example/tables-2012(pages\n44-53)\n", "http://a.example/tables-2012"),
    ("Tables:  http://a.example/pre/\nNEWS.txt:  http://a.example/pre/NEWS.txt\n", "http://a.example/pre/"),
    # A Message-ID whose host is reserved, and the rest of a version before a kind of file
    ("https://patch.a.example/20240102030405.1234-1-ada@\nb.example\n",
     "https://patch.a.example/20240102030405.1234-1-ada@b.example"),
    # A DOI; a host cut at a dot, of which no label is a suffix by itself; and no host that nobody has
    ("See https://doi.org/\n10.1007/s11336-013-9328-2\n", "https://doi.org/10.1007/s11336-013-9328-2"),
    ("See https://doi.org/10.\n18637/jss.v067.i01.\n", "https://doi.org/10.18637/jss.v067.i01"),
    ("See https://doi.org/10.18637/x\n10.1007/y is\n", "https://doi.org/10.18637/x"),
    ("See https://wiki.\nexample.org/Science.\n", "https://wiki.example.org/Science"),
    ("URL http://CRAN.\nR-tides.org/package=x.\n", "http://CRAN.R-tides.org/package=x"),
    ("(https://lists\nusers.html) )", "https://lists"),
    ("(https://a.example/a.html\nindex.html) is", "https://a.example/a.html"),
    ("(https://lists\n.example.org/x) )", "https://lists.example.org/x"),
    ("in https://a.example/x.\nhtml#s and\n", "https://a.example/x.html#s"),
    ("> see www.\n> example.com/x for\n", "http://www.example.com/x"),
    ("It is on ftp.\nexample.org/pub/x, and", "ftp://ftp.example.org/pub/x"),
    ("It is on the www.\nIn fact it is", ""),
    ("https://\na.example/x/tides-8.\n2-North.dmg. This has", "https://a.example/x/tides-8.2-North.dmg"),
])  # fmt: skip
def test_what_proves_that_a_url_goes_on_and_what_does_not(text: str, url: str) -> None:
    assert urls_of(text)[:1] == ([url] if url else [])
    assert [found.url for found in extract(list(text))] == urls_of(text)


CLICK = "https://click.example.com/ls?upn=u001.k9tVZ2pWc0nXq3dGfQyYw7mJ2bLr5sE1tU8iOaPzXcVbNmQwErTyUiOpAs"
MONTH = "http://www.example.com/archives/foo/bar/2001/12/msg00001234567890abcdef"


@pytest.mark.parametrize(("text", "url"), [
    ("See\n\nhttp://a.example/files/tides/north-2026.p\ndf\n\nbye",
     "http://a.example/files/tides/north-2026.pdf"),
    ("[1]\nhttp://a.example/committee/tables/of-the-north-sea/page-numb\ner-12/x.html",
     "http://a.example/committee/tables/of-the-north-sea/page-number-12/x.html"),
    ("It is on https://gitlab.example/\nharbour/tides/issues now",
     "https://gitlab.example/harbour/tides/issues"),
    ("http://a.example/harbour/\n潮の表です", "http://a.example/harbour/"),
    (f"{MONTH}.html\n?part=2 is", f"{MONTH}.html?part=2"),
    (f"> {MONTH}\n> 0987/part.html is", f"{MONTH}0987/part.html"),
    (f"{MONTH}/\nmsg0987.html\n", f"{MONTH}/msg0987.html"),
    (f" * {MONTH}\n * another/item", MONTH),
    (f"> > {CLICK[:40]}\n> > {CLICK[40:80]}\n> {CLICK[80:]}\n> > ok?\n", CLICK),
    ("http://a.example/\n#AD\nhttp://b.example/\n#AE\n", "http://a.example/"),
    (f"{MONTH}.tar.gz\nfoo-1.2.tar.gz", f"{MONTH}.tar.gz"),
    ("http://a.example/x/y\n=20\nBye\n", "http://a.example/x/y"),
    ("http://a.example/v/\n./main.py\n", "http://a.example/v/"),
    ("http://a.example/v/\n~/main.py\n", "http://a.example/v/"),
    ("http://a.example/v/\n~ada/main.py\n", "http://a.example/v/~ada/main.py"),
    ("http://a.example/p?id=\n17\n18\n", "http://a.example/p?id="),
    ("- http://a.example/x/\n- docs/readme.html\n", "http://a.example/x/"),
    ("http://a.example/ada/\n=E2=80=93 more\n", "http://a.example/ada/"),
    ("It (can be found at http://a.example/\ncontent/guide-of-tides) is\n",
     "http://a.example/content/guide-of-tides"),
    ("at http://a.example/tides/\n2022/01/15/north.html\n", "http://a.example/tides/2022/01/15/north.html"),
    ("is http://a.example/\n2\n\n\f", "http://a.example/"),
    ("of http://a.example/312910\n1441\n1442\n1443\n", "http://a.example/312910"),
    ("It (see http://a.example/x\nand/or the other) is\n", "http://a.example/x"),
])  # fmt: skip
def test_join_likely_joins_what_a_reader_joins(text: str, url: str) -> None:
    assert urls_of(text, join="likely")[0] == url


MIDDLE = "Take this one, which is said to be good, http://www.example.org/harbour/tab"
LINE = "https://www.example.com/harbour/archive/tables/of-the-north-sea/nineteen"


@pytest.mark.parametrize("after", [
    # the next sentence, or a line of its own
    "and then we went home.", "Thanks!", "Thanks", "for", "Regards,\nJo", "Jo Smith\nExample Corp", "Jo",
    "-- \nJo", "- the next item", "* the next item", "2. The next item", "5. The host",
    "[2] http://b.example/", "http://b.example/two", "www.b.example/two", "mailto:jo@b.example",
    "jo@b.example", "jo@b.example wrote:", "Subject: tides", "Status:", "> quoted", "$ make install",
    "root@host# make", "+++ b/north.c", "--- a/north.c", "==========", "__________", "-----",
    "@@ -1,2 +1,2 @@", "(see below)", '"tables"', "<b>tables</b>", "", "\nles/north.html", "|", "…",
])  # fmt: skip
@pytest.mark.parametrize("prefix", ["", "> "])
def test_next_line_that_is_not_a_continuation_is_never_glued_on(after: str, prefix: str) -> None:
    text = f"{FILL}{LINE}\n{after}\n"
    quoted = "".join(prefix + line for line in text.splitlines(keepends=True))
    for join in ("safe", "likely"):
        assert urls_of(quoted, join=join)[0] == LINE
        assert urls_of(f"{prefix}{MIDDLE}\n{prefix}{after}\n", join=join)[0] == MIDDLE.rsplit(maxsplit=1)[-1]
    assert words(next(extract(quoted)).defects) == ()


# Names, numbers and titles alone on the line after a URL as wide as mail is wrapped.
NAMES = """\
jane_doe42 python3-urllib3 2023-05-17T10:11:12Z 2023-05-17 v1.2.3 feature/north-2 north/south x86_64-linux
c1d2e3f4-a5b6-4789-90ab-cdef01234567 da39a3ee5e6b4b0d3255bfef95601890afd80709 aarch64-none-linux-gnu
LANG=de_DE.UTF-8 CVE-2023-12345 FOO-123 test_email.py tests/north.py 10.1234/tides.2004.12.45
bugzilla.example.org/show_bug.cgi?id=2525 tides.example north.tar.gz -fno-strict-aliasing pytest.xfail()
docs.17=https://www.example.com/api/17/ Tides North-Sea harbour 4711 0:15 #tides .RE _north_ %north
"""


@pytest.mark.parametrize("name", NAMES.split())
@pytest.mark.parametrize("before", ["", "The log is at\n\n", FILL])
@pytest.mark.parametrize("after", ["\n", "\n\nJo\n"])
def test_name_on_the_next_line_is_not_a_continuation(name: str, before: str, after: str) -> None:
    for url in (LINE, LINE[:-4], LINE + "-six", LINE + "/"):
        if before == FILL and len(url) in (72, 73):
            continue  # as full as the paragraph: a reader would not know
        assert urls_of(f"{before}{url}\n{name}{after}")[0] == url


WHOLE_HASH = f"https://git.example.org/harbour/tables/commit/{HEX[:40]}"
TOKEN = f"https://a.example/?qs={HEX[:50]}"


@pytest.mark.parametrize("after", [
    "2026 was good.", "09:14", "14:22 Jo joined", "2026-01-05 Jo Smith", "05.11.2025", "555 0199", "50%",
    "24.95", "482913", "48-29-13", "e2e tests pass", "9b2e77d0 reverts it", "facade", "deadbeef",
    "report.pdf", "index.html", "a/b/c.txt", "user=jo&x",
    "/usr/lib/tides/north.py",
])  # fmt: skip
@pytest.mark.parametrize("url", [WHOLE_HASH, TOKEN])
def test_whole_hash_and_token_are_not_continued(url: str, after: str) -> None:
    if url == TOKEN and after in ("report.pdf", "index.html", "a/b/c.txt", "user=jo&x"):
        return  # that could be its continuation
    assert urls_of(f"Hi,\n\nI fixed that in\n{url}\n{after}\n")[0] == url


@pytest.mark.parametrize("width", [84, 100, 200, 998])
def test_url_over_lines_wider_than_mail_needs_two_full_lines(width: int) -> None:
    """Two lines that end at one column were broken; a single full line proves nothing."""
    url = "https://click.example.com/ls?upn=u001." + "k9tVZ2pWc0nXq3dG&f=QyYw7mJ2bLr5/sE1tU8iOaPzX" * 80
    cut = [url[at : at + width] for at in range(0, width * 5 // 2, width)]
    cut[-1] = cut[-1][: width // 2]
    assert urls_of("\n".join(cut) + "\n") == ["".join(cut)]
    (found,) = extract(f"{url[:width]}\n{url[width : width * 3 // 2]}\n")
    assert (found.url, words(found.defects)) == (url[:width], ("may-continue",))
    assert found.alternatives[0].url == url[: width * 3 // 2]


HASHED = f"https://a.example/harbour/tables/of-the-north-sea/nineteen-hundred/{HEX[:8]}"


@pytest.mark.parametrize(("url", "after"), [
    (HASHED, HEX[8:48]),  # a hash where none belongs, and one of another program
    (HASHED, f"sha256:{HEX}"),
    (HASHED, HEX[8:16]),  # two numbers of one length
    (f"{HASHED}..{HEX[10:17]}", HEX[20:29]),
    ("https://a.example/p/45e427a5-1e65-4be2-a2ed-ef4796ca84b2", HEX[20:30]),
    (f"https://a.example/?upn={HEX[:20].upper()}xYz-", "thanks"),  # a token that ends in a hyphen
    ("https://a.example/harbour/archive/tables/of-the-north-sea/858/", "UID:ee53cf72-202c-4257"),
    ("https://a.example/harbour/archive/tables/of-the-north-sea/nineteen-six", "LANG=de_DE.UTF-8"),
    ("https://a.example/harbour/archive/tables/of-the-north-sea/nineteen-six", "2026-11-25"),
    ("https://a.example/harbour/archive/tables/of-the-north-sea/nineteen-six/", "/pub/tides"),
    ("https://a.example/harbour/archive/tables/of-the-north-sea.git", "tags/tides-1.2"),
    ("https://a.example/harbour/archive/tables/of-the-north-sea/x.html", "#tides"),
    ("https://a.example/harbour/archive/tables/of-the-north-sea/1998", "+https://b.example/x"),
    ("https://a.example/?q=of-the-north-sea&harbour=table-of-the-year-of-1996", "north/tides.tar.gz"),
    ("https://a.example/team/tables/-/merge_requests/482", "/usr/share/doc/tides/README"),
    ("https://a.example/team/tables/-/merge_requests/482", "#4821"),
    ("https://a.example/news/tides-1998.html", "/usr/share/doc/tides/README"),
    ("https://a.example/news/tides-1998.html", "#4821"),
])  # fmt: skip
def test_line_of_another_kind_is_not_a_continuation(url: str, after: str) -> None:
    assert urls_of(f"{FILL}{url}\n{after}\n\nJo\n")[0] == url


def test_broken_host_has_the_joined_alternative() -> None:
    text = (
        "Find all the slides of the talk of last Friday at https://www.conferen\nce.example.org/2025/ and\n"
    )
    (found,) = extract(text)
    assert words(found.defects) == ("may-continue",)
    assert found.alternatives[0].url == "https://www.conference.example.org/2025/"
    assert rewrap(text, 60).count("conferen\nce.") == 1
    assert words(next(extract("see http://www.example.org\nce.example.org/2025/ and\n")).defects) == ()


def test_line_width_counts_characters_not_bytes(tmp_path: Path) -> None:
    """Plain output reads bytes, and must find what the records have."""
    text = (
        "\u0421\u0442\u0430\u0442\u044c\u044f: https://www.gazeta.example.ru/science/2020/03/12_tides-1900-\n"
        "7654.shtml?updated=true \u0438 \u0435\u0451.\n"
    )
    url = "https://www.gazeta.example.ru/science/2020/03/12_tides-1900-7654.shtml?updated=true"
    path = tmp_path / "text"
    path.write_text(text, encoding="utf-8")
    assert outcome(path)[1].split() == urls_of(text) == [url]


@pytest.mark.parametrize("text", [
    f"{LINE}, \nhundred/index.html", f"{LINE},\nhundred/index.html", f"{LINE})\nhundred/index.html",
    f"{LINE}:\nhundred/index.html",
    f"{LINE} \nhundred/index.html",  # format=flowed breaks between words
    f"{LINE}-hundred-and-six\nhundred/index.html",  # 88 columns
    f"{LINE}.\nThe rest is on paper.",
])  # fmt: skip
def test_line_that_was_not_broken_is_not_joined(text: str) -> None:
    assert words(next(extract(text, join="likely")).repairs) == ()


@pytest.mark.parametrize(("text", "joined"), [
    ("see http://a.example/one-\ntwos for it", "http://a.example/one-twos"),
    ("https://www.example.com/kernel/invoice/summer/2014-March/\n996521.html is it\n",
     "https://www.example.com/kernel/invoice/summer/2014-March/996521.html"),
    ("see https://www.example.com/kernel/invoice/summer/2014/show.php?id=\n4711 for it",
     "https://www.example.com/kernel/invoice/summer/2014/show.php?id=4711"),
    ("see https://www.example.com/kernel/invoice/summer/?u=https%3A%2F%2Fb%2\nFpath to it",
     "https://www.example.com/kernel/invoice/summer/?u=https%3A%2F%2Fb%2Fpath"),
    ("see http://foobar.\ncom, and more", "http://foobar.com"),  # a host that nobody wrote
    ("see http://foobar.\nis it there", "http://foobar.is"),
])  # fmt: skip
def test_uncertain_continuation_is_a_defect_and_an_alternative(text: str, joined: str) -> None:
    (found,) = extract(text)
    assert found.url == text.splitlines()[0].removeprefix("see ").rstrip(".")
    assert words(found.defects) == ("may-continue",)
    assert found.alternatives[0].url == joined
    assert found.confidence < 0.6
    is_likely = next(extract(text, join="likely")).url == joined
    assert is_likely == ("--join likely joins it" in found.alternatives[0].reason)
    assert next(extract(text, join="delimited")).url == found.url
    assert next(extract(text, join="none")).alternatives == ()


def test_url_over_several_lines_is_joined_whole_or_not_at_all() -> None:
    lines = JOINED["three lines at one column"]
    for count in (2, 3):
        (found,) = extract("\n".join(lines[:count]) + "\n")
        assert found.url == one_line(*lines[:count])
    # the third line continues it too, so the second is not taken alone
    text = "\n".join([*lines[:2], "AllItems_view", "and more of it here"])
    assert urls_of(text)[0] == one_line(*lines[:2], "AllItems_view")
    assert urls_of("\n".join([*lines[:2], "and"]) + "\n")[0] == lines[0]


def test_joined_hyphen_has_both_readings() -> None:
    first, second = JOINED["a hyphen"]
    (found,) = extract(f"{first}\n{second}\n")
    assert [other.url for other in found.alternatives] == [first[:-1] + second, first]
    (dropped,) = extract(f"{first}\n{second}\n", hyphen="drop")
    assert dropped.url == first[:-1] + second


def test_alternative_gives_the_evidence_as_its_reason() -> None:
    first, second = JOINED["a hyphen"]
    (found,) = examine(f"{first}\n{second}\n")
    reason = found.alternatives[-1].reason  # type: ignore[union-attr]
    assert reason.startswith("if it ends with its line; joined because it ends in a hyphen, ")
    (found,) = examine("see http://a.example/one-\ntwos for it")
    reason = found.alternatives[0].reason  # type: ignore[union-attr]
    assert reason.startswith("if it goes on in the next line: it ends in a hyphen, although ")
    assert reason.endswith("an English word follows, the line is short; --join likely joins it")


def test_joined_continuation_is_not_found_again() -> None:
    first, second = "https://a.example/archive/harbour/tables/of-the-north-sea/x/1996-", "www.a.example/y"
    assert urls_of(f"{first}\n{second}") == [first, "http://www.a.example/y"]
    first, second = "https://a.example/archive/harbour/tables/of-the-north-sea/1996?u=", "a%3Dwww.a.example/y"
    assert urls_of(f"> {first}\n> {second}\n") == [first + second]


BROKEN = """\
Cilla has scanned the tables of the harbour, and put them where we all can
read them: https://lists.example.org/archives/list/harbour/thread/2026-
November/AB3Q7Z/ and there will be more of them soon.
"""
IN_DOUBT = """\
> He says: https://www.example.com/kernel/invoice/summer/2014-March/
> 996521.html is it, and the rest of this paragraph is to be
> filled, which it is not.
"""


def test_rewrap_joins_a_certain_continuation() -> None:
    assert rewrap(BROKEN, 60).splitlines() == [
        "Cilla has scanned the tables of the harbour, and put them",
        "where we all can read them:",
        "https://lists.example.org/archives/list/harbour/thread/2026-November/AB3Q7Z/",
        "and there will be more of them soon.",
    ]
    for join in ("none", "delimited"):
        assert "2026-\n" in rewrap(BROKEN, 60, join=join)  # type: ignore[arg-type]


@pytest.mark.parametrize("break_urls", [False, True])
@pytest.mark.parametrize("join", ["delimited", "safe"])
def test_rewrap_leaves_an_uncertain_continuation(break_urls: bool, join: str) -> None:
    """Two lines of one URL are never put on one line as two words."""
    assert rewrap(IN_DOUBT, 50, join, break_urls=break_urls) == IN_DOUBT  # type: ignore[arg-type]


def test_rewrap_keeps_the_label_of_an_abbreviated_url() -> None:
    assert rewrap("see <URL:www.example.org/a/\nb.html> x\n") == "see <URL:www.example.org/a/b.html> x\n"


def test_rewrap_accepts_surrogates() -> None:
    text = "From: \ud800\nSubject: x\n\nSee http://a.example/\n"
    assert urls_of(rewrap(text)) == ["http://a.example/"]


def test_rewrap_command_takes_join(tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(BROKEN)
    for join, is_whole in (("safe", True), ("delimited", False)):
        status, out, _ = outcome("rewrap", "-w", "60", "--join", join, path)
        assert (status, "2026-November" in out) == (0, is_whole)


TOKENS = [
    "http://a.example/", "https://www.b.example/harbour/tables/of-the-north-sea/", "www.c.example/x",
    "x-", "-", "--", "9f86d081884c7d65", "9a2feaa0c5", "%2", "C", ".html", "?id=", "&a=b", "=", "_", ".",
    "?", ",", ")", "(", "/", "tables", "Tables", "and", "12", "12.", "%2F", "html",
    ":", "@", "\u2010", "\u00ad",
    "\u00e9", "\u65e5\u672c", "\udc85",
    " ", "  ", "\n", "\n", "\n", "\n> ", "\n> > ", "\n\n", "\r\n", "\r", "> ",
    " * ", "<", ">", '"', "\n\f\n", "[Page 1]\n",
    "The tables of the harbour were printed by the office each year, and are", "\0", "\\", "*", "|",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join), st.integers(1, 40), st.sampled_from(JOINS)
)
def test_slices_and_examine_have_the_records_of_extract(text: str, size: int, join: Join) -> None:
    records = list(extract(text, join=join))
    slices = [text[at : at + size] for at in range(0, len(text), size)]
    assert list(extract(slices, join=join)) == records
    examined = (found for found in examine(text, join=join) if isinstance(found, Found))
    assert without_contexts(examined) == records
    assert all(
        found.span.of(text) == found.raw for found in records if found.form == "bare" and found.raw.isascii()
    )
