"""A news spool, an archive and batches as real INN writes them."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from realtools import extract, need, pick, run, wait_until

BIN = Path("/usr/lib/news/bin")
GROUPS = ("alt.2600", "comp.infosystems.www", "news.answers", "control", "control.cancel", "junk")
# The Message-ID, groups and body of each article, in the order of their coming.
ARTICLES = (
    ("<wrapped@example.org>", "comp.infosystems.www",
     b"The tables are at <URL:http://www.example.org/harbour/\ntables/1996/north.html> now.\n"),
    ("<crossposted@example.org>", "alt.2600,news.answers",
     b"See http://www.example.org/faq/ and\ngopher://gopher.example.org/11/faq, once.\n"),
    ("<dots@example.org>", "alt.2600",
     b"Dots:\n.\n..\n.http://www.example.org/start, <URL:http://www.example.org/a/\n.hidden/b>.\n.\n"),
    ("<nothing@example.org>", "comp.infosystems.www", b"Here is nothing.\n"),
    ("<quoted@example.org>", "news.answers",
     (b"Gr\xfc\xdfe!\n> > Look: <URL:ftp://ftp.example.org/pub/\n> > tides/north.txt>.\n"
      b"ftp://ftp.example.org/new\n")),
)  # fmt: skip
URLS = {
    "<wrapped@example.org>": ["http://www.example.org/harbour/tables/1996/north.html"],
    "<crossposted@example.org>": ["http://www.example.org/faq/", "gopher://gopher.example.org/11/faq"],
    "<dots@example.org>": ["http://www.example.org/start", "http://www.example.org/a/.hidden/b"],
    "<nothing@example.org>": [],
    "<quoted@example.org>": ["ftp://ftp.example.org/pub/tides/north.txt", "ftp://ftp.example.org/new"],
}
PLACES = {
    "<wrapped@example.org>": "comp/infosystems/www/1",
    "<crossposted@example.org>": "alt/2600/1",  # and news/answers/1, which is a link to it
    "<dots@example.org>": "alt/2600/2",
    "<nothing@example.org>": "comp/infosystems/www/2",
    "<quoted@example.org>": "news/answers/2",
}
INN_CONF = """\
domain: example.org
pathhost: news.example.org
mta: /bin/false
hismethod: hisv6
ovmethod: tradindexed
pathnews: /usr/lib/news
pathetc: {etc}
pathdb: {db}
pathspool: {spool}
pathlog: {log}
pathrun: {run}
port: {port}
bindaddress: 127.0.0.1
bindaddress6: none
doinnwatch: false
"""
SETTINGS = {
    "storage.conf": "method tradspool {\n  newsgroups: *\n  class: 0\n}\n",
    "newsfeeds": "ME:!*::\nneighbour:*:Tf,Wnb:\n",
    "incoming.conf": 'peer ME {\n  hostname: "127.0.0.1"\n}\n',
    "expire.ctl": "/remember/:10\n*:A:1:10:never\n",
    "control.ctl": "",
}
# innd runs as the user "news" only, who may not pass the directory that pytest keeps to itself.
AS_NEWS = ("setpriv", "--reuid=news", "--regid=news", "--clear-groups")
AS_NEWS += ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")


def article(message_id, groups, body):
    """Return an article as it arrives."""
    head = f"Path: there.example.com!not-for-mail\nFrom: ada@example.org (Ada)\nNewsgroups: {groups}\n"
    head += f"Subject: an article\nMessage-ID: {message_id}\nReferences: <older@example.org>\n"
    return head.encode() + b"Date: Mon, 14 Nov 1994 09:12:44 GMT\n\n" + body


class Inn:
    """A news server in a directory of its own."""

    def __init__(self, root):
        self.spool = root / "spool"
        self._root = root
        self._environment = {**os.environ, "INNCONF": str(root / "etc" / "inn.conf"), "TMPDIR": str(root)}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._configure()

    def _configure(self):
        """Write its configuration and an empty database."""
        paths = {name: self._root / name for name in ("etc", "db", "spool", "log", "run")}
        below = ("articles", "overview", "outgoing", "archive", "incoming/bad", "tmp")
        for path in (*paths.values(), *(self.spool / name for name in below)):
            path.mkdir(parents=True, exist_ok=True)
        settings = {"inn.conf": INN_CONF.format(**paths, port=self._port), **SETTINGS}
        active = "".join(f"{group} 0000000000 0000000001 y\n" for group in GROUPS)
        database = {"active": active, "newsgroups": "", "active.times": "", "history": ""}
        for directory, files in (("etc", settings), ("db", database)):
            for name, text in files.items():
                (paths[directory] / name).write_text(text)
        for path in self._root.rglob("*"):
            shutil.chown(path, "news", "news")
        self.run("makedbz", "-i", "-o", "-s", "1000")

    def run(self, program, *arguments, data=b""):
        return run(*AS_NEWS, BIN / program, *arguments, data=data, cwd=self._root, env=self._environment)

    def is_up(self):
        command = (*AS_NEWS, BIN / "ctlinnd", "-t", "5", "mode")
        return not subprocess.run(command, env=self._environment, capture_output=True, check=False).returncode

    def feed(self, articles):
        """Start the server, feed it a batch with rnews, and stop it; return its list of accepted articles."""
        command = (*AS_NEWS, BIN / "innd", "-f", "-N", "-c", "0")  # -c: old articles are welcome
        with subprocess.Popen(command, cwd=self._root, env=self._environment) as innd:
            try:
                wait_until(lambda: self.is_up() or innd.poll() is not None, "innd to start")
                self.run("rnews", "-N", "-v", "-S", "127.0.0.1", "-P", str(self._port), data=articles)
                self.run("ctlinnd", "-t", "30", "flush", "neighbour")
            finally:
                innd.kill()
        return (self.spool / "outgoing" / "neighbour").read_bytes()


@pytest.fixture(scope="module")
def inn(tmp_path_factory):
    """Return a stopped news server that has our articles, and its list of them."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can run innd, which wants to be the user news")
    root = tmp_path_factory.mktemp("inn")
    settings = {"etc": "/etc/news", "db": "/var/lib/news", "spool": "/var/spool/news", "log": "/var/log/news"}
    (root / "install.conf").write_text(INN_CONF.format(**settings, run="/run/news", port=119))
    # Its package asks for the name of this host, which need not have a full one.
    need("inn2", str(BIN / "innd"), settings={"INNCONF": str(root / "install.conf")})
    if subprocess.run((*AS_NEWS, "ls", root), capture_output=True, check=False).returncode:
        pytest.skip("root may not become the user news here")
    server = Inn(root)
    articles = (article(*each) for each in ARTICLES)
    return server, server.feed(b"".join(b"#! rnews %d\n%b" % (len(each), each) for each in articles))


