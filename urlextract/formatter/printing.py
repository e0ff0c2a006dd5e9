"""Print one URL: its text, where it is broken, and how its target writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from urlextract.arguments import check_choice, check_count, check_switches, check_type
from urlextract.errors import FormatError, WidthError
from urlextract.formatter.layout import Frame, line_ends, pieces_of
from urlextract.formatter.opportunities import Opportunities, opportunities
from urlextract.formatter.printable import (
    check_layout,
    check_reading,
    encoded_end,
    printable_url,
)
from urlextract.formatter.targets import TARGETS, Target, TargetRules, Wrapper
from urlextract.grammar.cells import cells_of
from urlextract.grammar.marks import QUOTE_MARK
from urlextract.grammar.patterns import lazy_re
from urlextract.schemes.url import Url

_WIDEST = 900  # cells of a line: in brackets over several lines, a reader gives up on longer ones
# For SMTP and NNTP, for PGP, as a comment mark, as quote marks
_UNSAFE_AT_THE_EDGE = lazy_re(rf"[.\-#]|{QUOTE_MARK}")


def format_url(
    url: str | Url,
    *,
    width: int | None = None,
    target: Target = "mail",
    brackets: Wrapper = "auto",
    prefix: str | None = None,
    indent: str | None = None,
    encode: bool = False,
) -> str:
    r"""Return a URL with line breaks that are safe: the reader of the target finds the very same URL.

    The ``target`` is what the URL is printed for:

    - "mail" and "plain": text, broken over lines in its brackets.
    - "rst": ``` `<...>`__ ```, a link of reStructuredText, broken over lines.
    - "markdown": ``<...>`` (CommonMark, section 6.5), or ``[...](<...>)``, on one line.
    - "html": an ``<a>`` element, with ``<wbr>`` where it may be broken.
    - "latex": ``\href{...}{...}``, which needs the package ``hyperref``.
    - "man": ``.UR`` and ``.UE`` of groff_man(7), on two lines of their own.

    The ``brackets`` are "URL:" for ``<URL:...>``, "<>", None (no URL is broken), or "auto": "URL:" for mail
    and plain, "<>" for rst and markdown (never None), None for the others.

    In mail, plain and rst, lines are at most ``width`` terminal cells wide (72), with the ``prefix`` of each,
    the ``indent`` of each but the first (one blank, none in rst), and the brackets. No line ends in a hyphen
    (RFC 1738, appendix). With ``encode``, what RFC 1738 calls unsafe is percent-encoded.

    Raise `FormatError` if a URL would not be read back, `WidthError` if it does not fit, `ValueError` for an
    argument that changes nothing.

    >>> print(format_url("ftp://ds.internic.net/instructions/overview-of-it.html", width=40))
    <URL:ftp://ds.internic.net/instructions/
     overview-of-it.html>
    """
    rules = _rules_of(target, brackets)
    check_switches(encode=encode)
    pair = rules.pair(brackets)
    _check_used({"width": width, "prefix": prefix, "indent": indent}, rules, pair, target)
    width, prefix = 72 if width is None else width, "" if prefix is None else prefix
    indent = ("" if "indent" in rules.unused else " ") if indent is None else indent
    _check_arguments(width, prefix, indent)
    text = printed_url(url, target=target, brackets=brackets, encode=encode)
    if rules.write:
        return _written(text, rules, rules.write, pair)
    margin = prefix + indent
    frame = Frame(min(width, _WIDEST), cells_of(prefix) + len(pair[0]), cells_of(margin), len(pair[1]))
    shown = rules.escaped(text)
    if not rules.delimits:
        check_reading(text, pair[0])
    found = _opportunities(shown, rules, pair, margin)
    try:
        ends = line_ends(shown, found, frame)
    except WidthError as error:
        if error.least > width:
            raise
        ends = line_ends(shown, found, frame._replace(width=error.least))
    printed = prefix + pair[0] + f"\n{margin}".join(pieces_of(shown, ends)) + pair[1]
    # A bare URL may be glued to its prefix.
    if not rules.delimits and (len(ends) > 1 or (prefix and not pair[0])):
        check_layout(printed, text)
    return printed


def printed_url(
    url: str | Url, *, target: Target = "mail", brackets: Wrapper = "auto", encode: bool = False
) -> str:
    """Return the URL that is read back from what `format_url` returns: ``encode`` may change it.

    With ``encode``, punctuation at the end of a URL without brackets that a reader would not count to
    the URL is encoded.

    >>> printed_url("http://a.example/b|c."), printed_url("http://a.example/b|c.", brackets=None, encode=True)
    ('http://a.example/b|c.', 'http://a.example/b%7Cc%2E')
    """
    rules = _rules_of(target, brackets)
    text = printable_url(url, encode=encode, in_text=not rules.delimits)
    if encode and not (rules.delimits or rules.pair(brackets)[0]):
        text = encoded_end(text)
    refused = rules.refused.match(text) if rules.refused else None
    if refused:
        raise FormatError(
            f'"{refused[1]}" cannot be printed for {target}, where it makes another URL, '
            f"unless it is encoded as %{ord(refused[1]):02X}",
            text,
            refused.span(1),
        )
    return text


def _rules_of(target: Target, brackets: Wrapper) -> TargetRules:
    """Return the rules of a target; check both arguments."""
    check_choice("target", target, Target)
    check_choice("brackets", brackets, Wrapper)
    rules = TARGETS[target]
    if brackets is None and None not in rules.brackets:
        raise ValueError(
            f"brackets: none cannot be asked for with the target {target}, whose links need them"
        )
    return rules


def _check_used(given: dict[str, object], rules: TargetRules, pair: tuple[str, str], target: Target) -> None:
    """Raise `ValueError` for an argument that was given and changes nothing."""
    for name, value in given.items():
        if value is not None and name in rules.unused:
            raise ValueError(f"{name}: changes nothing for the target {target}")
        if value is not None and name == "indent" and not pair[0]:
            raise ValueError(f"{name}: changes nothing without brackets: no URL is broken then")


def _check_arguments(width: int, prefix: str, indent: str) -> None:
    check_count("width", width, 1)
    check_type("prefix", prefix, str, "a str")
    check_type("indent", indent, str, "a str of blanks")
    if not prefix.isprintable():
        raise ValueError(f"prefix: {prefix!r} has characters that are not printable: only those are allowed")
    if indent.strip(" "):
        raise ValueError(f"indent: {indent!r} has characters other than blanks: only those are allowed")


def _opportunities(url: str, rules: TargetRules, brackets: tuple[str, str], margin: str) -> Opportunities:
    """Return where the lines of ``url`` may end."""
    if rules.column is None or not brackets[0]:
        return Opportunities({}, frozenset(range(len(url) + 1)), 0, 0)
    found = opportunities(url, rules.column)
    barred = set() if margin else {match.start() for match in _UNSAFE_AT_THE_EDGE.finditer(url)}
    costs = {at: cost for at, cost in found.costs.items() if at not in barred}
    return found._replace(costs=costs, never=found.never | barred)


def _written(
    url: str,
    rules: TargetRules,
    write: Callable[[str, Sequence[str], Sequence[int], tuple[str, str]], str],
    brackets: tuple[str, str],
) -> str:
    """Return ``url`` as written for a program that fills its lines itself."""
    costs = {} if rules.column is None else opportunities(url, rules.column).costs
    return write(url, pieces_of(url, [*costs, len(url)]), [*costs.values()], brackets)
