r"""Find the complete URLs in mail, news, HTML and text, and print URLs so that they can be found again.

URLs may be in brackets or quotes, bare or abbreviated, broken over lines, and after quote prefixes. Each is
returned on one line, with its scheme; its record lists the repairs.

**The URLs of a text**: `extract` yields a record (`Found`) for each. `examine` also yields what was rejected,
with the reason, in whatever the next three read.

>>> from urlextract import extract
>>> text = "> see <URL:http://www.w3.org/TR/\n> REC-xml>."
>>> (found,) = extract(text)
>>> found.url, found.span.of(text)
('http://www.w3.org/TR/REC-xml', '<URL:http://www.w3.org/TR/\n> REC-xml>')

**The URLs of a message**: `extract_message` takes its bytes, a `Message` of `read_messages`, or an
`email.message.Message`; so does `read_texts`, which yields the texts in which the spans count.

>>> from urlextract import extract_message
>>> message = b"Subject: tides\nContent-Transfer-Encoding: quoted-printable\n\nsee http://a.ex=\nample/\n"
>>> [(found.url, found.subject) for found in extract_message(message)]
[('http://a.example/', 'tides')]

**The URLs of an HTML page**, with the words of its links: `extract_html`.

**The URLs of files**: `extract_source` reads a mailbox, a news spool, a directory, an archive or a stream of
any format; `read_messages` yields the messages in it.

**An index of what was found**, in an SQLite file that is kept up to date: `index_sources`.

**Options that are made once**, for many texts, whole or in pieces: `Extractor`, `MessageExtractor`.

**Records for other programs**: `Found.to_dict` returns the record that ``urlextract -j`` prints,
`Found.from_dict` reads it, `Found.schema` returns its JSON Schema.

**The components of a URL**: `parse_url` returns a value of the type of its scheme, one of `urlextract.urls`.

**Where a link leads**: `unwrap` returns the target of one that a gateway of mail has rewritten, without a
network; a record has ``unwrapped`` and ``wrapped_by``, and ``unwrap=True`` yields the targets.

**Defanged URLs**: `defang` writes a URL so that nobody follows it, `refang` reads one; with
``refang=True``, they are found in texts.

**URLs in print**: `format_url` breaks a URL over lines so that it can be found again; `mend` makes the broken
URLs of a text whole and changes no other line; `replace_urls` puts other text in place of URLs; `rewrap`
fills a text with its URLs as units.

**Options** are keywords that all functions share which find URLs, each explained once: by `extract`, or else
by `extract_message` or `extract_html`.

**Errors**: wrong arguments, and those that would change nothing, raise `ValueError` or `TypeError` at the
call. No text, message or file makes these functions raise: what is odd is a defect of the record.
`SourceError` is an `OSError`: a source that cannot be read, or not to its end. All others are in
`urlextract.errors`.

**Types** of records and options are in `urlextract.types`, those of single schemes in `urlextract.urls`.
"""

from __future__ import annotations

__version__ = "0.1.0"


def _modules() -> dict[str, str]:
    """Return the module of each public name: the table of ``__init__.pyi``, whose lines are imports."""
    lines = __loader__.get_data(f"{__path__[0]}/__init__.pyi").decode().splitlines()
    return {words[-1]: words[1] for words in map(str.split, lines) if words[:1] == ["from"]}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: `import urlextract` takes about a millisecond."""
    modules = _modules()
    if name == "__all__":
        value: object = list(modules)
    elif name in modules:
        from importlib import import_module

        value = getattr(import_module(modules[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*_modules(), "__all__", "__doc__", "__version__"]
