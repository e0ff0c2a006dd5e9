r"""The manual page, built from the help of the commands and the tables of `reference`.

    python -m urlextract.cli.manual > urlextract/share/man/man1/urlextract.1

A test compares the installed page with what this module prints.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from inspect import cleandoc

import click

from urlextract import __version__, format_url
from urlextract.cli import COMMANDS
from urlextract.cli.extracting import extract_command
from urlextract.cli.index_reference import INDEX, INDEX_COLUMNS, INDEX_EXAMPLES, INDEX_VIEWS
from urlextract.cli.program import load
from urlextract.cli.reference import (
    CONFIDENCE_FACTORS,
    CONFIDENCE_RULE,
    CONFIDENCES,
    ERROR_KEYS,
    FILES,
    FORMS,
    LINKS,
    LINKS_COMMANDS,
    MAIL,
    MAIL_COMMANDS,
    NO_OTHER_FILES,
    OPTION_DETAILS,
    OPTION_VALUES,
    STATUSES,
    entries_of,
)
from urlextract.cli.screen import context_of, options_of
from urlextract.grammar.registry import NAMES_WITHOUT_SLASHES
from urlextract.index.schema import VERSION
from urlextract.picking.opening import OPENED
from urlextract.record_keys import KEYS, PARSED_KEYS, Key
from urlextract.records import DefectCode, RepairCode
from urlextract.schemes.gateways import services

_DATE = "2026-11-25"
_ROFF = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"})

EXAMPLES = (
    ("All URLs of a mailbox, each once:", "urlextract -u mail.mbox"),
    ("Those of the last week's news, with their articles:", "urlextract -I --since 7d news"),
    ("What a script needs to know of each, while the log goes on:", "tail -f log | urlextract -j"),
    ("Pick one, however odd, and hand it on without a shell:",
     "urlextract -0 mail.mbox |\n  fzf --read0 --print0 | xargs -0r xdg-open"),
    ("Why was it not found?", "urlextract --explain letter.eml"),
    ("Break a URL safely, for lines of 40 columns:",
     "urlextract format -w 40 http://www.example.org/tides/north.html"),
    ("Mend a mail whose URLs were cut:", "urlextract rewrap --mend -i letter.eml"),
    ("Keep an index of all mail, up to date:", "urlextract index links.db ~/Mail"),
    ("Look at all links of an archive in a browser:", "urlextract report links.db -o links.html"),
    ("Read a large archive with all processors; run again after it was stopped:",
     "urlextract cluster --out links mail.mbox news"),
    ("The same without Dask:",
     ("urlextract shards mail.mbox news > plan.jsonl\n"
     "seq $(wc -l < plan.jsonl) |\n"
     "  xargs -P 4 -n 1 urlextract shard --plan plan.jsonl --out links --number")),
)  # fmt: skip
"""Examples: the purpose and the command line of each."""

_SETTINGS = (
    ("Vim fills with the program by gq:", r"set formatprg=urlextract\ rewrap\ -w72"),
    ("mutt and neomutt open links of a message:",
     'macro index,pager \\cb "<pipe-message>urlextract pick<enter>" "open links"'),
    ("mutt shows messages with their URLs whole:", 'set display_filter="urlextract rewrap --mend"'),
    ("Completion from a virtual environment, in bash:",
     ". ~/venv/share/bash-completion/completions/urlextract"),
    ("In zsh, before compinit:", "fpath=(~/venv/share/zsh/site-functions $fpath)"),
    ("In fish:", "source ~/venv/share/fish/vendor_completions.d/urlextract.fish"),
)  # fmt: skip
"""Settings of other programs that use this one: the purpose and the line of each."""

_ENVIRONMENT = (
    ("NO_COLOR", "If it is set and not empty, no colours are used, unless --color always asks for them."),
    ("URLEXTRACT_CONFIG", "The name of a file with options: see SETTINGS."),
    (
        "TERM, TMUX, STY, TERM_PROGRAM, VTE_VERSION, KONSOLE_VERSION, WT_SESSION, DOMTERM",
        "What --hyperlink auto knows the terminal by; --color auto uses TERM.",
    ),
    ("COLUMNS", "The width of the help."),
    ("URLEXTRACT_OPENER", "The program with which pick opens URLs: see PICKING LINKS."),
    ("BROWSER", "The programs to try if that is not set, with colons between them."),
    (
        "SSH_TTY, SSH_CONNECTION, TMUX, STY, WAYLAND_DISPLAY, DISPLAY, TERM",
        "Tell pick where a clipboard is, and whether a program can have windows.",
    ),
    ("FZF_DEFAULT_OPTS", "Options of the user for fzf, which pick leaves as they are."),
)
_INPUT = """\
What a file holds is told from its content: plain text, a page of HTML (curl URL | urlextract --base
URL), one message, a mailbox of any kind (mboxo, mboxrd, cl and cl2 with their Content-Length,
pipermail, Usenet archives, exports of Thunderbird, Takeout and Sympa), a news batch, the answers of
a news server, MMDF, Apple Mail's .emlx, a web archive (WARC, WET), an overview file; gzip,
bzip2, xz, Zstandard, zip and tar round any of them, or one in the other. A directory
is walked: a Maildir, an MH folder, a news spool, a public inbox in git, any tree. Nothing in it is
read twice. What is passed over there: dot files and dot folders (but for folders in a Maildir), the
files and folders message.id, interesting.groups and leaf.node of news servers, binary files, all
that is neither a file nor a folder, as pipes and sockets, which are read if they are named, and of
a Maildir all but cur and new. Members of archives are read whatever their names, hidden ones, too;
nothing is written. Binary ones are passed over, and so are the ._ files of macOS, which are binary.
What is damaged, encrypted or not understood in an archive is said, with exit status 2. Links within
a directory are followed (spools cross-post so), those that lead out of it with -L. What the run
itself writes there is passed over, and said. Nothing in a tree is obeyed: of a git repository
only the branch at HEAD and the objects are read, by git, which sees no configuration, hook or
alternate of it; one that borrows objects from elsewhere is refused. Results come as soon as they
are certain, so tail -f log | urlextract works.
"""
_MESSAGES = """\
A message is read as its parts say: quoted-printable (also where nobody declares it, but all of a
part is), base64 and uuencode (where the head names it), the charset named, or else what a byte
order mark, escapes or the bytes themselves tell of it (UTF-8, at last Windows-1252; --charset says
what an unnamed one is), format=flowed, PGP's dash escapes, HTML with its base and its character
references, messages in messages, digests, delivery reports, what bounces send back; what is before,
between and after the parts too. Header fields are read but those that name other messages or the
way it came: Received, DKIM and ARC fields, Message-ID, References and the like. In fields that
machines fill in, such as NNTP-Posting-Host and X-Virus-Scanned, a www. is the name of a machine,
and only what has a scheme is a URL.

