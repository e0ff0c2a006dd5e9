"""``relaxed`` and ``emails``: hosts and addresses without a scheme, and what only looks like them."""

from __future__ import annotations

import pytest

from urlextract import extract


def urls(text, **wishes):
    return [found.url for found in extract(text, **wishes)]


def both(text):
    return urls(text, relaxed=True, emails=True)


HOSTS = (
    ("see github.com/foo.", ["http://github.com/foo"]),
    ("docs.python.org, please", ["http://docs.python.org"]),
    ("localhost:8080/x or 10.0.0.1/admin", ["http://localhost:8080/x", "http://10.0.0.1/admin"]),
    ("münchen.de/x", ["http://münchen.de/x"]),
    ("例え.jp", ["http://例え.jp"]),
    ("xn--mnchen-3ya.de", ["http://xn--mnchen-3ya.de"]),
    ("<github.com/foo/\nbar>", ["http://github.com/foo/bar"]),
    ("<URL:example.org/y>", ["http://example.org/y"]),
)


@pytest.mark.parametrize(("text", "expected"), HOSTS)
def test_hosts(text, expected):
    assert both(text) == expected


def test_nothing_of_it_by_default():
    assert urls(" ".join(text for text, _ in HOSTS)) == []
