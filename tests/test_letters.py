"""Letters as people get them: every link that a reader would click is in the picker once, with its words.

``links.jsonl`` has them as a reader listed them; ``text`` is empty where the link is plain text.
"""

from __future__ import annotations

import json

import pytest
from realtools import README, ROOT
from terminals import OnTerminal

from urlextract.picking.choices import links_of

LETTERS = ROOT / "corpora" / "letters"
LISTED = [json.loads(line) for line in (LETTERS / "links.jsonl").read_text("utf-8").splitlines()]


def test_letters_are_listed():
    assert {label["letter"] for label in LISTED} == {path.name for path in LETTERS.glob("*.eml")}
    assert len({label["letter"] for label in LISTED}) >= 15


@pytest.mark.parametrize("letter", sorted(LETTERS.glob("*.eml")), ids=lambda path: path.stem)
def test_every_link_is_in_the_picker_once_with_its_words(letter):
    expected = {label["url"]: label["text"] for label in LISTED if label["letter"] == letter.name}
    choices = [choice for choice in links_of(letter).choices if not choice.is_reading]
    assert sorted(choice.url for choice in choices) == sorted(expected)
    for choice in choices:
        assert expected[choice.url] in ("", choice.words)


def test_only_the_link_that_deceives_is_marked():
    lies = {
        letter.name: [c.lie for c in links_of(letter).choices if c.lie] for letter in LETTERS.glob("*.eml")
    }
    assert lies.pop("spam.eml") == [
        "shows www.mybank.example, leads to login.example.net",
        "an address written as a number",
    ]
    assert not any(lies.values())


def test_list_in_the_readme_is_shown(tmp_path):
    shown = next(block for block in README.split("```") if block.startswith("text\n$ urlextract pick"))
    command, rows = shown.removeprefix("text\n").split("\n", 1)
    terminal = OnTerminal(["pick", str(ROOT / command.split()[-1])], b"", tmp_path, size=(80, 24))
    try:
        terminal.wait_for("q quits")
        assert terminal.shown.decode().replace("\r", "").strip() == rows.strip()
    finally:
        terminal.close()
