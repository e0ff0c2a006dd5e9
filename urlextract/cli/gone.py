"""What earlier versions had, and what does it now: the words with which it is refused."""

from __future__ import annotations

SHARE = "urlextract cluster --part K/N makes a share of the parts, for arrays of jobs"
GONE = {
    "urlextract refs": "replace_urls of the library puts numbers in place of URLs: see the manual",
    "urlextract -C": "grep -C does it",
    "urlextract --context": "grep -C does it",
    "urlextract --hyperlink": "the terminal does it",
    "urlextract --sort": "sort does it",
    "urlextract --unique-by": "--top with --by host or domain counts them, -u merges equal URLs",
    "urlextract --no-config": "no file of options is read: an alias has them",
    "urlextract parse --rules": "warnings say what browsers read otherwise",
    "urlextract format --check": "what would not be read back is refused",
    "urlextract format --overflow": "what does not fit is refused",
    "urlextract format --host": "idn2 does it",
    "urlextract rewrap --check": "what would be read back otherwise stays as it is",
    "urlextract rewrap --policy": "--break breaks long URLs in brackets; for numbered references, "
    "see replace_urls in the manual",
    "urlextract cluster --coalesce": "COPY ... ORDER BY of DuckDB does it: see the manual",
    "urlextract cluster --dashboard": "the dashboard of a Dask scheduler does it",
    "urlextract shards": SHARE,
    "urlextract shard": SHARE,
    "urlextract cluster --plan": "--part K/N makes a share of the parts",
    "urlextract cluster --prune": "a run that is complete does it",
    "urlextract cluster --force": "another directory has the parts of another run",
    "urlextract cluster --shard-timeout": "timeout of coreutils, and another run, which goes on",
    "--format overview": "cut -f2-5 makes a text of it",
    "--hyphen elsewhere": "both prints each reading",
    "--target flowed": "mail does it",
}
"""Options of a command, commands, and values of an option, each with what does the same."""
