"""The page of ``urlextract report`` in a real Chromium: by mouse and keyboard, with hostile mail."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from typing import TYPE_CHECKING, Any

import pytest
from browser import Browser, browser
from made_indexes import fill
from realtools import need

from urlextract.report.rendering import page_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from made_indexes import Mail

pytestmark = pytest.mark.slow

MAILS = 150
LIE = {
    "url": "http://login.example.net/in", "element": "a", "attribute": "href", "text": "www.bank.example",
    "shown": "www.bank.example", "differs": "domain", "defects": "shows-another-domain",
}  # fmt: skip


def mails() -> Iterator[Mail]:
    """Yield a mail a month, with two links each; the last one has a lie, a warning and a gateway, too."""
    for number in range(MAILS):
        message = {
            "date": f"{2010 + number // 12}-{number % 12 + 1:02}-05T08:00:00Z",
            "from": f"{'Zoe' if number % 2 else 'ada'} <p{number % 2}@a.example>",
            "subject": f"Tides {number:03}",
        }
        places: list[dict[str, Any]] = [
            {
                "url": f"http://www.harbour.example/{number}",
                "context": f"the tables of week {number}, at last",
            },
            {"url": f"https://b{number % 9}.example/Map", "text": f"map {MAILS - number:03}"},
        ]
        if number == MAILS - 1:
            places += [
                LIE, {"url": "http://www.bank.example@evil.example/"},
                {"url": "https://gate.example/?u=1", "unwrapped": "http://target.example/",
                 "wrapped_by": "Gate"},
                {"url": "http://a.example/ab", "raw": "http://a.example/\nab", "repaired": 1,
                 "repairs": "joined-lines"},
                {"url": "javascript:alert(1)"},
            ]  # fmt: skip
        yield message, places


ROWS = 2 * MAILS + 5


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    path = folder / "links.html"
    path.write_text(page_of(str(fill(folder / "links.db", mails()))), "utf-8")
    return path


@pytest.fixture
def shown(chromium: Browser, page: Path) -> Browser:
    """Return the browser with the page opened in it."""
    chromium.size(1280, 900)
    chromium.open(page.as_uri())
    return chromium


def column(chromium: Browser, name: str) -> list[str]:
    """Return the texts of a column of the rows that are in the page."""
    script = f"[...document.querySelectorAll('.links tbody .{name}')].map(cell => cell.innerText.trim())"
    texts: list[str] = chromium.evaluate(script)
    return texts


def status(chromium: Browser) -> str:
    return str(chromium.evaluate("document.getElementById('status').textContent"))


def sorted_by(chromium: Browser) -> dict[str, str]:
    """Return the headers that say how they are sorted."""
    script = (
        "Object.fromEntries([...document.querySelectorAll('th[aria-sort]')]"
        ".map(header => [header.dataset.column, header.ariaSort]))"
    )
    found: dict[str, str] = chromium.evaluate(script)
    return found


def choose(chromium: Browser, field: str, value: str) -> None:
    """Choose a value of a list."""
    chromium.evaluate(
        f"(() => {{ const field = document.getElementById({json.dumps(field)});"
        f"field.value = {json.dumps(value)}; field.dispatchEvent(new Event('input')); }})()"
    )


def matching(matches: int) -> str:
    """Return what the page says of so many rows that match."""
    return f"{matches} of {ROWS} links {'matches' if matches == 1 else 'match'}"


def test_the_latest_rows_come_first_and_only_some_are_in_the_page(shown):
    assert status(shown) == f"{ROWS} links, shown are 1 to 100."
    dates = column(shown, "date")
    assert len(dates) == 100
    assert dates[0] == "2022-06-05 08:00"
    assert dates == sorted(dates, reverse=True)
    assert sorted_by(shown) == {"date": "descending"}
    assert not shown.complaints()


@pytest.mark.parametrize(("name", "cell", "least", "greatest"), [
    ("date", "date", "2010-01-05 08:00", "2022-06-05 08:00"),
    ("sender", "sender", "ada <p0@a.example>", "Zoe <p1@a.example>"),
    ("subject", "subject", "Tides 000", "Tides 149"),
    ("text", "text", "map 001", "www.bank.example"),
    ("url", "url .address", "http://a.example/ab", "http://www.harbour.example/99"),
])  # fmt: skip
def test_a_click_on_a_heading_sorts_and_another_one_turns_round(name, cell, least, greatest, shown):
    first = {}
    for _ in range(2):
        shown.click(f"th[data-column={name}] button")
        first[sorted_by(shown)[name]] = column(shown, cell)[0]
    assert first == {"ascending": least, "descending": greatest}


def test_what_has_nothing_in_the_column_comes_last_either_way_round(shown):
    for _ in range(2):
        shown.click("th[data-column=text] button")
        assert len(column(shown, "text")) == 100
        shown.click(".pages button[data-page=last]")
        assert column(shown, "text") == []
    for _ in range(2):
        shown.click("th[data-column=url] button")
        shown.click(".pages button[data-page=last]")
        assert column(shown, "url")[-1] == "javascript:alert(1)"  # it has no domain


def test_words_are_searched_in_all_columns_whatever_their_case(shown):
    for words, matches in [
        ("tides 149", 8),  # that of the second mail has "map 149"
        ("WEEK 7,", 15), ("zoe harbour.example", MAILS // 2), ("map 001", 2), ("ZOE B3.EXAMPLE", 9),
        ("target.example", 1), ("login.example.net bank", 1), ("user name that looks", 1), ("nowhere", 0),
        ("", ROWS),
    ]:  # fmt: skip
        choose(shown, "words", words)
        found = matching(matches) if matches < ROWS else f"{ROWS} links, shown are 1 to 100"
        assert status(shown) == f"{found}.", words


def test_filters_are_those_of_domain_month_and_kind(shown):
    for field, value, matches in [
        ("domain", "harbour.example", MAILS), ("domain", "harb", MAILS), ("domain", "b3.example", 17),
        ("month", "2011-03", 2), ("month", "2011-", 24), ("kind", "lie", 1), ("kind", "warning", 1),
        ("kind", "mended", 1),
    ]:  # fmt: skip
        shown.click("button[type=reset]")
        choose(shown, field, value)
        assert status(shown).startswith(matching(matches)), (field, value)
    choose(shown, "domain", "harbour.example")
    choose(shown, "words", "nothing")
    shown.click("button[type=reset]")
    assert (
        shown.evaluate("new Promise(done => setTimeout(() => done(document.getElementById('kind').value)))")
        == ""
    )
    assert status(shown).startswith(f"{ROWS} links")


def test_domains_and_bars_choose_what_the_table_shows(shown):
    shown.click("td[data-value='harbour.example'] button")
    assert status(shown).startswith(f"{MAILS} of {ROWS} links match")
    assert shown.evaluate("document.activeElement.id") == "links"
    shown.click(".bar[data-month='2022-06']")
    assert status(shown) == f"7 of {ROWS} links match."
    assert shown.evaluate("document.getElementById('domain').value") == ""


def test_the_table_is_paged(shown):
    shown.click(".pages button[data-page=next]")
    assert status(shown) == f"{ROWS} links, shown are 101 to 200."
    shown.click(".pages button[data-page=last]")
    assert status(shown) == f"{ROWS} links, shown are 301 to 305."
    assert column(shown, "date")[-1] == "2010-01-05 08:00"
    shown.click(".pages button[data-page=next]")
    assert "301 to" in status(shown)
    shown.click("div.pages:last-of-type button[data-page=first]")
    assert status(shown) == f"{ROWS} links, shown are 1 to 100."


def test_the_keyboard_is_enough(shown):
    shown.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    shown.press("Enter", "Tab")
    assert shown.evaluate("document.activeElement.id") == "words"
    outline = shown.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    shown.write("week 12")
    assert status(shown) == f"12 of {ROWS} links match."  # also /112
    for field in ("domain", "month", "kind"):
        shown.press("Tab")
        assert shown.evaluate("document.activeElement.id") == field
    shown.press("Tab", "Tab")
    assert shown.evaluate("document.activeElement.innerText") == "Date"
    shown.press("Enter")
    assert sorted_by(shown) == {"date": "ascending"}
    assert column(shown, "date")[0] == "2011-01-05 08:00"  # that of week 12
    shown.press(" ")
    assert sorted_by(shown) == {"date": "descending"}
    shown.press("Tab", "Tab", "Enter")
    assert sorted_by(shown) == {"subject": "ascending"}


def test_a_screen_reader_gets_names_and_roles(shown):
    nodes = shown.call("Accessibility.getFullAXTree")["nodes"]
    seen = {
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    }
    assert seen >= {
        ("RootWebArea", "Links of links.db"), ("heading", "All links"), ("table", "All links"),
        ("searchbox", "Words"), ("search", "Links"), ("columnheader", "Date"), ("button", "Subject"),
        ("button", "Next rows"), ("main", ""), ("navigation", "Sections"),
        ("link", "Skip to the table of links"),
    }  # fmt: skip
    assert [name for role, name in seen if role == "image" and name.startswith("Links by month")]
    assert not [
        role for role, name in seen if role in ("button", "link", "searchbox", "combobox") and not name
    ]


def test_links_are_those_that_can_be_followed(shown):
    choose(shown, "month", "2022-06")
    links = shown.evaluate(
        "[...document.querySelectorAll('.links tbody a')].map(link => [link.href, link.rel, link.target])"
    )
    assert sorted(link[0] for link in links) == [
        "http://a.example/ab", "http://login.example.net/in", "http://www.bank.example@evil.example/",
        "http://www.harbour.example/149", "https://b5.example/Map", "https://gate.example/?u=1",
    ]  # fmt: skip
    assert {tuple(link[1:]) for link in links} == {("noreferrer noopener", "_blank")}
    cells = column(shown, "url")
    assert "javascript:alert(1)" in cells
    assert "http://login.example.net/in\n! Shows www.bank.example, but leads to login.example.net" in cells
    assert [text for text in cells if "\n! Leads to evil.example: a user name that looks like a host" in text]
    assert [text for text in cells if "\nLeads on to http://target.example/, through Gate" in text]
    assert [text for text in cells if text.endswith("\nWas broken, and was mended")]


def test_letters_written_from_right_to_left_move_no_part_of_a_url(chromium, tmp_path):
    """The host is where it is in the text, though a user name and a path in Hebrew are on its sides."""
    name = "\u05d0\u05d1\u05d2"
    url = f"http://{name}@a.example/{name}"
    index = fill(tmp_path / "links.db", [({"subject": f"{name} 1", "from": name}, [{"url": url}])])
    (tmp_path / "links.html").write_text(page_of(str(index)), "utf-8")
    chromium.open((tmp_path / "links.html").as_uri())
    lefts = chromium.evaluate(
        "[...document.querySelector('.links .address').children]"
        ".map(part => part.getBoundingClientRect().left)"
    )
    assert len(lefts) == 3
    assert lefts == sorted(lefts)


def test_the_rows_of_the_script_are_those_without_it(shown, page):
    """The first rows are in the page as the template makes them; the script makes the same elements."""
    rows = (
        "[...document.querySelectorAll('.links tbody tr')]"
        ".map(row => row.innerText.replace(/\\s+/g, ' ').trim())"
    )
    with_script = shown.evaluate(rows)
    shown.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        shown.open(page.as_uri())
        without = shown.evaluate(rows)
        assert shown.evaluate("document.getElementById('filters').offsetHeight") == 0
        assert "Without JavaScript" in shown.evaluate("document.body.innerText")
    finally:
        shown.call("Emulation.setScriptExecutionDisabled", value=False)
    assert len(without) == 200
    assert without[:100] == with_script


@pytest.mark.parametrize("width", [360, 800, 1280, 2560])
def test_nothing_is_wider_than_the_window(width, shown):
    shown.size(width, 800)
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    cut = shown.evaluate(
        "[...document.querySelectorAll('.links td')]"
        ".filter(cell => cell.scrollWidth > cell.clientWidth + 1).length"
    )
    assert cut == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_light_and_dark(scheme, shown):
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    shown.prefer(scheme)
    contrasts = shown.evaluate("""(() => {
      const light = (color) => {
        const [r, g, b] = color.match(/[0-9.]+/g).map(n => n / 255)
          .map(n => n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (element) => {
        const color = getComputedStyle(element).backgroundColor;
        return color === 'rgba(0, 0, 0, 0)' && element.parentElement ? ground(element.parentElement) : color;
      };
      return [...document.querySelectorAll('p, a, td, th, dt, dd, label, .note, .context, h1, h2, button')]
        .filter(element => element.offsetHeight && element.ariaDisabled !== 'true').map(element => {
          const [one, other] = [light(getComputedStyle(element).color), light(ground(element))];
          return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        });
    })()""")
    is_dark = shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 23, 25)"
    shown.prefer("light")
    assert is_dark == (scheme == "dark")
    assert len(contrasts) > 300
    assert min(contrasts) >= 4.5


def test_it_prints(shown, tmp_path):
    need("poppler-utils", "pdftotext")
    shown.print(tmp_path / "page.pdf")
    text = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "page.pdf", "-"], capture_output=True, check=True
    ).stdout.decode()
    assert "Links by month" in text
    assert "Tides 149" in text
    assert text.count("URL, by domain") > 1, "the heading is on each page"
    assert "Next rows" not in text


# --- hostile mail --------------------------------------------------------------------------------------


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """Listen on a port of this machine; return it with what anybody has sent there."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:  # it was closed
                    return
                with connection:
                    connection.settimeout(1)
                    heard.append(connection.recv(1_000))

        threading.Thread(target=listen, daemon=True).start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)


def attacks(port: int) -> list[str]:
    """Return texts that would run a script, or make a request to the port, if a page took them as markup."""
    at = f"http://127.0.0.1:{port}/"
    run = f"window.hacked=1;fetch('{at}fetch')"
    return [
        f"<script>{run}</script>", f"</script><script>{run}</script>", f"<img src={at}img onerror=\"{run}\">",
        f"<!--<script>{run}</script>",
        f"--></script></template></title></style><script>{run}</script>",
        f"\"><svg onload=\"{run}\">", f"' autofocus onfocus='{run}' x='", f"javascript:{run}",
        f"data:text/html,<script>{run}</script>",
        f"<style>@import '{at}css'; body{{background:url({at}bg)}}</style>",
        f"</style><link rel=stylesheet href={at}link><link rel=prefetch href={at}prefetch>",
        f"<iframe srcdoc=\"<script>{run}</script>\"></iframe>",
        f"<meta http-equiv=refresh content='0;url={at}meta'>",
        f"<base href={at}>", f"<form action={at}form><button>x", f"<object data={at}object></object>",
        "{{7*7}}", "{% for x in [1] %}hacked{% endfor %}", "{{ cycler.__init__.__globals__.os.system('x') }}",
        "${7*7}", "\u202e\u2066gpj.exe", "\u2028\u2029", "a\x00b\x1b]8;;x\x07", f"z{20 * chr(0x336)}", "]]>",
        "\\u003cscript\\u003e", "&lt;script&gt;", "constructor", "__proto__", "x" * 1_000_000,
    ]  # fmt: skip


def hostile_mails(port: int) -> Iterator[Mail]:
    """Yield a mail for each attack, with the attack everywhere."""
    at = f"http://127.0.0.1:{port}/"
    for number, text in enumerate(attacks(port)):
        common = {
            "text": text, "context": text, "shown": text, "element": "a", "attribute": "href",
            "differs": "domain", "defects": "shows-another-domain", "repaired": 1, "repairs": "joined-lines",
            "raw": text, "unwrapped": text, "wrapped_by": text, "domain": text,
        }  # fmt: skip
        yield (
            {"date": f"2025-01-{number % 28 + 1:02}T00:00:00Z", "from": text, "subject": text},
            [
                {"url": text, **common},
                {"url": f"{at}{number}?{text}", **common},
                {"url": f"{at}#{text}", **common},
            ],
        )


def test_hostile_mail_runs_nothing_and_sends_nothing(chromium, listener, tmp_path):
    port, heard = listener
    index = fill(tmp_path / "{{7*7}}<script>.db", hostile_mails(port))
    path = tmp_path / "links.html"
    path.write_text(page_of(str(index)), "utf-8")
    chromium.events.clear()
    chromium.size(1280, 900)
    chromium.open(path.as_uri())
    for name in ("sender", "subject", "text", "url", "date"):
        chromium.click(f"th[data-column={name}] button")
    for words in ("script", "49", "hacked", "\u202e", "constructor", "__proto__"):
        choose(chromium, "words", words)
        assert " links match" in status(chromium)
    chromium.click("button[type=reset]")
    chromium.call("Input.dispatchMouseEvent", type="mouseMoved", x=600, y=600)
    for element in ("details summary", "td[data-filter] button"):
        chromium.click(element)
    assert (
        chromium.evaluate("new Promise(done => setTimeout(() => done(typeof window.hacked), 500))")
        == "undefined"
    )
    assert chromium.evaluate("document.scripts.length") == 2
    assert chromium.evaluate("document.title") == "Links of {{7*7}}<script>.db"
    assert chromium.evaluate(
        "[...document.querySelectorAll('*')].filter(element => element.getAttributeNames()"
        ".some(name => name.startsWith('on') || name === 'style' || name === 'src')).length"
    ) == 0  # fmt: skip
    schemes = chromium.evaluate("[...new Set([...document.links].map(link => link.protocol))].sort()")
    assert schemes == ["file:", "http:"]
    text = chromium.evaluate("document.body.textContent")
    assert not {"\u202e", "\u2066", "\x00", "\x1b"} & set(text)
    assert [request for request in chromium.requests() if request != path.as_uri()] == []
    assert heard == []
    assert chromium.complaints() == []


def test_the_policy_of_the_page_holds_what_would_slip_through(chromium, listener, page):
    """As if the page had let an attack in: the browser itself runs nothing, and sends nothing."""
    port, heard = listener
    chromium.events.clear()
    chromium.open(page.as_uri())
    chromium.evaluate(f"""(() => {{
      const at = 'http://127.0.0.1:{port}/';
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 1';
      const [image, style, frame] = ['img', 'style', 'iframe'].map(name => document.createElement(name));
      image.src = at + 'image';
      style.textContent = "body {{ background: url('" + at + "style') }}";
      frame.src = at + 'frame';
      document.body.append(script, image, style, frame);
      document.body.insertAdjacentHTML('beforeend', '<b onclick="hacked = 1">x</b><base href="' + at + '">');
      document.body.lastElementChild.previousElementSibling.click();
      return fetch(at + 'fetch').catch(() => 0).then(() => 0);
    }})()""")
    assert (
        chromium.evaluate("new Promise(done => setTimeout(() => done(typeof window.hacked), 500))")
        == "undefined"
    )
    assert heard == []
    assert len([line for line in chromium.complaints() if "Content Security Policy" in line]) >= 5
    chromium.events.clear()
