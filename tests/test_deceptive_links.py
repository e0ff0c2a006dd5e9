"""Links that deceive: each way to switch the warning off that was tried, and links that are honest."""

from __future__ import annotations

import pytest
from commands import outcome
from costs import LINEAR, growth
from remarks import words

from urlextract import Found, Rejection, examine, extract_html
from urlextract.pipeline.links import what_is_shown

SHOWS, MENTIONS, MAY = "shows-another-domain", "mentions-another-domain", "may-redirect"
OVERRIDE = "bidi-override"
EVIL = "https://evil.example/in"
SAFE = "https://eur01.safelinks.protection.outlook.com/?url="


def code_of(markup: str) -> str:
    """Return the code of the first link's defect, "" without one."""
    first = next(extract_html(markup))
    assert len(first.defects) < 2
    return first.defects[0].code.value if first.defects else ""


def examined(markup: str) -> list[Found | Rejection]:
    return list(examine(message=b"Content-Type: text/html; charset=utf-8\n\n" + markup.encode()))


def linked(text: str, url: str = EVIL, attributes: str = "") -> str:
    return f'<p>Hello,</p><a href="{url}"{attributes}>{text}</a> there'


# --- what the tags of a link hide --------------------------------------------------------------------

HIDDEN = {
    "no display": '<i style="display:none">see or </i>www.bank.com',
    "in capitals, with more": '<i style="COLOR:red; DISPLAY : None !important">see or </i>www.bank.com',
    "within": "<i style='display:none'>a <b>b</b></i>www.<b>bank</b>.com",
    "behind": 'www.bank.com<span style="display:none"> today</span>',
    "letters without a size": '<i style="font-size:0px;line-height:0">a </i>bank.com',
    "a size of nothing, in another form": '<i style="font-size: .0em !important">a </i>bank.com',
    "hidden": "<span hidden>log in </span>bank.com",
    "hidden, with a value": '<span class=x hidden="hidden">log in </span>bank.com',
    "an element with no end tag": '<i style="display:none">a<br>b</i><img src=x>bank.com',
    "a reference in the style": '<i style="display&#58;none">a </i>bank.com',
    "an attribute of it, first": '<i dir=ltr style="display:none">a </i>bank.com',
    "the last of two declarations": '<i style="display:block;display:none">a </i>bank.com',
    "an attribute before it": '<i title=">" style="display:none">a </i>bank.com',
}  # fmt: skip


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_text_that_the_tags_of_a_link_hide_is_no_text_of_it(text: str) -> None:
    page = linked(text)
    found = next(extract_html(page))
    assert (found.text, code_of(page)) == (found.shown, SHOWS)
    own = page.replace(EVIL, "https://www.bank.com/in")
    assert code_of(own) == ""


SEEN = {
    "a color": '<span style="color:#fff;background:#fff">see </span>bank.com',
    "what is not visible": '<i style="visibility:hidden;opacity:0">see</i> bank.com',
    "a class of a style sheet": "<style>.a{display:none}</style><i class=a>see</i> bank.com",
    "out of the screen": '<i style="position:absolute;left:-9999px">see</i> bank.com',
    "displayed though hidden": '<i hidden style="display:inline">see</i> bank.com',
    "the last of two declarations": '<i style="display:none;display:inline">see</i> bank.com',
    "a name that holds another": '<i style="x-display:none;max-font-size:0">see</i> bank.com',
    "a value of another attribute": '<i title="display:none hidden ">see</i> bank.com',
    "a size above nothing": '<i style="font-size:0.9em">see</i> bank.com',
}  # fmt: skip


@pytest.mark.parametrize("text", SEEN.values(), ids=SEEN)
def test_text_that_is_hidden_in_another_way_is_text_of_a_link(text: str) -> None:
    assert next(extract_html(linked(text))).text == "see bank.com"


@pytest.mark.parametrize(
    "around", ['<div style="display:none">{}</div>', "<p hidden>{}</p>", "<bdo dir=rtl>{}</bdo>"]
)
def test_tags_around_a_link_hide_nothing_of_it(around: str) -> None:
    page = around.format(linked('bank.com<i style="font-size:0"> today</i>'))
    assert (next(extract_html(page)).text, code_of(page)) == ("bank.com", SHOWS)


