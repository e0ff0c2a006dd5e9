"""What is gone is refused in one line that names what does it now, with status 2."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from commands import outcome

COUNTED = "--top with --by host or domain counts them, -u merges equal URLs"
NUMBERED = "replace_urls of the library puts numbers in place of URLs: see the manual"
BROKEN = "--break breaks long URLs in brackets; for numbered references, see replace_urls in the manual"
SORTED = "COPY ... ORDER BY of DuckDB does it: see the manual"
SHARE = "urlextract cluster --part K/N makes a share of the parts, for arrays of jobs"
GONE = {
    "--sort x": "no such option: --sort (sort does it)",
    "-C 1 x": "no such option: -C (grep -C does it)",
    "-nC1": "no such option: -C (grep -C does it)",
    "--context=1": "no such option: --context (grep -C does it)",
    "--color always": "no such option: --color",
    "--hyperlink auto": "no such option: --hyperlink (the terminal does it)",
    "--unique-by host --top": f"no such option: --unique-by ({COUNTED})",
    "--no-config": "no such option: --no-config (no file of options is read: an alias has them)",
    "--hyphen elsewhere": "--hyphen: unknown value 'elsewhere' (both prints each reading)",
    "index x --hyphen elsewhere": "--hyphen: unknown value 'elsewhere' (both prints each reading)",
    "-F overview": "--format: unknown value 'overview' (cut -f2-5 makes a text of it)",
    "pick -F overview": "--format: unknown value 'overview' (cut -f2-5 makes a text of it)",
    "refs": f"no such command: refs ({NUMBERED})",
    "refs --inline x": f"no such command: refs ({NUMBERED})",
    "parse --rules whatwg x": "no such option: --rules (warnings say what browsers read otherwise)",
    "format --check x": "no such option: --check (what would not be read back is refused)",
    "format --overflow keep x": "no such option: --overflow (what does not fit is refused)",
    "format --host ascii x": "no such option: --host (idn2 does it)",
    "format --start-column 8 x": "no such option: --start-column",
    "format -t flowed x": "--target: unknown value 'flowed' (mail does it)",
    "rewrap --policy ref": f"no such option: --policy ({BROKEN})",
    "rewrap --check": "no such option: --check (what would be read back otherwise stays as it is)",
    "cluster --coalesce x": f"no such option: --coalesce ({SORTED})",
    "cluster --dashboard x": "no such option: --dashboard (the dashboard of a Dask scheduler does it)",
    "shards mail": f"no such command: shards ({SHARE})",
    "shard --plan plan --number 1 --out x": f"no such command: shard ({SHARE})",
    "cluster --plan x": "no such option: --plan (--part K/N makes a share of the parts)",
    "cluster --prune": "no such option: --prune (a run that is complete does it)",
    "cluster --force": "no such option: --force (another directory has the parts of another run)",
    "cluster --shard-size 1M": "no such option: --shard-size",
    "cluster --shard-timeout 60": "no such option: --shard-timeout "
    "(timeout of coreutils, and another run, which goes on)",
}


@pytest.mark.parametrize(("words", "message"), GONE.items())
def test_what_is_gone_is_one_line(words: str, message: str, tmp_path: Path) -> None:
    assert outcome(*shlex.split(words), cwd=tmp_path) == (2, "", f"urlextract: {message}\n")


def test_file_of_the_name_of_a_command_that_is_gone_is_read(tmp_path: Path) -> None:
    (tmp_path / "refs").write_text("http://a.example/")
    assert outcome("refs", cwd=tmp_path) == (0, "http://a.example/\n", "")
    assert outcome("refs", "--sort", cwd=tmp_path)[2] == (
        "urlextract: no such option: --sort (sort does it)\n"
    )
