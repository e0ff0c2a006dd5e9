r"""Tables of the manual page: values of options, figures of confidence, keys of records, files.

`manual` builds the page from these tables. Tests run each example, and compare the keys with those that
the program prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


def entries_of(text: str) -> Iterator[tuple[str, str]]:
    r"""Yield the terms of a list, each with its meaning: the indented lines that follow it.

    >>> list(entries_of("0\n    Found.\n1\n    Nothing\n    found.\n"))
    [('0', 'Found.'), ('1', 'Nothing found.')]
    """
    term, meaning = "", []
    for line in text.splitlines():
        if line.startswith(" "):
            meaning.append(line.strip())
            continue
        if term:
            yield term, " ".join(meaning)
        term, meaning = line, []
    yield term, " ".join(meaning)


OPTION_DETAILS = {
    "--json": "The record has all that is known of the URL: see JSON RECORDS.",
    "--csv": (
        "The first row has the names of the columns, which are keys of the JSON records: source, "
        "message, part, header, line, column, url, scheme, host, form, confidence, text, shown, "
        "differs, defects, message_id, date, from, to, subject, list_id and newsgroups; with --top, "
        "count before them. Fields are quoted as RFC 4180 says, rows end with a newline. A list is "
        "joined by semicolons, null is empty. So that no spreadsheet makes a formula of a field, an "
        "apostrophe stands before = + - @ where they begin a text, and where they follow a semicolon, a "
        "tab, a bar or a line end in it, which spreadsheets that take these for separators cut at, with "
        "or without quotes and blanks between: in URLs, too (http://a.example/;'=x)."
    ),
    "--context": (
        "Printed are lines of the text, not the URLs: of a message, of its decoded parts (of HTML, the "
        "markup) and of header fields, with their names. As in grep, -- is between groups of lines, and"
        " after the names and numbers of -H, -I and -n is a colon if a URL is on the line, and a hyphen"
        " if none is. The records of --json have the places instead. The lines after a URL are printed "
        "when the next one is found, or at the end of the text; in a long text, when it has gone on for"
        " 262,144 characters."
    ),
    "--unique": (
        "URLs with the same normal form are one (http://a.example and HTTP://A.example:80/), and the "
        "first of them is printed as it was found. With --json there is one record, with the number of "
        "its places (count) and all of them (places), at the end of the input."
    ),
    "--unique-by": (
        "It implies --unique. text compares URLs as they were found, url their normal forms: normalized "
        "in JSON RECORDS, with the slash that may be left out; host and domain compare host and "
        "registered domain (see --domain), and what has no host by its normal form."
    ),
    "--top": (
        "The lines are those of sort | uniq -c: the number in seven columns, a blank, and the first URL "
        "of those that are one by --unique-by; the most frequent one first, equally frequent ones as they"
        " were found. With --json, count is the number. The names and numbers of -H, -I and -n are those "
        "of the first place. Without N, all are printed; a file whose name is a number is ./1."
    ),
    "--sort": (
        "They are compared character by character, by code points; equal ones stay in their order. "
        "Records are sorted by url. With --sort and --top, everything is read before the first line is "
        "printed, and --max-count counts the lines that are printed."
    ),
    "--color": (
        "The colours are those of grep: names, line numbers, separators, and the host of each URL (with"
        " --context, the URL) as what matches. auto has none if NO_COLOR is set and not empty, or the "
        "terminal is dumb. always is for pipes such as less -R, too; in all its output, other escape "
        "sequences and control characters are shown as escapes."
    ),
    "--hyperlink": (
        "The links are those of OSC 8, which many terminals follow on a click. Only http, https, ftp "
        "and mailto are links, encoded as ASCII; what is shown is the URL. auto writes them for "
        "terminals that are known to take them: kitty, foot, Alacritty, WezTerm, Ghostty, iTerm2, "
        "Konsole, Windows Terminal, those of VTE (GNOME) and a few more, not in tmux or screen."
    ),
    "--no-config": "It is the file that the environment variable URLEXTRACT_CONFIG names: see SETTINGS.",
    "--quiet": "It stops at the first URL.",
    "--line-number": "Lines count within the part of a message.",
    "--explain": "It names the option that would take what was turned down.",
    "--follow": (
        "Links within a directory are always followed. Without it, a line on standard error says how many "
        "lead out of one and were not; the exit status does not change."
    ),
    "--files-from": "FILE - is standard input.",
    "--jobs": (
        "The order of the output stays. By default much mail and text is read by one process for each "
        "processor, all else by one: see PROCESSES."
    ),
    "--state": "FILE is written at least every second, after what it speaks of was printed: see STATE.",
    "--scheme": '"any" takes unregistered ones, too.',
    "--quoted": "only reads nothing but these lines.",
    "--host": (
        "A pattern is one of the shell (*, ?, [abc]), in any case, with names of other scripts in either "
        "form; * stands for dots, too. It must fit all of host, a key of JSON records. .example.org is "
        "example.org and all below it. URLs without a host fit no pattern."
    ),
    "--not-host": "PATTERN is as for --host. URLs without a host stay.",
    "--domain": (
        "NAME is what was registered, by the Public Suffix List: a.co.uk, or me.github.io. For anything "
        "else, --host .NAME takes all below NAME."
    ),
    "--relaxed": "confidence, a key of the JSON records, says how sure each is.",
    "--links": "Left out are images, styles and scripts of HTML, and cid:.",
    "--base": "It is for pages that are no mail.",
    "--charset": "By default it is UTF-8, or else Windows-1252.",
    "--since": "A number with h, d or w (hours, days, weeks) counts back from now.",
}
"""What the manual says of options beyond their help."""


class Values(NamedTuple):
    """The values of an option, and what each of them prints for the same text."""

    option: str
    purpose: str
    text: str
    values: tuple[tuple[str, str, str], ...]
    """Each value, what it means, and the output."""


OPTION_VALUES = (
    Values(
        "--hyphen",
        "A hyphen before a line end may be part of the URL, or a mark of the line break (RFC 1738, "
        "appendix). --hyphen says which reading is printed. The other one is an alternative of the record.",
        "Take <http://www.example.org/tide-\ntables.html> now.\n"
        "http://www.example.org/tidetables.html is the same.\n",
        (
            ("keep", "The hyphen is part of the URL. This is the default.",
             "http://www.example.org/tide-tables.html\nhttp://www.example.org/tidetables.html\n"),
            ("drop", "The hyphen is not part of the URL.",
             "http://www.example.org/tidetables.html\nhttp://www.example.org/tidetables.html\n"),
            ("both", "Both readings are printed, as two results: the first one is that of keep.",
             ("http://www.example.org/tide-tables.html\nhttp://www.example.org/tidetables.html\n"
             "http://www.example.org/tidetables.html\n")),
            ("evidence", ("The reading that occurs without a line break in the same source is printed, and a "
             "repair of the record names this evidence. Without evidence it is the reading of keep."),
             "http://www.example.org/tidetables.html\nhttp://www.example.org/tidetables.html\n"),
        ),
    ),
    Values(
        "--join",
        "--join says which URLs are joined over line ends. LINE ENDS describes the evidence for bare URLs.",
        "It is in <http://www.example.org/a/\nnorth.html>, and at\n"
        "http://www.example.org/harbour/tables/2026/south-\nkqzx7.html too.\n"
        "See http://www.example.org/harbour/tide-\ntables for it.\n",
        (
            ("none", "No URL is joined. Each one ends with its line.",
             ("http://www.example.org/a/\nhttp://www.example.org/harbour/tables/2026/south-\n"
             "http://www.example.org/harbour/tide-\n")),
            ("delimited", "URLs in angle brackets or double quotes are joined.",
             ("http://www.example.org/a/north.html\nhttp://www.example.org/harbour/tables/2026/south-\n"
             "http://www.example.org/harbour/tide-\n")),
            ("safe", "Bare URLs are joined, too, if the evidence is as good as proof. This is the default.",
             ("http://www.example.org/a/north.html\n"
             "http://www.example.org/harbour/tables/2026/south-kqzx7.html\n"
             "http://www.example.org/harbour/tide-\n")),
            ("likely", "Bare URLs are joined, too, if they go on more likely than not.",
             ("http://www.example.org/a/north.html\n"
             "http://www.example.org/harbour/tables/2026/south-kqzx7.html\n"
             "http://www.example.org/harbour/tide-tables\n")),
        ),
    ),
)  # fmt: skip

FORMS = (
    ("url-wrapper", 'A URL in angle brackets, with "URL:" before it.', "<URL:ftp://a.example/1>"),
    ("angle", "A URL in angle brackets.", "<http://a.example/2>"),
    ("quoted", "A URL in double quotes.", '"http://a.example/3"'),
    ("prefixed", 'A URL with "URL:" before it, without brackets.', "URL:http://a.example/4"),
    ("bare", "A URL without any of these.", "http://a.example/5"),
    ("abbreviated", ("A host without a scheme, with or without brackets: one that begins with www. or "
     "ftp., any other one with --relaxed, a defanged one with --refang; a mail address with --emails."),
     "www.example.org/6"),
    ("html-attribute", "A URL in an attribute or a style of HTML.", '<a href="http://a.example/7">'),
    ("header", "Any URL in a header field of a message, whatever is around it.",
     "Subject: see <http://a.example/8>"),
)  # fmt: skip
"""The values of --form, each with what it means, and an example."""

CONFIDENCES = """\
1.0
    The forms url-wrapper and html-attribute.
