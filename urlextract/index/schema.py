"""The tables of an index, which is one SQLite file.

Names and types are as the tools for SQLite expect them: dates are texts of ISO 8601, in UTC, so that they
sort; booleans are 0 and 1; each reference is declared; columns by which one filters have an index. What
the program alone needs to go on where it has stopped is in ``sources.state`` and ``seen``.
"""

from __future__ import annotations

APPLICATION_ID = 0x75726C78
"""``PRAGMA application_id`` of an index: "urlx"."""

VERSION = 1
"""``PRAGMA user_version`` of an index: the version of these tables."""

SCHEMA = """
CREATE TABLE runs (            -- each call of the program that wrote to this file
    id        INTEGER PRIMARY KEY,
    started   TEXT NOT NULL,
    finished  TEXT,            -- NULL: it was stopped
    options   TEXT NOT NULL,   -- JSON: the options that were not left at their defaults
    messages  INTEGER NOT NULL DEFAULT 0,
    places    INTEGER NOT NULL DEFAULT 0,
    damaged   INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE sources (         -- each file, folder and stream that was read
    id        INTEGER PRIMARY KEY,
    path      TEXT NOT NULL UNIQUE,  -- absolute; of a stream its name, "-" for standard input
    kind      TEXT NOT NULL,   -- 'file', 'member' (of an archive), 'folder', 'inbox', 'stream', 'part'
    parent_id INTEGER REFERENCES sources(id) ON DELETE CASCADE,  -- the archive or folder in which it is
    messages  INTEGER NOT NULL DEFAULT 0,  -- messages read, also those without a URL; a folder counts its own
    state     TEXT             -- JSON: how far it was read
);
CREATE INDEX sources_by_parent ON sources(parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE seen (            -- the messages of folders that were read, and hashes of what came by streams
    source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    name      TEXT NOT NULL,
    PRIMARY KEY (source_id, name)
) WITHOUT ROWID;
CREATE TABLE messages (        -- messages in which there is a URL; a message in a message has its own row
    id         INTEGER PRIMARY KEY,
    source_id  INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,   -- in its source, from 1
    offset     INTEGER,            -- in its source, in bytes
    message_id TEXT,
    date       TEXT,               -- in UTC: '2026-01-31T09:12:00Z'
    date_field TEXT,               -- as the message has it
    "from"     TEXT,
    "to"       TEXT,
    subject    TEXT,
    list_id    TEXT,
    newsgroups TEXT
);
CREATE INDEX messages_by_source ON messages(source_id, number);
CREATE INDEX messages_by_date ON messages(date);
CREATE INDEX messages_by_message_id ON messages(message_id);
CREATE TABLE urls (            -- each URL once
    id         INTEGER PRIMARY KEY,
    url        TEXT NOT NULL UNIQUE,
    normalized TEXT NOT NULL,
    scheme     TEXT NOT NULL,
    host       TEXT,           -- lower case, A-labels
    domain     TEXT,           -- the registered domain, by the Public Suffix List
    unwrapped  TEXT,           -- where a link leads that a gateway has rewritten
    wrapped_by TEXT,
    first_seen TEXT,           -- the dates of the first and the last message with it
    last_seen  TEXT,
    places     INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX urls_by_host ON urls(host);
CREATE INDEX urls_by_domain ON urls(domain);
CREATE TABLE places (          -- each place where a URL was found
    id         INTEGER PRIMARY KEY,
    url_id     INTEGER NOT NULL REFERENCES urls(id),
    source_id  INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    message_id INTEGER REFERENCES messages(id) ON DELETE CASCADE,  -- NULL: in a text that is no message
    part       TEXT,
    header     TEXT,
    media_type TEXT,
    form       TEXT NOT NULL,
    line       INTEGER NOT NULL,
    "column"   INTEGER NOT NULL,
    start      INTEGER NOT NULL,   -- characters in the text of the part, half-open
    "end"      INTEGER NOT NULL,
    byte       INTEGER,            -- in the source
    raw        TEXT NOT NULL,
    repaired   INTEGER NOT NULL,
    repairs    TEXT,               -- codes, with blanks between them
    defects    TEXT,               -- as repairs
    confidence REAL NOT NULL,
    element    TEXT,
    attribute  TEXT,
    text       TEXT,               -- the words of the link
    shown      TEXT,
    differs    TEXT,
    context    TEXT                -- the lines around it
);
CREATE INDEX places_by_url ON places(url_id);
CREATE INDEX places_by_message ON places(message_id);
CREATE INDEX places_by_source ON places(source_id, start);
CREATE INDEX places_by_differs ON places(differs) WHERE differs IS NOT NULL;

CREATE VIEW links AS           -- a flat row for each place
SELECT places.id, urls.url, urls.scheme, urls.host, urls.domain, urls.unwrapped, urls.wrapped_by,
       places.text, places.shown, places.differs, places.context, places.form, places.repaired,
       places.repairs, places.defects, places.confidence, places.element, places.attribute,
       messages.date, messages."from", messages.subject, messages.list_id, messages.newsgroups,
       messages.message_id, sources.path AS source, messages.number AS message, messages.offset,
       places.part, places.header, places.media_type, places.line, places."column",
       places.start, places."end", places.byte, places.raw
FROM places
JOIN urls ON urls.id = places.url_id
JOIN sources ON sources.id = places.source_id
LEFT JOIN messages ON messages.id = places.message_id;

CREATE VIEW domains AS
SELECT coalesce(domain, host) AS domain, count(*) AS urls, sum(places) AS places,
       min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM urls WHERE host IS NOT NULL GROUP BY coalesce(domain, host);

CREATE VIEW by_month AS
SELECT substr(messages.date, 1, 7) AS month, count(*) AS places, count(DISTINCT places.url_id) AS urls,
       count(DISTINCT places.message_id) AS messages
FROM places JOIN messages ON messages.id = places.message_id
WHERE messages.date IS NOT NULL GROUP BY month;

CREATE VIEW deceptive_links AS -- links whose text shows another domain than the one to which they lead
SELECT * FROM links
WHERE differs IN ('domain', 'lookalike', 'brand') AND ' ' || defects || ' ' LIKE '% shows-another-domain %';

CREATE VIRTUAL TABLE search USING fts5(text, subject, context, content='links', content_rowid='id');
"""