def test_hidden_text_alone_is_the_text_of_a_link() -> None:  # a style sheet may show it
    assert code_of(linked('<b style="display:none">bank.com</b>')) == SHOWS
    assert code_of(f'<a style="display:none" href="{EVIL}">bank.com</a>') == SHOWS
    assert code_of(linked('<b style="display:none">bank.com</b> Log in')) == ""


@pytest.mark.parametrize(("text", "seen"), [
    ("bank.com<img src=x alt='arrow right'>", "bank.com"),
    ("<img src=x alt='Logo of the bank'><b>bank.com</b>", "bank.com"),
    ("<img src=x alt='a'><img src=y alt='b'>\nbank.com", "bank.com"),
    ("<img src=x alt='bank.com'>", "bank.com"),
    ("&rarr; <img src=x alt='bank.com'>", "\u2192 bank.com"),
    ("&#x3164;<img src=x alt='bank.com'>", "\u3164 bank.com"),
    ("<span style='font-size:0'><img src=x alt='bank.com'></span>", "bank.com"),
    ("<img src=x alt='a b' style='display:none'><img src=x alt='bank.com'>", "bank.com"),
])  # fmt: skip
def test_alternative_text_counts_where_there_is_no_other(text: str, seen: str) -> None:
    assert next(extract_html(linked(text))).text == seen
    assert code_of(linked(text)) == SHOWS


def test_alternative_text_of_an_honest_link_is_no_lie() -> None:
    assert code_of(linked("<img src=x alt='Logo of the bank'>")) == ""
    assert code_of(linked("Read more<img src=x alt='arrow'>")) == ""


@pytest.mark.parametrize("text", [
    "\U0001f512 https://www.bank.com/", "\u2705 www.bank.com",
    "\U0001f449\U0001f3fd bank.com \U0001f448\U0001f3fd",
    "\u2794 bank.com", "\u27e6bank.com\u27e7", "\u201ebank.com\u201c",
    "\u2139\ufe0f (www.bank.com)", "[\u2605 bank.com]",
    "\U0001f1e9\U0001f1ea\u00a0bank.com", "bank.com\u2122", "\u3010bank.com\u3011", "\u2026 bank.com",
    "... bank.com", "1\ufe0f\u20e3 bank.com",
    "\u2713\u200d bank.com!",
])  # fmt: skip
def test_signs_round_what_is_shown_are_no_part_of_it(text: str) -> None:
    assert code_of(linked(text)) == SHOWS
    assert code_of(linked(text, "https://www.bank.com/")) == ""


@pytest.mark.parametrize("text", [
    "&#8238;moc.knab.www&#8236;", "&#x202e;moc.knab//:sptth", "\u202ekcilc\u202c",
    "<b>Log in <i>\u202dbank</i></b>",
])  # fmt: skip
def test_text_that_overrides_the_direction_of_writing_is_a_defect(text: str) -> None:
    for url in (EVIL, "https://www.bank.com/"):
        first = next(extract_html(linked(text, url)))
        assert (words(first.defects), first.confidence) == ((OVERRIDE,), 0.9)


def test_link_that_lies_and_overrides_has_both_defects() -> None:
    first = next(extract_html(linked("bank.com\u202e")))
    assert [defect.code.value for defect in first.defects] == [SHOWS, OVERRIDE]
    assert (first.shown, first.differs) == ("bank.com", "domain")
    assert code_of(linked("\u202ekcilc")) == OVERRIDE


def test_override_that_is_no_text_of_a_link_is_no_defect() -> None:
    assert code_of(linked("<i hidden>\u202e</i>bank.com", "https://bank.com/")) == ""
    assert code_of(f"\u202e{linked('here')}") == ""
    assert code_of(linked("x", attributes=" title='\u202ekcilc'")) == ""
    assert code_of(linked("", attributes="><img src='http://a.example/i.png' alt='\u202ex'")) == OVERRIDE


@pytest.mark.parametrize("text", ["\u05e9\u05dc\u05d5\u05dd", "&#8235;\u05e9\u05dc\u05d5\u05dd&#8236;"])
def test_text_of_another_direction_is_no_lie(text: str) -> None:
    assert code_of(linked(text)) == ""