Text in escapes is read as it is meant, and repairs says decoded escapes: slashes and \\u0026 of JSON
("http:\\/\\/a.example\\/b"), \\-, \\_, \\&. and \\: of the sources of man pages, Markdown and LaTeX
(http://a.example/b\\-c). Any other backslash ends a bare URL. Uuencoded files in the middle of a
text are not decoded. Quoted-printable in a text that was pasted or archived so is joined at its
soft line breaks and decoded where the lines around show what it is; else =3D stays, with a defect.

Of HTML parts the attributes and styles that hold URLs are read as a browser reads them, and what a
reader sees, in the order of the source and all with their places in the markup; scripts and
comments are not, but those for Outlook. A URL in a link that says what the link does is that link;
any other in it names the link's target as inside. --quoted takes for quoted, in plain text, lines
that begin with >, after initials or a name too, and all after a line -----Original Message-----; in
HTML, blockquote; header fields are not quoted. --signature takes for one, in plain text, what
follows a line --  up to the end, or to where the depth of quoting changes; in HTML, elements whose
class says so. In text/csv cells end URLs. --since goes by the Date of the message that stands in
the source, whatever is in it; one without a date is read.

Attachments that are no text are passed over as they stream by, and never held, however large; those
of text and HTML are read as any part is. What a part of type application/octet-stream holds is told from
the name of its file (.txt, .html, .ics, .vcf, .eml and the like). What holds mail but cannot be read
(pst, msg, dbx, cyclic buffers of INN, winmail.dat, opaque S/MIME) is refused in one line that names the
program that converts it. A decompression bomb, more than 400 times its size and 256 MiB, is stopped.
"""
_STATE = """\
--state FILE remembers what was read: mailboxes and texts are read on where they ended, spools by
the numbers of their articles, Maildirs by name, so that a mail that was marked read is not new. It
is written at least every second and every 1,000 messages, after what it speaks of was printed; a
run that is killed loses nothing, and repeats at most what came since. With -o FILE the next run
cuts that file back to what the state speaks of and goes on: each record is there exactly once. A
link that somebody else put into a directory for all is not followed to it, nor by -o and rewrap -i;
a state file of somebody else is refused: see SAFETY.
A mailbox that was rewritten is read anew, and so is a message that had not been written to its end.
Standard input is not remembered, and a run that -m has stopped only up to the last time the state
was written.
"""
_PROCESSES = """\
-J N reads with N processes: a large mailbox in parts, a large text in parts that end with a blank
line (records of one whose lines end with carriage returns alone, and what --quoted, --signature or
--charset ask for, are read by one process), a directory a hundred files at a time, and the large
mailboxes and texts in it as if they were named. What comes out is the same, in the same order. If it is
not said, files of 16 MiB and more and directories of 700 files and more are read by as many processes as
there are processors, eight at most, and all else, or with -m, by one. Standard input, --explain,
--context, -uj, --top with -j, -q, --state and --hyphen evidence are always read by one.

If standard error is a terminal, and the results go elsewhere, a run of more than a second shows there how
much of the files it has read, and the time that is left.
"""
_CLUSTER = """\
urlextract shards prints a plan: shards of sources, one line of JSON each. Mailboxes, texts and web
archives (WARC, not compressed) are cut into pieces of --shard-size, between messages, at blank lines and
between records. A compressed file is one shard. The files of a directory are read a hundred at a time, or
fewer if these are larger than --shard-size; large ones that can be cut are cut. With --quoted,
--signature, --parts or --charset, texts are not cut. To count messages and lines, the plan reads
mailboxes, texts and WARC files once, at about 1 GB a second and processor. The records are exactly those
of one process: names of sources are as they were given, wherever the shard is read.

A line has these keys: v, the version of the format (1); id, a hash of all other keys; source, the name
in records; url, the absolute path or URL that is opened; form; for a part of a file, start, after,
until, number, place and at_head (the range of bytes, and what precedes it; until is null at the end of
the file) and stamp (its size, and its modification time in nanoseconds or the version of the object);
for files of a directory, files (of each the name, whether it is mail, the git repositories of an inbox,
size and time); size, in bytes; copy, the number of equal shards before it; options; program, the
version of this program; and fingerprint, a hash of these two. So what is read depends on the line and
the files alone. A plan of another version of the program is refused. A file that has changed, or is
gone, since the plan was made is named and not read: that is a failure of its shard, and the exit status
is 2. A new plan has new shards for it.

urlextract shard reads shards by --id (also as arguments, for xargs) or by --number, the line of the
plan. In a Slurm array --number is $SLURM_ARRAY_TASK_ID, in make the id is part of the name of the
target. The part of a shard, DIR/part-ID.jsonl.zst, has the lines that urlextract -j prints. With --to
parquet it is DIR/part-ID.parquet, with a column for each key of the record but v, violations, warnings
and parsed: numbers are int64 (confidence: double), inner, pieces, repairs, defects, their codes and
alternatives are lists, date is a timestamp in UTC, null if it cannot be read, date_field is the field
as it was written, and all else is text. A part is written to a hidden temporary file in DIR, which is
renamed; to s3:// and other object stores in one request. A part that exists is skipped. Temporary files
of processes that have died are removed by the next run; those of others, which hold a lock on them,
stay. On file systems without locks, and in stores that need temporary files, they are removed after a
day. Damage in a source, such as a gzip file that is cut short, is reported in one line by the run that
reads the shard; its part has what could be read, and the exit status is 2. A run that skips the part
does not report it again.

urlextract cluster runs the plan on Dask: as many processes of this machine as it has processors, or
--workers, or those of the scheduler at --scheduler (urlextract cluster --scheduler tcp://10.0.0.1:8786
--out s3://bucket/links s3://bucket/mail), in whose environments this version of urlextract-mail must be
installed, on the scheduler too; all of them must see the sources and DIR by the same names. At the end a
line on standard output counts shards, messages and URLs of this run. With --dashboard, the address of
Dask's dashboard is printed at the start (its charts need the package bokeh).

A single worker of this machine (--workers 1) is a thread of the program itself: a shard whose reading
kills it ends the run, and is not named. With --shard-timeout, it is a process, too, since a thread
cannot be ended. What happens otherwise if:

A worker is killed: another one reads its shard, up to --retries times more; the worker is started
again. A worker that is stopped, and answers nothing for a minute, is killed and started again.

A shard fails --retries times more: it is named on standard error and in DIR/failures.jsonl, which is a
plan of the failed shards with the key error, for --plan. All others are finished; the exit status is 2.
A later run that has no failure removes the file. With --shard-timeout, a try that takes longer is a
failure, and its worker is started again. The time counts from when the task is handed to the cluster.

The program itself is killed, or stopped by Ctrl-C, SIGTERM or SIGHUP: its workers end, too. Run it again:
parts that are there are skipped. With --scheduler, tasks that were running are dropped. The exit
status is 130, 143 or 129.

The disk is full: no more shards are started, one line reports it, and the exit status is 2. Run it again
when there is room.

The scheduler does not answer for 15 seconds, at the start or later: one line reports it, and the exit
status is 2.

Whoever can connect to a Dask cluster can run programs on it. A cluster of this machine lets nobody in: its
processes listen on 127.0.0.1 alone, and the scheduler, each worker and its nanny take only connections
that are encrypted (TLS) and have the key of this run, which is made when it starts and is known to its
processes alone. This needs the package cryptography, which the extra [cluster] installs; without it, a
cluster of several processes is refused. A single worker that is no process opens no port. The dashboard
is open to all users of this machine, who see the names of tasks and processes there: so it is off unless
--dashboard is given.

A scheduler at --scheduler is protected as its owner has set it up. An address with tls:// is connected to
with the certificates that Dask's settings name (distributed.comm.tls). If the connection is not encrypted
(tcp://), one line on standard error says so: whoever reaches that cluster can run code on it.

Sources and DIR may be URLs that fsspec supports: s3://, gs://, hdfs://, file:// and others; http:// and
https:// only as sources. They need the extra [cluster], and stores other than s3:// and http:// also the
library that the error message names. A URL that is a prefix of the URLs of objects (s3://bucket/mail) is
read as a directory; git inboxes are read on this machine only. Credentials and endpoints are set as the
documentation of the library says; for s3:// as for the AWS command line, such as AWS_ENDPOINT_URL and
~/.aws/credentials. urlextract without a command, and index, read no URLs and open no network connection.

What 10 TB of mailboxes would take on 100 machines of 8 processors, by figures measured on one machine
of two (a processor reads a GB of mail, with 3 links a message or so, in 56 s, and plans it in 0.9 s; a
shard costs 7 ms of the scheduler, the program and the worker together; a worker takes 80 MB of memory):
reading is 560,000 s of processors, so 12 minutes on 800. Shards of 64 MB would be 150,000, with 17
minutes of work for the one scheduler, which would be too slow: with --shard-size 512M they are 19,000,
and 2 minutes. A plan made by one process takes 2.5 hours. So plan the sources side by side, as with
xargs -P 32, each into a file of its own, in 5 minutes: plans that are joined by cat are a plan, for
--plan. The store must deliver 14 GB a second in all, 140 MB a second to each machine, and the parts
take some 500 GB. This is an estimate: nobody has run it.
"""
_SETTINGS_FILE = """\
The environment variable URLEXTRACT_CONFIG names a file with options for urlextract alone, not for its
commands (parse, rewrap and the others), one option a line: --option value, --option=value or -x. What
follows the first blank is the value, up to the end of the line; it has no quotes around it. Blank lines and
lines that begin with # are left out. Nothing else is looked for: neither in the current directory nor
in the home directory.

Options of the command line win: in place of those of the file (--scheme, --host and other repeatable
ones, too), and an option of the file that cannot be used with one of the command line is left out. An
option without a value (-u) is undone by --no-config alone.
--no-config, --help and --version do without the file. A file that cannot be read, that is larger than
64 KiB or no text, and a line that is wrong are an error of one line, with the number of the line.
"""
_RECORDS = """\
With --json each result is one line: a JSON object in UTF-8, with the keys below, in this order. No key
is ever missing but defanged, which --defang adds, and count and places, which --unique and --top add.
What is not known is null, and a list of nothing is empty. A path such as warnings[].start is the key
start of each object in the list warnings.

Positions count characters (Unicode code points) from 0, and are half-open: the character at start is part
of the place, the one at end is not. They count in the decoded text of the part, that is: in a file of
text, all of it; in HTML, the markup; in the body of a message, what is left when transfer encoding,
format=flowed and dash escapes are taken out, with LF for each line end; in a header field, its value,
unfolded and decoded. byte alone counts bytes of the source. It is known in text and pages in UTF-8; in
bodies of messages if they are ASCII, nothing was taken out of them, and their lines end with LF; in header
fields of one line in ASCII.
"""
_PARSED = """\
--parse fills these keys. scheme, fragment, default_port, grammars and normalized are in all of them; most
others depend on the scheme, which is named. What is not in the URL is null, which is not the same as empty.
Components are encoded as they were written.
"""
_ERRORS = """\
Its records have the keys url, given, parsed, violations, warnings and error:
"""
_TEXTS = """\
urlextract rewrap  fills the paragraphs of a text or a message to a width, with URLs as units, and mends
those that were broken in their brackets: also a way to repair a mail whose URLs were cut. --policy says
what is done with URLs that do not fit: keep leaves them whole, on lines of their own if need be; wrap
breaks them in <URL:...>, which in a text of Markdown it does not add; ref puts numbers in place of all
URLs, and a list at the end; flowed makes of a text the body of a part that says format=flowed;
delsp=yes, and of a message fills the parts that say so. -i replaces the file, at once, after a check;
other names of it (hard links) keep the old text, which is said.

Only prose is filled: a line that ends although the next word would have fitted, compared with the lines
around it, was ended on purpose, unless its sentence goes on in the next line; and lines that are all
narrower than 44 columns are verse, an address or a list. These lines stay as they are.

Header fields, signatures, diffs, code and what is indented like it, tables (of two columns, too),
blocks of HTML and XML, what is signed, encoded, encrypted or attached, reference lists and trailers are left
alone, byte for byte; URLs and words are the same before and after. Text with links, images or code
of Markdown in it, or tags of HTML, is filled around them: no line ends in code, in a tag or in the
destination of a link, and no URL there is broken. A paragraph in which a bare URL may go on over a
line end, but is not joined, stays as it is.

urlextract rewrap --mend fills nothing. It makes each broken URL whole on one line: in brackets, in
quotes, and bare ones that go on as --join says. What follows the URL on its last line becomes a line
of its own, with the same quote prefix and indent; punctuation stays with the URL. All other lines
stay as they are, byte for byte, signatures and tables too; so do the header and the encoded, flowed,
attached and signed parts of messages, diffs, blocks between fences and HTML. -w and --policy have no
meaning here.

urlextract refs puts numbers in place of URLs, or with --inline URLs in place of numbers. Only what
--inline puts back in its place gets a number: code that names a URL keeps it, and so do links,
definitions and code of Markdown and the tags and elements of HTML. In Markdown, the numbers are links.
The list has the brackets that the URLs had, so --inline gives the text back.
If nothing is replaced, refs and rewrap --policy ref say so in one line on standard error; the text is
printed as it is, and the exit status is 0.

urlextract format prints URLs with line breaks that are safe, for mail and plain text,
format=flowed, LaTeX, HTML, man pages, reStructuredText and Markdown; -h lists its options, which
are those of format_url. --check reads back what it prints, and fails if that is another URL.

Unless --wrapper names other brackets, they follow the target. mail, flowed and plain have
<URL:...>. rst and markdown have links in <...>. latex (\\href, which needs the package hyperref), html
and man (.UR and .UE of groff_man(7), on lines of their own) mark the end of a URL themselves, and have
none. Where the target or brackets mark the end, a URL may end in any character. Whatever the target
can write is printed as it is, | too. A blank, and in mail, flowed and plain also < > and ", is
refused with its place, or encoded with --encode, as RFC 1738 asks for.
"""
_PICKING = """\
urlextract pick reads a message from a FILE or a pipe, and shows its links on the terminal. Keys are read
from the terminal, also if standard input is a pipe. A link is what a reader can follow: the elements a,
area and form of HTML, and URLs of texts. Each link is shown once, in the order of the message, even if
both the text and the HTML of a message have it, or if a mail gateway rewrote it anew in each reply: links
are the same if the normal forms of their targets are equal. --headers adds the links of header fields.

Each line has the words of the link, or else the text before it, then the host and the path to which it
leads. The words of a link are its text in HTML, or else the alt text of its image; in plain text, the words
of [words](URL) and <a href="URL">words</a>. Words are cut before the host is. Of a mail gateway's link the
target is shown, and the gateway's link is opened. ! marks a link that deceives: its text shows another
domain, or its host is not what it seems. Control characters of a message are shown as escapes.

fzf shows the list if it is installed, and TERM has a cursor: Tab marks, Enter opens what is marked, Ctrl-Y
copies, and below the list is what is known of the link, with the text around it. Else, or with --list, it
is a list with numbers and a prompt: 3 opens a link, 1,4-6 several; y 3 copies, o 3 opens, ? 3 shows all of
it; /word leaves only links with that word; Enter shows the next page, or opens the only link; q or
Ctrl-D ends. With --copy and --print a number copies or prints.

A URL is opened with URLEXTRACT_OPENER, or else with the first program of BROWSER that is installed and does
not fail, or else with xdg-open (open on macOS). Both variables hold a program with arguments, in quotes if
need be; %s among them is the URL, which else comes last, and & at the end says that the program needs no
terminal. No shell sees the URL, it is one argument, and there is one call for each. Browsers such as lynx
and w3m get the terminal, and so does any program if there is no display; others are started in the
background. Only URLs that begin with %s are opened, and of mailto only those that fill in text. All
others, and those with which the program failed, are printed.

Over SSH, URLs are copied by the terminal (OSC 52), within tmux by tmux load-buffer -w; else by wl-copy,
xclip, xsel or pbcopy, or as over SSH. Where nothing copies they are printed.
"""
_REPORT = """\
urlextract report LINKS.db -o links.html writes the links of an index as one page of HTML. It is looked at in
a browser, also from a file or a stick: all of it is in the one file, and it loads nothing. It needs Jinja2
(pip install 'urlextract-mail[report]').

It shows how many mails, links and domains there are, the links by month, the domains with the most links,
the links that several people sent, those whose text shows another host than the one to which they lead, and
the URLs that mail had broken, as they were written and mended. People are told apart by their addresses, and
links of header fields count for none of them. Each of these tables has 20 rows at most, and the number of
all.

The table of all links has the date, sender and subject of the message, the text of the link and around it,
and the URL. Words are searched in all of these, whatever their case, and each must be there; a domain, a
month or a year, links that lie, that have a warning or were mended are chosen beside them. A click on a
heading sorts by it. 100 rows are shown at a time. Without JavaScript the page has the figures and the
latest 200 links.

The table has the latest 100,000 links, or as many as --limit says, and the page says how many there are.
Texts are cut at 300 characters and URLs at 2,000, which an ellipsis shows. Memory and time are in proportion
to the index: 100,000 links take some 420 MB and five seconds, and a page of 35 MB.

Mail of strangers can neither run nor load anything: the page's own policy (Content-Security-Policy) lets no
script run but the one that belongs to it, and no request leave. Control characters, and those that nobody
sees or that turn the direction of writing, are shown as escapes. http, https, ftp and mailto can be clicked,
if they are whole and a browser takes them; the host is in bold, and what may deceive is said under the URL
with the host to which it leads.

The index is read as it is at one moment, also while urlextract index writes to it. The page replaces FILE
when it is complete. A database that is no index, is of a newer version or damaged, has other tables or views
than the program makes, or is the output, too, is refused in one line. An index that somebody sent can be
read: its queries end after a number of steps in proportion to its size. If a run was stopped, and its journal
or its log is beside the index, it may be that the report says so and is not made: run urlextract index again.
"""
_SAFETY = """\
Nothing that a file, a message or a folder says is obeyed: no program is run and no host is asked on
its word, whatever configuration, hooks or links it brings.

Of a repository of git only HEAD, the branch that it names, and the objects are read, if they are
regular files in it. git reads the objects; it runs on an empty repository of this program, with
none of the user's environment. A repository that borrows objects from another one
(objects/info/alternates) or keeps its refs in a reftable is refused.

A walk reads each file once, by its own name before any link to it. Links come last, and those within the
directory that was named add only what is passed over where it is: hidden, not taken in a Maildir, or not
chosen by --include and --exclude, which judge a link by its own name. Links that lead out of that directory
are followed only with --follow, after all others: a line on standard error says at the end how many more
it would read, and the exit status is as without them. Who may write to a directory while it is read
can still put a link in place of a file. Files that the run itself writes are known by device and
inode, passed over, and said on standard error.

A stranger is who is neither the user, nor root, nor the owner of the directory. A symbolic link of a
stranger in a directory where everybody may write (sticky, as /tmp) is not followed by --output,
--state, index and rewrap --in-place, and an index of a stranger there is not written to. A state file
of a stranger is refused, and so are files of a stranger beside an index (INDEX-journal, INDEX-wal,
INDEX-shm), unless the index is that person's: SQLite would put what they say into the index. So are
links beside it, and a journal that names a file, which SQLite would delete. Move such a file away. Who
may replace any file of the directory can replace the index, too, at any time: keep it in one of your own.

Time grows in proportion to the input, and memory does not grow with it: each process stays under 150
MB, whatever 50 MB of one message or page hold. What unpacks to more than 400 times its size, and 256
MiB, is stopped, and so is git if it prints more than that of a repository.

Some options and commands need memory in proportion. Measured with URLs of 45 characters: --unique takes
some 120 bytes for each URL that differs, --sort 180 for each URL, --top 270 for each that differs; with
--json, --sort takes 1 KB for each URL, --unique and --top 3.2 KB for each that differs and 1.1 KB for
each further place; --sort with --csv 340 bytes for each URL. Longer URLs and texts around them take
more. rewrap takes 14 times its input if that is prose, 21 times if it is a list of URLs; rewrap --mend
5 to 21 times, refs and rewrap --policy ref 16 to 45 times.
"""
_LINES = """\
What is in angle brackets or double quotes is joined over line ends. A bare URL that ends its line is
joined with the next lines where these leave no doubt (--join safe): by the width of the lines around
it, up to a blank line, by the shape of the next word, by an escape, a hexadecimal number, the name of
a file or the link of a mail gateway that is whole with the next line only, or because the whole URL is
elsewhere in the message. All lines of a URL are joined, or none. --explain names the evidence for and
against.

Where a bare URL may go on, but is not joined, its record has the defect "may-continue", the joined
form is the first of its alternatives, and its confidence is lower. --join likely joins more of them.
On lines of more than 82 columns, where mail is not wrapped, much more evidence is needed. rewrap and
refs leave the lines of such a URL as they are.

In text that is quoted-printable and was not decoded, soft line breaks ("=" at a line end) are taken
out of a URL and its escapes decoded, if the lines around it have other signs of it: escapes, blanks
written as "=20", full lines that end in "=". Else "=3D" stays as it is, with a defect.
"""
_REPAIRS = (
    (RepairCode.JOINED_LINES, "joined 2 lines", "The URL was broken over lines."),
    (RepairCode.REMOVED_QUOTE_PREFIX, 'removed quote prefix "> "', "Its other lines began with this, too."),
    (RepairCode.REMOVED_BLANKS, "removed 2 blanks", "There were blanks in it, or around it in its brackets."),
    (RepairCode.REMOVED_BACKSLASHES, "removed backslash", "A line of it ended in a backslash."),
    (RepairCode.REMOVED_HYPHENS, "removed hyphen", "A hyphen at a line end was no part of it."),
    (RepairCode.REMOVED_PAGE_BREAKS, "removed page break", "The end of a page of an RFC was in it."),
    (RepairCode.DECODED_ENTITIES, "decoded entities", "It was written with &amp; or the like."),
    (
        RepairCode.DECODED_ESCAPES,
        "decoded escapes",
        "It was written with escapes of JSON, Markdown or such.",
    ),
    (RepairCode.DECODED_QUOTED_PRINTABLE, "decoded quoted-printable", "It was written with =3D or the like."),
    (
        RepairCode.ENCODED_CHARACTERS,
        "encoded what no URL holds",
        "An address had characters that a mailto URL encodes.",
    ),
    (RepairCode.ADDED_SCHEME, "added http://", "It was written without its scheme."),
    (
        RepairCode.REFANGED,
        "refanged the URL",
        "It was defanged, as hxxp://example[.]com. With --refang only.",
    ),
    (
        RepairCode.KEPT_HYPHEN,
        "hyphen kept: the URL stands unbroken elsewhere",
        "With --hyphen evidence only.",
    ),
    (
        RepairCode.DROPPED_HYPHEN,
        "hyphen dropped: the URL stands unbroken elsewhere",
        "With --hyphen evidence only.",
    ),
)
_DEFECTS = (
    (DefectCode.MAY_CONTINUE, "", "The URL ends its line, and may go on in the next one."),
    (DefectCode.GLUED_BEFORE, "", "A word is right before the URL, without a blank."),
    (DefectCode.UNCLOSED, "", "A bracket opens before the URL and is not closed after it."),
    (DefectCode.CUT, "cut at 65536 characters", "It is longer than that."),
    (
        DefectCode.CUT,
        "cut: an ellipsis follows",
        "Somebody left out its end: what comes before the ellipsis is not the whole URL.",
    ),
    (
        DefectCode.UNDECODED_QUOTED_PRINTABLE,
        "undecoded quoted-printable",
        "It may hold escapes such as =3D that nobody decoded.",
    ),
    (
        DefectCode.UNDECLARED_QUOTED_PRINTABLE,
        "undeclared quoted-printable",
        "Its part is quoted-printable, and was decoded, but does not say so.",
    ),
    (
        DefectCode.UNDECODABLE_BYTES,
        "undecodable bytes",
        "Some of its bytes are none of the charset of its text.",
    ),
    (
        DefectCode.SHOWS_ANOTHER_DOMAIN,
        "shows-another-domain: X, leads to Y",
        "A link of HTML shows a domain and leads to another one.",
    ),
    (
        DefectCode.NO_SCHEME,
        "",
        'HTML has it without a scheme ("//host/x"), and nothing says by which it is to be had.',
    ),
    (DefectCode.HIDDEN_HOST, "", "Its host is written so that nobody reads it: percent-encoded."),
    (
        DefectCode.ODD_VALUE,
        'no host after "//"',
        "What an attribute of HTML has there is not the name of a host.",
    ),
    (
        DefectCode.ODD_VALUE,
        "a host that does not end as one",
        "The host in an attribute of HTML holds a character of no host.",
    ),
    (
        DefectCode.ODD_VALUE,
        "a tag inside",
        "The attribute of HTML holds a tag: its closing quote may be missing.",
    ),
    (
        DefectCode.WRONG_LENGTH,
        "the count of its bytes is off",
        "A news batch, or Apple Mail, gives another size of a message.",
    ),
)
_HTML = """\
HTML is read as browsers read it, in the order of its source: attributes and styles that hold URLs, what
a reader sees, alt and title, and what comments hold for Outlook; no scripts and no other comments.
Relative references are read against the base that the page, its mail or --base names; without one they
are none. start, end and pieces of a record count in the markup.

element and attribute of a record say what held the URL, text what the element shows (of an image, its
alt), in one line of at most 200 characters. shown is that text if it is a URL, a host or a mail
address, and nothing else. differs is null where the link leads there, www., http or https, a final
slash, what was cut with an ellipsis, and the like aside. Else it is "path" (another one on the same
host), "host" (another one of the same registered domain), "brand" (the same name under another
suffix), "domain" (another registered domain) or "lookalike" (one whose name looks like it). The last
two are a defect, unless the link leads to a gateway, a tracker or a service that shortens URLs. A
URL in a link that says what the link does is no second record; any other one has the target of the
link as inside.

--links gives the URLs that a reader can follow: of links, areas, forms and texts, none of images,
styles, scripts and parts of the mail (cid:).
"""
_GATEWAYS = f"""\
Gateways of mail replace each link by one to themselves, which holds the target. So do senders that count
clicks, and sites. Records have the target as unwrapped, and the service as wrapped_by; url stays what was
found. --unwrap prints the target instead. All this is decoded from the link alone: nothing is looked up.
Links in links are followed, five deep. Targets are URLs of http, https and ftp with a host; a link that
was cut has none, and is printed as it is. Escapes in the target stay as they are.

Decoded are the links of {", ".join(services(are_decodable=True))}. The links of
{", ".join(services(are_decodable=False))} do not hold their targets: wrapped_by has the name, and unwrapped
is null.

With --unwrap, no part of a record is a link of a gateway whose target is known, and links of SafeLinks lose
the parameters with the mail address of their reader: raw is url, too. The text itself, where --explain and
--context show it, has the links as they are.
"""
_SCHEMES = """\
Of running text, a URL counts that has a registered scheme and "//". Without "//" those count whose
scheme is one of these, and that have its shape: %s. What begins with "www." or "ftp." counts without
a scheme.

--scheme any takes unregistered schemes before "//", too, and all registered ones in brackets
(<acct:joe@example.org>). --relaxed takes hosts without a scheme whose last label is a top-level
domain, localhost with a port or a path, and numbers of hosts. CONFIDENCE says how sure they are. Names of
files (setup.py), versions, packages, newsgroups, attributes and calls of programs, and sentences without
a blank (end.The) are none. --emails takes addresses of mail, which are no Message-IDs. Both pass over
fields that machines fill in, and names in them.
"""
_DEFANGED = """\
People who report malware and phishing write URLs so that nobody follows them. Such a URL is turned down,
in brackets and in HTML too, and --explain says so; --scheme any takes hxxp as any scheme.

--refang reads it as the URL that it stands for. Defanged are the schemes hxxp, hxxps, h**p, h**ps, fxp and
fxps, in any case, before "://", "[:]//" or "[://]", and registered schemes before the last two. In a host,
"[.]", "(.)", "{.}", "[dot]" and "(dot)" are dots, if the host then ends in a top-level domain (or
in .example, .onion, or those of private networks after a scheme), or is an address of four numbers. In the
rest of a defanged URL "[.]", "(.)", "{.}", "[:]" and "[/]" are marks, too. A host without a scheme gets
http:// (example[.]com/x). Patterns of programs, names of files (setup[.]py) and sentences are none, and so
are half brackets, backslashes, and marks with blanks around them. With --emails "[@]" is the sign of an
address, and "[at]" and "(at)", if its host has a mark. The record keeps what was written in raw, and has the
repair "refanged the URL".

--defang prints URLs so that no program follows them: hxxp, hxxps, fxp and fxps for http, https, ftp and
ftps, "[:]//" after any other scheme, "[.]" for each dot of the host, and "[:]//" and "www[.]" for what would
be taken for a URL in the rest. Addresses are printed as mailto:ada[@]example[.]com, other URLs without "//"
as tel[:]+1. --refang reads all that has a host back, character by character. With --json, url is what it
always is, because programs read it, and the key defanged has the other form: mind that the records hold live
URLs. --raw and --explain print the text itself, and are refused together with --defang.
"""
_STANDARDS = (("RFC 1738, its appendix", "1738"), ("RFC 3986, its appendix C", "3986"), ("RFC 3676", "3676"))


def man_page() -> str:
    """Return the manual page, in man(7) macros for any troff."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH URLEXTRACT 1 "{_DATE}" "urlextract {__version__}" "User Commands"'
    yield from (".SH NAME", r"urlextract \- find URLs in mail, news and text, and print them")
    yield ".SH SYNOPSIS"
    yield from _synopsis("urlextract", extract_command)
    for name in COMMANDS:
        yield ".br"
        yield from _synopsis(f"urlextract {name}", load(name))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(extract_command.help)
    yield from _texts(
        "Results go to standard output as soon as they are certain; all else goes to standard error."
    )
    yield ".SH OPTIONS"
    yield from _options(extract_command)
    yield from _values_of_options()
    yield ".SH COMMANDS"
    yield from _texts("A file of such a name is ./parse.")
    for name in COMMANDS:
        command = load(name)
        yield f".SS {_roff(f'urlextract {name}')}"
        yield from _paragraphs(command.help)
        yield from _options(command)
        yield from _epilog(command.epilog or "")
    yield from _appendix()


def _epilog(text: str) -> Iterator[str]:
    r"""Yield what follows the options of a command; a paragraph that begins with "\b" keeps its lines."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b\n"):
            title, *lines = paragraph.split("\n")[1:]
            yield from (".PP", *_texts(title), *_indented(cleandoc("\n".join(lines))))
        else:
            yield from (".PP", *_texts(paragraph))


def _appendix() -> Iterator[str]:
    """Yield the sections after COMMANDS."""
    yield ".SH EXIT STATUS"
    yield from _entries(entries_of(STATUSES))
    yield ".PP"
    yield from _texts("Commands have statuses of their own: see COMMANDS.")
    yield from _section("INPUT", _INPUT)
    yield from _section("MESSAGES", _MESSAGES)
    yield from _section("WHAT COUNTS", _SCHEMES % ", ".join(f"{name}:" for name in NAMES_WITHOUT_SLASHES))
    yield from _section("DEFANGED URLS", _DEFANGED)
    yield from _section("HTML", _HTML)
    yield from _section("GATEWAYS", _GATEWAYS)
    yield from _section("LINE ENDS", _LINES)
    yield ".SH REPAIRS"
    yield from _texts("What records say, and --explain, of the way from the text to the URL:")
    yield from _entries((words, f"{meaning} (Code: {code}.)") for code, words, meaning in _REPAIRS)
    yield ".SH DEFECTS"
    yield from _texts("What records say, and --explain, of a URL that may not be what was written:")
    yield from _entries((words or code, f"{meaning} (Code: {code}.)") for code, words, meaning in _DEFECTS)
    yield from _confidence()
    yield from _records()
    yield from _index()
    yield from _section("FILLING AND PRINTING", _TEXTS)
    schemes = ", ".join(f"{name}:" for name in sorted(OPENED))
    yield from _section("PICKING LINKS", _PICKING.replace("that begin with %s", f"that begin with {schemes}"))
    yield from _section("REPORTS", _REPORT)
    yield from _section("SETTINGS", _SETTINGS_FILE)
    yield from _section("STATE", _STATE)
    yield from _section("PROCESSES", _PROCESSES)
    yield from _section("CLUSTERS", _CLUSTER)
    yield from _section("SAFETY", _SAFETY)
    yield ".SH ENVIRONMENT"
    yield from _entries(_ENVIRONMENT)
    yield ".SH FILES"
    yield from _entries(entries_of(FILES))
    yield ".PP"
    yield from _paragraphs(NO_OTHER_FILES)
    yield from _examples()
    yield from _lines_to_type("EDITORS AND SHELLS", _SETTINGS)
    yield ".SH STANDARDS"
    for at, (title, number) in enumerate(_STANDARDS):
        begin, end = format_url(f"https://www.rfc-editor.org/rfc/rfc{number}", target="man").splitlines()
        yield from (*([".br"] if at else []), begin, *_texts(title), end)


def _section(title: str, text: str) -> Iterator[str]:
    yield f".SH {title}"
    yield from _paragraphs(text)


def _entries(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of terms, each with its meaning."""
    for term, meaning in pairs:
        yield from (".TP", rf"\fB{_roff(term)}\fR", *_texts(meaning))


def _values_of_options() -> Iterator[str]:
    """Yield the meanings of the values of options, with examples."""
    for values in OPTION_VALUES:
        yield f".SS {_roff(f'Values of {values.option}')}"
        yield from (*_texts(values.purpose), ".PP", *_texts("The text of the examples:"))
        yield from _indented(values.text)
        for value, meaning, output in values.values:
            yield from (*_entries([(value, meaning)]), *_literal(output))
    yield f".SS {_roff('Values of --form')}"
    yield from _texts("Each URL has one of these forms:")
    for form, meaning, example in FORMS:
        yield from (*_entries([(form, meaning)]), *_literal(example))


def _confidence() -> Iterator[str]:
    yield from _section("CONFIDENCE", CONFIDENCE_RULE)
    yield from _entries(entries_of(CONFIDENCES))
    yield ".PP"
    yield from _paragraphs(CONFIDENCE_FACTORS)


def _records() -> Iterator[str]:
    """Yield the section of JSON records, each with its keys."""
    yield from _section("JSON RECORDS", _RECORDS)
    yield from _record_keys(KEYS)
    yield ".SS Components in parsed"
    yield from _paragraphs(_PARSED)
    yield from _record_keys(PARSED_KEYS, "parsed.")
    yield f".SS {_roff('Records of urlextract parse --json')}"
    yield from _paragraphs(_ERRORS)
    yield from _keys(ERROR_KEYS)


def _index() -> Iterator[str]:
    """Yield the section of the index, with its tables, views and queries."""
    yield from _section("INDEX", INDEX % VERSION)
    for name, (purpose, columns) in INDEX_COLUMNS.items():
        yield f".SS {_roff(f'Table {name}')}"
        yield from _texts(purpose)
        yield from _keys(columns)
    yield ".SS Views"
    yield from _entries(entries_of(INDEX_VIEWS))
    yield ".SS Queries"
    for at, (purpose, query) in enumerate(INDEX_EXAMPLES):
        yield from ([".PP"] if at else [])
        yield from (*_texts(purpose), *_indented(query))


def _examples() -> Iterator[str]:
    """Yield the section of examples: commands, then a message and what they print of it."""
    yield from _lines_to_type("EXAMPLES", EXAMPLES)
    yield ".SS A message of today"
    yield from (*_texts("With this message in the file today.eml:"), *_indented(MAIL))
    yield from _shown(MAIL_COMMANDS)
    yield ".SS Links of many places"
    yield from (*_texts("With this text in the file links.txt:"), *_indented(LINKS))
    yield from _shown(LINKS_COMMANDS)


def _shown(examples: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield examples: the purpose of each, the command and what it prints."""
    for purpose, command, output in examples:
        yield from (".PP", *_texts(purpose), *_indented(f"$ {command}\n{output}"))


def _key(name: str, kind: str, meaning: str) -> Iterator[str]:
    """Yield a key with its type and its meaning."""
    yield from (".TP", rf"\fB{_roff(name)}\fR \fI{_roff(kind)}\fR", *_texts(meaning))


def _keys(keys: str) -> Iterator[str]:
    """Yield a list of keys."""
    for term, meaning in entries_of(keys):
        name, _, kind = term.partition(", ")
        yield from _key(name, kind, meaning)


def _record_keys(keys: Iterable[Key], parent: str = "") -> Iterator[str]:
    """Yield a list of keys of a record, each with the keys within it."""
    for key in keys:
        yield from _key(parent + key.name, key.kind, key.words)
        yield from _record_keys(key.parts, f"{parent}{key.name}[].")


def _literal(text: str) -> Iterator[str]:
    """Yield lines that are printed as they are."""
    yield from (".nf", *map(_roff, text.splitlines()), ".fi")


def _indented(text: str) -> Iterator[str]:
    """Yield lines that are printed as they are, indented more than the paragraph before them."""
    yield from (".RS 4", *_literal(text), ".RE")


def _lines_to_type(title: str, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a section of lines to be typed, each with its purpose."""
    yield f".SH {title}"
    for purpose, words in pairs:
        yield from (".TP", *_texts(purpose), *_literal(words))


def _synopsis(name: str, command: click.Command) -> Iterator[str]:
    words = command.collect_usage_pieces(context_of(command))
    yield rf"\fB{_roff(name)}\fR {_roff(' '.join(words))}"


def _paragraphs(text: str | None) -> Iterator[str]:
    for number, paragraph in enumerate(cleandoc(text or "").split("\n\n")):
        yield from ([".PP"] if number else [])
        yield from _texts(" ".join(paragraph.split()))


def _options(command: click.Command) -> Iterator[str]:
    for option in options_of(command):
        metavar = "" if option.is_flag else f" \\fI{_roff(_metavar(option))}\\fR"
        yield from (".TP", ", ".join(rf"\fB{_roff(name)}\fR" for name in option.opts) + metavar)
        yield from _texts(" ".join(_told(option, command)))


def _metavar(option: click.Option) -> str:
    if option.metavar is None and isinstance(option.type, click.Choice):
        return "HOW"
    return option.metavar or (option.name or "").upper()


def _told(option: click.Option, command: click.Command) -> Iterator[str]:
    """Yield the description of an option: its help, its choices, its default."""
    told = option.help or ""
    yield told
    if isinstance(option.type, click.Choice) and not all(name in told for name in option.type.choices):
        yield f"One of {', '.join(option.type.choices)}."
    default = option.get_default(context_of(command))
    if not option.is_flag and isinstance(default, str | int) and default not in ("", 0):
        yield f"Default: {default}."
    if command.name == "urlextract":
        yield OPTION_DETAILS.get(max(option.opts, key=len), "")


def _texts(text: str) -> Iterator[str]:
    """Yield the lines of a paragraph, wrapped and escaped for troff."""
    for line in textwrap.wrap(text, 90, break_long_words=False, break_on_hyphens=False):
        yield _roff(line)


def _roff(text: str) -> str:
    escaped = text.translate(_ROFF)
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


if __name__ == "__main__":
    print(man_page(), end="")