0.98
    The form angle.
0.95
    The forms quoted, prefixed and header; with --emails, an address in angle brackets.
    (<ada@example.org>)
0.9
    The form bare; with --emails, any other address; with --relaxed, a host in angle brackets.
    (ada@example.org, <github.com/x>)
0.75
    The form abbreviated, if the host begins with www. or ftp. (ftp.example.org)
0.7
    With --relaxed, a host with a path or a port. (github.com/x, localhost:8080)
0.5
    With --relaxed, a host of three labels or more. (a.example.com)
0.4
    With --relaxed, a host of two labels, in a country's domain or an old one. (example.com, example.de)
0.3
    With --relaxed, a host of two labels in another domain. (example.dev)
0.25
    With --relaxed, an address of numbers. (192.168.1.1)
"""
"""Each figure of confidence and the kinds of URLs that have it, some with examples."""

CONFIDENCE_RULE = """\
The confidence of a record is a number from 0 to 1: how sure it is that a URL was meant there, and that it
was read whole. It is an estimate, made by rules, and no probability. Each kind of place has a figure:
"""
CONFIDENCE_FACTORS = """\
The figures of hosts and addresses that --relaxed and --emails add apply in header fields, too.

The figure is multiplied by 0.9 if the record has defects, by 0.9 if it has alternatives (the
percent-encoded form of the same URL does not count), and by 0.7 if it has the defect "may-continue". The
product is rounded to two places. A bare URL that may go on in the next line has 0.9 * 0.9 * 0.9 * 0.7 =
0.51; one in angle brackets that was broken after a hyphen has 0.98 * 0.9 = 0.88.
"""

STATUSES = """\
0
    At least one URL was found.