@pytest.mark.parametrize(("text", "url", "code"), [
    ("https://files.bank.com/ downloads/3d0c", EVIL, SHOWS),
    ("http://bank.com/a/ b /c", EVIL, SHOWS),
    ("https://bank.com/x y z.html?a= b", EVIL, SHOWS),
    ("https://files.bank.com/ downloads", "https://files.bank.com/x", ""),
    ("https://files.bank.com/down loads", "https://files.bank.com/downloads", ""),
    ("www.ba nk.com/x", "http://www.bank.com/x", ""),
    ("https: //bank.com/x today", EVIL, SHOWS),
    ("https: //bank.com / login", EVIL, SHOWS),
    ("https:// bank.com/ x", "https://bank.com/x", ""),
    ("https: //bank.com/x y", "https://bank.com/x y", ""),
    ("www. bank.com/x", EVIL, MENTIONS),
])  # fmt: skip
def test_blanks_within_what_begins_as_a_url_are_none(text: str, url: str, code: str) -> None:
    assert code_of(linked(text, url)) == code


# --- which differences are lies ---------------------------------------------------------------------


@pytest.mark.parametrize(("shown", "url"), [
    # A domain that begins as the one shown
    ("paypal.com", "https://paypal.com.co/"), ("mybank.com", "https://mybank-com.net/"),
    ("www.mybank.com", "http://www.mybank-com.evil.example/"), ("my-bank.com", "https://my-bank.com.mx/"),
    ("shop.bank.co.uk", "https://shop-bank-co-uk.example/"), ("mybank.com", "https://mybank.com-login.example/"),
    # even if it names the other one, or has the path of a tracker
    ("mybank.com", "https://mybank-com.net/?to=mybank.com"), ("mybank.com", "https://mybank.com.co/ls/click?upn=x"),
    ("https://mybank.com\u2026", "https://mybank.com.co/"),
    # A gateway that leads elsewhere
    *(("www.bank.com", url) for url in (
        f"{SAFE}https%3A%2F%2Fevil.example%2F", f"{SAFE}https%3A%2F%2Fevil.example%2F&amp;data=05",
        "https://urldefense.com/v2/url?u=https-3A__evil.example_x",
        f"{SAFE}https%3A%2F%2Furldefense.com%2Fv2%2Furl%3Fu%3Dhttps-3A__evil.example_x",
        "https://secure-web.cisco.com/1AbC/https%3A%2F%2Fevil.example%2F",
    )),
    # Another name in the link
    *(("bank.com", url) for url in (
        "https://evil.example/login?x=1", "https://evil.example/?u=bank.com.evil.example",
        "https://evil.example/?u=notbank.com", "https://evil.example/?for=ada@bank.com", "https://evil.example/#bank.com",
        "https://bank.com@evil.example/", "https://evil.example/?u=my-bank.com", "https://evil.example/?u=bank.common",
    )),
    # A path that is not that of a tracker
    *(("www.bank.com", f"http://evil.example{path}") for path in (
        "/ls/", "/ls/click?id=1", "/link.php?id=1", "/track/", "/redirect.aspx", "/t.aspx", "/x?a=click",
        "/x?y=/ls/click?upn=a",
    )),
])  # fmt: skip
def test_link_to_elsewhere_is_a_lie(shown: str, url: str) -> None:
    assert code_of(linked(shown, url)) == SHOWS


@pytest.mark.parametrize(("shown", "url"), [
    # Sister sites and own hosts, gateways to what is shown
    ("https://www.amazon.com/", "https://www.amazon.de/"), ("amazon.co.uk", "https://amazon.com/x"),
    ("bank.com", "https://my.bank.com/"), ("bank.com", "https://bank.com/bank.com.co"),
    ("www.bank.com", f"{SAFE}https%3A%2F%2Fwww.bank.com%2F&data=05"),
    ("www.bank.com", f"{SAFE}www.bank.com&amp;data=05"),
    ("www.bank.com", "https://urldefense.com/v2/url?u=https-3A__bank.com_x&d=D"),
    ("www.bank.com", "https://protect-eu.mimecast.com/s/AbC1"),
])  # fmt: skip
def test_link_to_what_it_shows_is_no_lie(shown: str, url: str) -> None:
    assert code_of(linked(shown, url)) == ""


