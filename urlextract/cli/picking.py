"""Run the command ``pick`` after its arguments were parsed: mail readers call it with a file, or nothing.

This module uses no command line library, so that such a call needs none.
"""

from __future__ import annotations

from typing import Any

from urlextract.cli.reporting import FOUND, NONE, TROUBLE, Trouble, errors_reported
from urlextract.picking.picker import PickOptions, pick


def run_pick(source: str, chosen: dict[str, Any]) -> int:
    """Let the user choose links of a source at the terminal; "-" is standard input.

    Damage in the source is trouble only if nothing was chosen.
    """
    damage, trouble = Trouble(), Trouble()
    done = 0
    with errors_reported(trouble):
        done = pick(
            source,
            PickOptions(**chosen),
            on_damage=damage,
            trouble=trouble.report,
            notice=trouble.show,
        )
    if trouble.happened or (damage.happened and not done):
        return TROUBLE
    return FOUND if done else NONE
