"""The section INDEX of the manual page: the tables and views of an index, column by column.

A test compares the columns with those of the tables.
"""

from __future__ import annotations

INDEX = """\
urlextract index INDEX adds what it finds to an SQLite file, which it makes if need be, and which sqlite3,
Datasette, sqlite-utils and the libraries of all languages read. The options are those of extracting, except
--hyphen evidence. While a run writes, others can read; a second run that would write waits for 5 seconds,
and then ends with one line and the status 2.

The index remembers what was read, in the same transaction as what was found: mailboxes and texts are read
on where they ended, spools by the numbers of their articles, Maildirs by name, inboxes in git by the number
of their messages. Any other file is read again when its size or its time has changed. What is read again
replaces what it was; what is gone, a mail of a Maildir or a file, stays. What came from a pipe is known by
its bytes, so procmail can pipe each mail in, and the same mailbox piped twice adds nothing. A transaction
ends at least every second and every 4,000 messages; a run that was killed can be started again, and the
index is then the same as without the interruption.

Names of sources are absolute; of records that were loaded they are as they are there. A name that is not
UTF-8 has escapes (\\xe9) for its bytes. In all texts, U+FFFD stands for a NUL and for a byte that could not
be decoded. The options of the last run are remembered, and a run with others says so; what was read before
stays as it is.

--from DIR loads records that were found elsewhere: from the files in DIR whose names end in .jsonl,
.jsonl.gz or .jsonl.zst, as urlextract -j prints them, and .parquet, as urlextract cluster writes them. Each
is loaded once, as a whole or not at all; one that has changed since is refused. Their places
have no context. A directory without any such file is an error.

A file that is no index, or one of a newer version of the program, is refused, and stays as it is. So is an
index in which tables, views, indexes or triggers are not those that the program makes; the line names the
first of them, and one that was added by hand is removed with DROP. The statistics of ANALYZE may be there.
An index of another user can be read by report, but it is not written to: see SAFETY. The
application_id of an index is 0x75726C78, and its user_version, that of these tables, is %d.
"""

INDEX_COLUMNS = {
    "runs": (
        "Each run that wrote to the index.",
        """\
id, integer
    The number of the run.
started, string
    When it began, in UTC: 2026-01-31T09:12:00Z.
finished, string or null
    When it ended. Null if it was stopped.
options, string
    The options of extracting that were not left at their defaults, as JSON.
messages, integer
    The number of messages that it read; of records that were loaded, those with a URL.
places, integer
    The number of places that it added.
damaged, integer
    The number of errors in its sources.
""",
    ),
    "sources": (
        "Each file, folder and stream that was read.",
        """\
id, integer
    The number of the source.
path, string
    Its absolute name, or that in the records that were loaded. - is standard input; a member of an archive
    has the name of the archive before its own.
kind, string
    file, member (of an archive), folder (of which seen has the messages), inbox (in git), stream, or part
    (of --from).
parent_id, integer or null
    The archive or folder that holds the file.
messages, integer
    The number of messages that were read, also those without a URL. A folder counts those in its files.
state, string or null
    How far it was read, in a form for the program.
""",
    ),
    "seen": (
        "The messages of folders and streams that were read.",
        """\
source_id, integer
    The folder, or the stream -.
name, string
    The name or the number of a message in a folder; of what came from a stream, a hash.
""",
    ),
    "messages": (
        "The messages in which there is a URL. A message in a message has a row of its own.",
        """\
id, integer
    The number of the row.
source_id, integer
    The source.
number, integer
    The number of the message in its source, from 1.
offset, integer or null
    Its offset there, in bytes, after decompression.
message_id, string or null
    Its Message-ID, with angle brackets.
date, string or null
    Its date in UTC: 2026-01-31T09:12:00Z. Null if it has none, or none that can be read.
date_field, string or null
    The Date field as written.
from, string or null
    The From field, decoded. In SQL, this name has double quotes, as to and column have.
to, string or null
    The To field, decoded.
subject, string or null
    The Subject field, decoded.
list_id, string or null
    The identifier of its mailing list.
newsgroups, string or null
    The Newsgroups field.
""",
    ),
    "urls": (
        "Each URL once.",
        """\
id, integer
    The number of the row.
url, string
    The URL in one line.
normalized, string
    Its normal form, which URLs of the same resource share.
scheme, string
    Its scheme, in lower case.
host, string or null
    Its host in lower case, with A-labels.
domain, string or null
    The registered domain of the host, by the Public Suffix List.
unwrapped, string or null
    The target, if the URL is a link that a gateway has rewritten: see GATEWAYS.
wrapped_by, string or null
    The name of the service that has rewritten it.
first_seen, string or null
    The date of the first message that has it, in UTC.
last_seen, string or null
    The date of the last one.
places, integer
    The number of its places.
""",
    ),
    "places": (
        "Each place where a URL was found. Most columns are keys of JSON RECORDS.",
        """\
id, integer
    The number of the row.
url_id, integer
    The URL.
source_id, integer
    The source.
message_id, integer or null
    The row of the message. Null in a text that is none.
part, string or null
    As in JSON RECORDS, as are the next nine.
header, string or null
    The field of the header.
media_type, string or null
    The media type of the part.
form, string
    How the URL was written.
line, integer
    The line, from 1.
column, integer
    The character in the line, from 1.
start, integer
    The first character, in the text of the part.
end, integer
    The one after the last.
byte, integer or null
    The offset in the source.
raw, string
    The URL as it was written.
repaired, integer
    1 if anything was repaired, otherwise 0.
repairs, string or null
    The codes of the repairs, with blanks between them: see REPAIRS.
defects, string or null
    The codes of the defects, with blanks between them: see DEFECTS.
confidence, real
    How sure the reading is, from 0 to 1.
element, string or null
    The element of HTML.
attribute, string or null
    The attribute of HTML.
text, string or null
    What a link shows.
shown, string or null
    The URL, host or address that a link shows, if it shows nothing else.
differs, string or null
    How that differs from where the link leads: see HTML.
context, string or null
    The line around the place; in a page, the words around it that a reader sees. At most 300 characters.
""",
    ),
}
"""The tables, each with its purpose, and its columns with their types and meanings."""

INDEX_VIEWS = """\
links
    A row for each place, with the columns of its URL, its message (message is its number) and its source.
domains
    The registered domains, each with its numbers of URLs and places, and the first and last date.
by_month
    The months of the dates (2026-01), each with its numbers of places, URLs and messages.
lies
    The rows of links whose text shows another domain than the one to which they lead.
search
    The full-text index (FTS5) of text, subject and context; its rowid is the id of a place.
"""

INDEX_EXAMPLES = (
    ("What a list has sent about the tides, the latest first:",
     ("SELECT date, url FROM search JOIN links ON links.id = search.rowid\n"
      "WHERE search MATCH 'tides' AND list_id = 'harbour.example.org' ORDER BY date DESC")),
    ("The domains to which most links lead:", "SELECT * FROM domains ORDER BY places DESC LIMIT 10"),
    ("Links that many people have sent:",
     'SELECT url, count(DISTINCT "from") AS people FROM links GROUP BY url ORDER BY people DESC LIMIT 10'),
    ("Links that deceive:", "SELECT date, shown, url, source FROM lies ORDER BY date"),
)  # fmt: skip
"""Queries: the purpose of each, and its text."""