@pytest.mark.parametrize(("shown", "url"), [
    ("https://shop.bank.com/f/T", "http://1.example/tl.php?p=r/%2F/https%3A%2F%2Fshop.bank.com%2Ff%2FT"),
    ("bank.com", "https://web.example/save/20260131/http://www.bank.com/"),
    ("www.bank.com", "https://r.example/?u=https%253A%252F%252FBANK.com"),
    ("www.b\u00e4nk.com", "https://r.example/?u=https%3A%2F%2Fxn--bnk-qla.com%2F"),
    ("bank.com", "https://code.example/people/bank.com"),
    ("ada@bank.com", "https://lists.example/by?from=ada%40bank.com"),
])  # fmt: skip
def test_link_that_names_what_it_shows_may_lead_there(shown: str, url: str) -> None:
    first = next(extract_html(linked(shown, url)))
    assert first.differs == "domain"
    [defect] = first.defects
    assert defect.words.startswith(f"{MAY}: {shown}, leads to ")
    assert first.confidence == 0.9


@pytest.mark.parametrize("path", [
    "/ls/click?upn=0mogsfw379VW7NOF7LqlEo", "/LS/click?x=1&amp;upn=u001.x", "/track-url/4/x",
    "/f/link.php?M=1&amp;N=2&amp;L=3&amp;F=H",
    "/e/linkClick?id=1", "/?mailpoet_router&amp;endpoint=track&amp;action=click&amp;data=W",
    "/c/t.aspx/subid/1/camid/2/",
    "/m/redirect.aspx?id=1", "/wf/click?upn=x", "/track/click/30/bank.com?p=x", "/e3t/Ctc/x", "/mk/cl/f/x",
    "/tr/cl/x", "/acton/ct/1/x", "/lt.php?s=x", "/tn.jsp?f=x", "/ctt?kn=1&amp;m=2",
    "/RedirectTracking.aspx?id=1",
    "/f/link.php?L=3&amp;N=2&amp;M=1", "/?action=click&amp;mailpoet_router", f"/?qs={'0a' * 40}",
])  # fmt: skip
def test_trackers_are_known_by_the_shape_of_their_path(path: str) -> None:
    first = next(extract_html(linked("www.bank.com", f"http://url6045.contoso.net{path}")))
    assert (first.differs, words(first.defects)) == ("domain", ())


# --- scripts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("url", "what"), [
    ("javascript:location='x'", "a script"), ("VBScript:x", "a script"), ("java\nscript:x", "a script"),
    ("data:text/html;base64,PGI+eDwvYj4=", "the data of a file, and no address"),
])  # fmt: skip
def test_text_of_a_link_to_a_script_is_no_address(url: str, what: str) -> None:
    page = linked("www.bank.com", url)
    [found] = extract_html(page)
    assert found.url == "http://www.bank.com"
    assert words(found.defects) == (f"{SHOWS}: bank.com, leads to {what}",)
    rejection, _ = examined(page)
    assert isinstance(rejection, Rejection)
    assert (rejection.reason, rejection.raw, rejection.text) == (what, url, "www.bank.com")
    [beside] = extract_html(linked("go to https://bank.com/x now", url))
    assert words(beside.defects) == (f"{MENTIONS}: bank.com, leads to {what}",)


def test_script_of_a_link_that_shows_nothing_has_the_text() -> None:
    rejection, found = examined(linked("Print <b>it</b>", "javascript:print()") + linked("x"))
    assert isinstance(rejection, Rejection)
    assert isinstance(found, Found)
    assert (rejection.text, words(found.defects)) == ("Print it", ())


def test_explanation_has_the_text_of_a_link_to_a_script() -> None:
    output = outcome("--explain", "-F", "html", data='<a href="javascript:x">www.bank.com</a>')[1]
    assert "\n    text of the link: www.bank.com\n" in output


# --- domains beside other words ---------------------------------------------------------------------

MENTIONED = {
    "behind words": linked("Log in: www.bank.com"),
    "before words": linked("www.bank.com (secure)"),
    "a URL": linked("Visit https://www.bank.com/login today"),
    "a host": linked("your account at bank.com"),
    "a title": linked("Log in", attributes=' title="https://www.bank.com/"'),
    "a button": f'<form action="{EVIL}"><input type=submit value="www.bank.com"></form>',
    "the last of two buttons":
        f'<form action="{EVIL}"><input type="Submit" value=x><input value="to bank.com" type=submit>',
    "the text of a button": f'<form action="{EVIL}"><button><b>Log</b> in to bank.com</button></form>',
    "a title with words": linked("Log in", attributes=" title='to bank.com'"),
    "a label": linked("Log in", attributes=' aria-label="www.bank.com"'),
    "the title of an image": linked('<img src="cid:x" title="www.bank.com">'),
    "one that is alike": linked("Log in: www.bank.com", "https://bank.com.co/"),
}  # fmt: skip


