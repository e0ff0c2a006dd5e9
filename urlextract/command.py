"""Extract the URLs of sources, and print them: the command without a name, after its arguments were parsed.

This module uses no command line library, so that a call with only file names needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from urlextract.cli.reporting import FOUND, NONE, TROUBLE, Trouble, check_keywords, errors_reported
from urlextract.output.outputs import OutputOptions
from urlextract.pipeline.options import options_of
from urlextract.run.engine import print_all


def run_command(
    sources: Sequence[str], chosen: dict[str, Any], hint: Callable[[str], str] | None = None
) -> int:
    """Print the results for the sources, with the options ``chosen``; return the exit status.

    ``hint`` returns what is added to the error of a source that may be the name of a command.

    Raises `MisuseError` for an invalid option. If the reader of its output goes away, the
    process ends as SIGPIPE would end it.
    """
    keywords = check_keywords(chosen)
    output = OutputOptions.of(chosen)
    options = options_of(keywords)
    trouble = Trouble(lambda source: hint(source) if hint and source in sources[:1] else "")
    found = 0
    with errors_reported(trouble):
        found = print_all(sources, output, options, trouble, trouble.show)
    if trouble.happened and not (output.quiet and found):
        return TROUBLE
    return FOUND if found else NONE