def records_of(articles):
    """Return the Message-ID, groups and URL of each expected record."""
    return [(message_id, groups, url) for message_id, groups, _ in articles for url in URLS[message_id]]


def found_in(*arguments, data=b""):
    """Return the same of each record that our program finds."""
    return pick(extract(*arguments, data=data), "message_id", "newsgroups", "url")


def by_place():
    """Return our articles in the order of the spool."""
    return sorted(ARTICLES, key=lambda each: PLACES[each[0]])


def test_spool_yields_each_article_once(inn):
    """Crossposted or not, with its dots undoubled."""
    articles = inn[0].spool / "articles"
    assert (articles / "news/answers/1").stat().st_nlink == 2
    assert (articles / "alt/2600/2").read_bytes().endswith(b"\r\n..hidden/b>.\r\n..\r\n.\r\n")
    records = extract(articles)
    assert pick(records, "message_id", "newsgroups", "url") == records_of(by_place())
    assert all(record["source"] == str(articles / PLACES[record["message_id"]]) for record in records)


def test_named_article_or_group_is_read_like_the_spool(inn):
    """From either group, whose last part may be digits, like the name of an article."""
    articles = inn[0].spool / "articles"
    crossposted, dots = ARTICLES[1:3]
    assert found_in(articles / "alt/2600/2") == records_of([dots])
    assert found_in(articles / "news/answers/1") == records_of([crossposted])
    assert found_in(data=(articles / "alt/2600/2").read_bytes()) == records_of([dots])
    for group in ("alt", "alt/2600"):
        assert found_in(articles / group) == records_of([crossposted, dots])


@pytest.mark.parametrize("flat", [(), ("-f",)], ids=["tree", "flat"])
def test_inn_archive_yields_all_articles(inn, flat, tmp_path):
    """It keeps the articles unchanged, linked as in the spool."""
    server, taken = inn
    tokens = b"".join(line.split()[0] + b"\n" for line in taken.splitlines())
    server.run("archive", "-r", *flat, "-a", str(tmp_path), data=tokens)
    assert sorted(found_in(tmp_path)) == sorted(records_of(ARTICLES))


def test_inn_batch_yields_the_articles_in_order(inn, tmp_path):
    server, taken = inn
    batch = server.run("batcher", "-r", "neighbour", data=taken)
    assert batch.startswith(b"#! rnews ")
    (tmp_path / "batch").write_bytes(batch)
    records = extract(tmp_path / "batch")
    assert pick(records, "message_id", "newsgroups", "url") == records_of(ARTICLES)
    numbers = {message_id: number for number, (message_id, *_) in enumerate(ARTICLES, 1)}
    assert all(record["message"] == numbers[record["message_id"]] for record in records)
    assert found_in(data=batch) == records_of(ARTICLES)


@pytest.mark.parametrize("package", ["gzip", "bzip2"])
@pytest.mark.parametrize("is_uucp", [True, False])
def test_compressed_inn_batch_yields_the_articles_in_order(inn, is_uucp, package, tmp_path):
    """Compressed as by send-uucp, or as a whole."""
    server, taken = inn
    batch = tmp_path / "batch"
    header = f"#! {package[0]}unbatch" if is_uucp else ""
    head = f"echo '{header}'; " if header else ""
    pipe = f"{{ {head}exec {need(package, package)} -c; }} > {batch}"
    server.run("batcher", "-r", "-p", pipe, "neighbour", data=taken)
    assert batch.read_bytes().startswith(header.encode())
    assert found_in(batch) == records_of(ARTICLES)


def test_directory_of_batches_yields_all_articles(inn, tmp_path):
    server, taken = inn
    pipe = f"cat > $(mktemp {tmp_path}/XXXXXX)"
    server.run("batcher", "-r", "-a", "2", "-p", pipe, "neighbour", data=taken)
    assert len(list(tmp_path.iterdir())) > 1
    assert sorted(found_in(tmp_path)) == sorted(records_of(ARTICLES))
