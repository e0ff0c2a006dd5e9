"""The tables of an index, which is one SQLite file.

Names and types are as the tools for SQLite expect them: dates are texts of ISO 8601, in UTC, so that they
sort; booleans are 0 and 1; lists are JSON; references are declared; columns by which one filters have an
index; no name needs quotes. What the program alone needs to go on where it has stopped is in ``files`` and
``seen``: see `urlextract.sources.checkpoint`.

Whoever deletes messages or places, the triggers delete what depends on them, and keep ``urls`` and
``search`` right.
"""

from __future__ import annotations

from urlextract.sources.state import CHECKPOINT

APPLICATION_ID = 0x75726C78
"""``PRAGMA application_id`` of an index: "urlx"."""

VERSION = 3
"""``PRAGMA user_version`` of an index: the version of these tables."""

_TABLES = """
CREATE TABLE messages (        -- each message once, and each message in one that has a URL
    id            INTEGER PRIMARY KEY,
    hash          BLOB UNIQUE,     -- of what does not change of it; NULL: in another one, or not known
    outer_id      INTEGER REFERENCES messages(id) ON DELETE CASCADE,  -- the message in which it is
    message_id    TEXT,
    in_reply_to   TEXT,            -- the Message-ID of the message that it answers
    thread_id     TEXT,            -- the Message-ID of the first message of its thread
    date          TEXT,            -- in UTC: '2026-01-31T09:12:00Z'
    doubtful_date TEXT,            -- in place of date: before 1970, or more than a day after the run
    date_field    TEXT,            -- as the message has it
    sender        TEXT,            -- the From field
    from_address  TEXT,            -- the address in it, in lower case
    from_name     TEXT,
    recipients    TEXT,            -- JSON: the addresses of the To field, with their names
    subject       TEXT,
    list_id       TEXT,
    newsgroups    TEXT,            -- JSON
    page          TEXT,            -- in a web archive: the URL of the page
    title         TEXT             -- of the page
);
CREATE INDEX messages_by_outer ON messages(outer_id) WHERE outer_id IS NOT NULL;
CREATE INDEX messages_by_date ON messages(date);
CREATE INDEX messages_by_message_id ON messages(message_id);
CREATE INDEX messages_by_thread ON messages(thread_id);
CREATE INDEX messages_by_from ON messages(from_address);
CREATE INDEX messages_by_list ON messages(list_id) WHERE list_id IS NOT NULL;
CREATE TABLE copies (          -- where each message lies
    id      INTEGER PRIMARY KEY,
    message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    source  TEXT NOT NULL,     -- a file, a member of an archive, an inbox; "-" is standard input
    file    TEXT,              -- what was read, if it is not the source: the archive, or a part
    number  INTEGER NOT NULL,  -- in the source, from 1; below that while it is read again
    offset  INTEGER            -- in the source, in bytes
);
CREATE INDEX copies_by_message ON copies(message);
CREATE INDEX copies_by_file ON copies(coalesce(file, source), number);
CREATE INDEX copies_replaced ON copies(message) WHERE number = 0;
CREATE TABLE urls (            -- each URL once
    id            INTEGER PRIMARY KEY,
    url           TEXT NOT NULL UNIQUE,
    key           TEXT NOT NULL,   -- equal for URLs that are the same
    scheme        TEXT NOT NULL,
    host          TEXT,            -- lower case, A-labels
    domain        TEXT,            -- the registered domain, by the Public Suffix List; else the host
    unwrapped     TEXT,            -- where a link leads that a gateway has rewritten
    wrapped_by    TEXT,
    target        TEXT GENERATED ALWAYS AS (coalesce(unwrapped, url)) VIRTUAL,
    target_key    TEXT NOT NULL,   -- as key, of the target
    target_domain TEXT,            -- as domain, of the target
    first_seen    TEXT,            -- the dates of the first and the last message with it
    last_seen     TEXT,
    places        INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX urls_by_key ON urls(key);
CREATE INDEX urls_by_host ON urls(host);
CREATE INDEX urls_by_domain ON urls(domain);
CREATE INDEX urls_by_target_domain ON urls(target_domain);
CREATE INDEX urls_by_target_key ON urls(target_key);
CREATE TABLE places (          -- each place where a URL was found
    id         INTEGER PRIMARY KEY,
    url_id     INTEGER NOT NULL REFERENCES urls(id),
    message_id INTEGER REFERENCES messages(id) ON DELETE CASCADE,  -- NULL: in a text that is no message
    source     TEXT,               -- of such a text, as those of copies
    file       TEXT,
    title      TEXT,               -- of such a text, a page of HTML
    date       TEXT,               -- that of its message
    part       TEXT,
    header     TEXT,
    media_type TEXT,
    form       TEXT NOT NULL,
    line       INTEGER NOT NULL,
    col        INTEGER NOT NULL,
    start      INTEGER NOT NULL,   -- characters in the text of the part, half-open
    stop       INTEGER NOT NULL,
    byte       INTEGER,            -- in the message as it was first read, or in the source of a text
    raw        TEXT NOT NULL,
    repaired   INTEGER NOT NULL,
    repairs    TEXT,               -- JSON: codes
    defects    TEXT,               -- JSON: codes
    confidence REAL NOT NULL,
    element    TEXT,
    attribute  TEXT,
    text       TEXT,               -- the words of the link
    shown      TEXT,
    differs    TEXT,
    context    TEXT                -- the lines around it
);
CREATE INDEX places_by_url ON places(url_id, date);
CREATE INDEX places_by_message ON places(message_id);
CREATE INDEX places_by_file ON places(coalesce(file, source), start) WHERE message_id IS NULL;
CREATE INDEX places_by_date ON places(date);
CREATE INDEX places_by_differs ON places(differs) WHERE differs IS NOT NULL;

CREATE VIEW links AS           -- a flat row for each place; of several copies of its message, the first
SELECT places.id, urls.url, urls.key, urls.scheme, urls.host, urls.domain, urls.unwrapped, urls.wrapped_by,
       urls.target, urls.target_key, urls.target_domain,
       places.text, places.shown, places.differs, places.context, places.form, places.repaired,
       places.repairs, places.defects, places.confidence, places.element, places.attribute,
       places.date, messages.doubtful_date, messages.sender, messages.from_address, messages.from_name,
       messages.recipients, messages.subject, messages.list_id, messages.newsgroups,
       messages.message_id, messages.in_reply_to, messages.thread_id, messages.page,
       coalesce(messages.title, places.title) AS title,
       coalesce(copies.source, places.source) AS source, abs(copies.number) AS message, copies.offset,
       places.part, places.header, places.media_type, places.line, places.col,
       places.start, places.stop, places.byte, places.raw
FROM places
JOIN urls ON urls.id = places.url_id
LEFT JOIN messages ON messages.id = places.message_id
LEFT JOIN copies ON copies.id =
    (SELECT min(id) FROM copies WHERE message = coalesce(messages.outer_id, messages.id));

CREATE VIEW domains AS         -- where links lead, behind gateways
SELECT target_domain AS domain, count(*) AS urls, sum(places) AS places,
       min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM urls WHERE target_domain IS NOT NULL GROUP BY target_domain;

CREATE VIEW by_month AS        -- messages, those of them with links, links and URLs
SELECT month, sum(messages) AS messages, sum(with_links) AS with_links, sum(places) AS places,
       sum(urls) AS urls
FROM (
    SELECT substr(date, 1, 7) AS month, count(*) AS messages,
           sum(EXISTS (SELECT 1 FROM places WHERE places.message_id = messages.id)
               OR EXISTS (SELECT 1 FROM messages AS inner_ JOIN places ON places.message_id = inner_.id
                          WHERE inner_.outer_id = messages.id)) AS with_links,
           0 AS places, 0 AS urls
    FROM messages WHERE outer_id IS NULL AND date IS NOT NULL GROUP BY month
    UNION ALL
    SELECT substr(date, 1, 7) AS month, 0, 0, count(*), count(DISTINCT url_id)
    FROM places WHERE date IS NOT NULL GROUP BY month
)
GROUP BY month;

CREATE VIEW deceptive_links AS -- links whose text shows another domain than the one to which they lead
SELECT * FROM links
WHERE differs IN ('domain', 'lookalike', 'brand') AND defects LIKE '%"shows-another-domain"%';

CREATE VIRTUAL TABLE search USING fts5(
    text, subject, title, context, url, host, sender, content='links', content_rowid='id'
);

CREATE TRIGGER places_deleted BEFORE DELETE ON places BEGIN
    INSERT INTO search (search, rowid, text, subject, title, context, url, host, sender)
    SELECT 'delete', id, text, subject, title, context, url, host, sender FROM links WHERE id = OLD.id;
END;
CREATE TRIGGER urls_counted AFTER DELETE ON places BEGIN
    UPDATE urls SET places = places - 1,
        first_seen = (SELECT min(date) FROM places WHERE url_id = OLD.url_id),
        last_seen = (SELECT max(date) FROM places WHERE url_id = OLD.url_id)
    WHERE id = OLD.url_id;
    DELETE FROM urls WHERE id = OLD.url_id AND NOT EXISTS (SELECT 1 FROM places WHERE url_id = OLD.url_id);
END;
CREATE TRIGGER urls_kept BEFORE DELETE ON urls
WHEN EXISTS (SELECT 1 FROM places WHERE url_id = OLD.id) BEGIN
    SELECT RAISE(ABORT, 'a URL goes with its last place: delete its places');
END;
CREATE TRIGGER messages_deleted BEFORE DELETE ON messages BEGIN
    DELETE FROM places WHERE message_id = OLD.id
        OR message_id IN (SELECT id FROM messages WHERE outer_id = OLD.id);
    DELETE FROM messages WHERE outer_id = OLD.id;  -- which have no messages in them
    DELETE FROM copies WHERE message = OLD.id;
END;
"""

SCHEMA = CHECKPOINT + _TABLES
"""All tables, indexes, views and triggers."""