1
    No URL was found. An empty file is no error. --max-count 0 prints nothing, and has this status.
2
    Trouble: a wrong option, a source that is missing, damaged or refused, output that cannot be
    written. One line on standard error has the cause. What could be read is printed nevertheless. With
    --quiet the status is 0 if a URL was found.
130
    The program was interrupted (SIGINT).
141
    The reader of the output went away (SIGPIPE), as in urlextract FILE | head -1.
"""

ERROR_KEYS = """\
url, string
    The URL. With --rules whatwg, what a browser would request.
given, string
    The text that was parsed. With --rules rfc3986 it is the same as url.
parsed, object or null
    As above. Null if the text does not parse, as the next two.
violations, list of objects or null
    As above.
warnings, list of objects or null
    As above, but the positions count in given.
error, object or null
    Why the text does not parse. Null if it does.
error.start, integer
    The first character of the fault, from 0 in given.
error.end, integer
    The character after it; the same as start if something is missing there.
error.message, string
    What is wrong, in words.
"""
"""The keys of a record of ``parse --json``, except those within ``parsed``, violations and warnings."""

FILES = """\
FILE, DIR
    The sources. They are opened for reading only, but by rewrap -i.
The file that URLEXTRACT_CONFIG names
    Options: see SETTINGS. It is only read.
--state FILE
    What was read, in JSON. It is read at the start, if it exists, and replaced during the run and at
    its end: the new content is written to .urlextract-XXXXXXXXXXXX in the same directory, which is
    renamed. So the file is always whole. The next run removes what one that was killed left there.
--output FILE
    The results. An existing file is cut to nothing when the run starts, with --state to the length that
    the state has. A source of the same name is refused.
index INDEX
    The index, an SQLite file: see INDEX. While a run writes, there are INDEX-wal (of some 130 MB) and
    INDEX-shm, too; they are removed at its end, unless somebody else reads the index then.
rewrap -i FILE
    The file is read, and replaced after the check as a state file is. Its mode, and if possible its
    owner, stay the same.
--files-from FILE
    The names of sources. It is only read.
report: LINKS.db
    The index. It is only read; SQLite may make LINKS.db-wal and LINKS.db-shm beside it.
report -o FILE
    The page. It is replaced when it is complete, as a state file is.
pick: TMPDIR/urlextract-XXXXXXXX/
    The texts that fzf shows of each link. Only the user can read the directory, and it is removed when
    fzf ends.
shard and cluster: DIR/part-ID.jsonl.zst, DIR/part-ID.parquet
    The results of one shard. They are written to DIR/.part-ID.jsonl.zst.XXXXXXXX, which is renamed; for a
    store of objects first to a file in TMPDIR.
