"""The page of an index: the template filled, with its style, its script and its data within it.

The texts of strangers reach the page in two ways: through Jinja2, which escapes them, and as JSON in a
block that no browser runs, which the script reads and shows as text alone. The page's own policy lets
nothing run but the script that was put there, and no request leave.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from urlextract.errors import MissingExtraError
from urlextract.index.database import opened_for_reading
from urlextract.report.chart import HEIGHT, chart_of
from urlextract.report.figures import figures_of
from urlextract.report.reads import links_of
from urlextract.report.wording import LONGEST_TEXT, LONGEST_URL, shortened

_FOLDER = Path(__file__).parent / "page"
# A browser reads "</script" and "<!--" in a block of data, and old ones end lines at U+2028 and U+2029.
_ENDING_A_BLOCK = "<>&\u2028\u2029"


def page_of(index: str, limit: int | None = None) -> str:
    """Return the report of the index ``index`` as HTML.

    With ``limit``, it is about the links to as many targets, which came last. Memory and time are in
    proportion to the index. Raise `IndexFileError` if the index cannot be read, and `MissingExtraError` if
    Jinja2 is not installed.
    """
    template = _template()
    with opened_for_reading(index) as connection:
        links = links_of(connection, limit)
    figures = figures_of(links)
    style, script = (_read(name) for name in ("page.css", "page.js"))
    page: str = template.render(
        name=shortened(Path(index).name),
        figures=figures,
        chart=chart_of(figures.months),
        height=HEIGHT,
        left_out=links.left_out,
        longest_text=LONGEST_TEXT,
        longest_url=LONGEST_URL,
        style=style,
        script=script,
        policy=_policy(style, script),
        data=_as_block({"messages": links.messages, "targets": links.targets}),
    )
    return page


def _template() -> Any:
    """Return the template; what is put into it is escaped, but for what it marks as safe by itself."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ModuleNotFoundError:
        raise MissingExtraError("report needs Jinja2, which is not installed: pip install jinja2") from None
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = "{:,}".format
    environment.filters["counted"] = _counted
    return environment.get_template("page.html")


def _counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> _counted(1, "link"), _counted(1_000, "link")
    ('1 link', '1,000 links')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy of the page: it runs this script alone, and loads nothing."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _as_block(data: Any) -> str:
    r"""Return ``data`` as JSON that cannot end the block of the page in which it is.

    >>> print(_as_block(["</script>"]))
    ["\u003c/script\u003e"]
    """
    block = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in _ENDING_A_BLOCK:  # much faster than str.translate
        block = block.replace(char, f"\\u{ord(char):04x}")
    return block