@pytest.mark.parametrize("page", MENTIONED.values(), ids=MENTIONED)
def test_domain_beside_other_words_is_a_weak_defect(page: str) -> None:
    assert code_of(page) == MENTIONS
    first = next(extract_html(page))
    assert (first.shown, first.differs) == (None, None)
    assert words(first.defects)[0].split(", leads to ")[1] in ("evil.example", "bank.com.co")
    own = page.replace(EVIL, "https://www.bank.com/x").replace("https://bank.com.co/", "https://bank.com/")
    assert code_of(own) == ""


HONEST = {
    "no domain": linked("Log in to the bank"),
    "the name of a file": linked("see setup.py and README.md"),
    "an address": linked("write to ada@bank.com"),
    "an abbreviation": linked("i.e. the U.S. version, v1.2.3"),
    "a rare suffix": linked("the option build.jobs and more"),
    "both": linked("bank.com, now on b.org", "https://b.org/x"),
    "a sister": linked("now at amazon.com", "https://amazon.de/"),
    "a redirector": linked("go to bank.com", "https://bit.ly/x"),
    "a tracker": linked("go to bank.com", "https://x.example/ls/click?upn=1"),
    "named in the link": linked("go to bank.com", "https://x.example/?to=bank.com"),
    "a gateway to it": linked("go to bank.com", f"{SAFE}https%3A%2F%2Fbank.com%2F&amp;data=0"),
    "a whole page": linked("word " * 100 + "see bank.com for it"),
    "a field of a form": f'<form action="{EVIL}"><input type=text value="www.bank.com"></form>',
    "text after a button": f'<form action="{EVIL}"><button>x</button> to bank.com</form>',
    "the button of another form":
        f'<form action="{EVIL}"></form><form action=//x.org><input type=submit value="x.org"></form>',
    "the title of a field": f'<form action="{EVIL}"><input type=text title="such as bank.com"></form>',
}  # fmt: skip


@pytest.mark.parametrize("page", HONEST.values(), ids=HONEST)
def test_other_words_are_no_defect(page: str) -> None:
    assert code_of(page) == ""


def test_labels_are_no_text_in_which_links_are_found() -> None:
    page = '<a aria-label="http://a.example/" href="http://b.example/">x</a>'
    assert [found.url for found in extract_html(page)] == ["http://b.example/"]


# --- links shown in short ---------------------------------------------------------------------------

LONG = "https://a.example/loong/looong/url/that/is/short/index.html"


@pytest.mark.parametrize("text", [
    "https://a.example/loong/looong/url/th ... index.html", "https://a.example/loong/looong/url/th \u2026",
    "https://a.example/loong/lo[...]index.html", "https://a.example/loong/lo [\u2026] index.html",
    "https://a.example/loong/lo...index.html", "a.example/loong/lo \u2026 ex.html",
    "https://a.example/loo ...",
])  # fmt: skip
def test_link_shown_in_short_is_one_link(text: str) -> None:
    [found] = extract_html(linked(text, LONG))
    assert (found.url, found.differs, words(found.defects)) == (LONG, None, ())


def test_another_link_shown_in_short_is_a_lie() -> None:
    first, second = extract_html(linked("https://bank.com/loong/looong/url/th ... index.html"))
    assert (first.differs, first.defects[0].code.value) == ("domain", SHOWS)
    assert second.inside == EVIL


@pytest.mark.slow
@pytest.mark.parametrize("piece", [
    "<i style='display:none'>", "</i>", "<i style='font-size:0'>", "<p hidden>", "\u202e", "\u202d\u202e",
    "\u2605 ", "<i style='", ";font-size:0", "; ", "a.com ", "<input type=submit value=a.com>",
    "<a title=a.com>x</a>", "<button>a.com", "@", "0", "a ",
])  # fmt: skip
def test_time_is_proportional_to_the_length(piece: str) -> None:
    def found(text: str) -> list[Found]:
        return list(extract_html(f"<form action=x><a href='{EVIL}' style='color:#fff'>{text}bank.com</a>"))

    assert growth(found, lambda count: piece * count, 5_000, 50_000) < LINEAR
    assert growth(lambda text: what_is_shown(text, EVIL), lambda count: piece * count, 500, 5_000) < LINEAR
    hidden = lambda count: f"<i style='{piece * count}'>"  # noqa: E731
    assert growth(found, hidden, 5_000, 50_000) < LINEAR