cluster: DIR/failures.jsonl
    The shards that failed in the last run, as a plan.
cluster: TMPDIR/urlextract-XXXXXXXX/
    The working directories of Dask's workers. Only the user can read the directory. It is removed at the
    end; a run that is killed (SIGKILL) leaves it behind.
PREFIX/share/man/man1/urlextract.1
    This page. PREFIX is that of the Python environment.
PREFIX/share/bash-completion, PREFIX/share/zsh, PREFIX/share/fish
    Completion for shells: see EDITORS AND SHELLS.
"""

NO_OTHER_FILES = """\
The program has no other settings, no cache and no temporary files but those named. To read a git repository
it runs git, with the environment that SAFETY describes.
"""

MAIL = """\
From: Ada <ada@example.org>
Subject: The tables
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>See <a href=3D"https://x.example.net/in">www.bank.example</a> or
<a href=3D"https://www.example.org/tides?year=3D2026&amp;m=
onth=3D11">these tables</a>.
<img src=3D"https://track.example.com/1.gif">
"""
"""An example message: the file today.eml of the examples."""

LINKS = """\
http://lists.example.org/tides http://www.example.org/ http://www.example.org
https://a.co.uk/1 https://www.a.co.uk/2 https://b.co.uk/3 HTTP://www.Example.org:80/
http://xn--bcher-kva.example/ mailto:ada@example.org
"""
"""An example text: the file links.txt of the examples."""

LINKS_COMMANDS = (
    ("URLs of a host and of a pattern; a name is that host alone:",
     "urlextract --host example.org,lists.* links.txt", "http://lists.example.org/tides\n"),
    ("Of a domain and all below it:", "urlextract --host .co.uk links.txt",
     "https://a.co.uk/1\nhttps://www.a.co.uk/2\nhttps://b.co.uk/3\n"),
    ("A registered domain, which is a name below a public suffix:", "urlextract --domain a.co.uk links.txt",
     "https://a.co.uk/1\nhttps://www.a.co.uk/2\n"),
    ("All but those of some hosts; a URL that has no host is among them:",
     "urlextract --not-host .example.org,.example,.co.uk links.txt", "mailto:ada@example.org\n"),
    ("The two hosts with the most links:", "urlextract --top 2 --unique-by host links.txt",
     "      3 http://www.example.org/\n      1 http://lists.example.org/tides\n"),
    ("The lines with URLs of a scheme, and one line around:",
     "urlextract -C 1 -n --scheme mailto links.txt",
     ("2-https://a.co.uk/1 https://www.a.co.uk/2 https://b.co.uk/3 HTTP://www.Example.org:80/\n"
      "3:http://xn--bcher-kva.example/ mailto:ada@example.org\n")),
    ("A table of two columns, made of that of --csv:",
     "urlextract --csv --domain a.co.uk links.txt | cut -d, -f 5,7",
     "line,url\n2,https://a.co.uk/1\n2,https://www.a.co.uk/2\n"),
    ("Each URL once, in order:", "urlextract -u --sort --host .example.org links.txt",
     "http://lists.example.org/tides\nhttp://www.example.org/\n"),
)  # fmt: skip
"""Examples with the text `LINKS`: purpose, command and output."""

MAIL_COMMANDS = (
    ("All URLs, decoded:", "urlextract today.eml",
     ("https://x.example.net/in\nhttp://www.bank.example\n"
     "https://www.example.org/tides?year=2026&month=11\nhttps://track.example.com/1.gif\n")),
    ("Those a reader can follow, of one scheme, with their lines:",
     "urlextract --links --scheme https -n today.eml",
     "1:https://x.example.net/in\n2:https://www.example.org/tides?year=2026&month=11\n"),
    ("The link that deceives:", """urlextract -j today.eml | grep -o '"shows-another-domain:[^"]*"'""",
     '"shows-another-domain: www.bank.example, leads to x.example.net"\n'),
    ("A URL that a mail program has cut, after a quote prefix:",
     ("printf '%s\\n' '> It is https://lists.example.org/thread/2026-' \\\n"
     "  '> November/AB3Q7Z/tides' | urlextract"),
     "https://lists.example.org/thread/2026-November/AB3Q7Z/tides\n"),
    ("Hosts without a scheme, and mail addresses:",
     ("echo 'See github.com/x (setup.py), or ask ada@example.org.' |\n"
     "  urlextract --relaxed --emails"),
     "http://github.com/x\nmailto:ada@example.org\n"),
    ("The number of URLs:", "urlextract -c today.eml", "4\n"),
)  # fmt: skip
"""Examples with the message `MAIL` or a line of text: purpose, command and output."""
