"""The examples of the four standards: each URL, and its parts; absent ones are left out."""

from __future__ import annotations


def ftp(host, path, **more):
    *cwd, name = path.split("/")
    return {"host": host, "cwd": tuple(cwd), "name": name} | more


def http(host, path="", **more):
    return {"host": host, "path": path} | more


def gopher(gtype, selector, plus=None, **more):
    searched = {} if plus is None else {"search": "", "gopher_plus": plus}
    return {"host": "host", "gtype": gtype, "selector": selector} | more | searched


def of_words(line):
    """Return the case of a URL of three parts, which stand as words: scheme, host, path."""
    scheme, host, path = line.split()
    return f"{scheme}://{host}/{path}", ftp(host, path) if scheme == "ftp" else http(host, f"/{path}")


RFC1738 = [
    # Section 3.1: three different logins
    ("ftp://@host.com/", {"user": "", "host": "host.com", "cwd": (), "name": ""}),
    ("ftp://host.com/", {"host": "host.com", "cwd": (), "name": ""}),
    ("ftp://foo:@host.com/", {"user": "foo", "password": "", "host": "host.com", "cwd": (), "name": ""}),
    # Section 3.2.2
    ("ftp://myname@host.dom/%2Fetc/motd", ftp("host.dom", "%2Fetc/motd", user="myname")),
    ("ftp://myname@host.dom/etc/motd", ftp("host.dom", "etc/motd", user="myname")),
    ("ftp://myname@host.dom//etc/motd", {"user": "myname", "host": "host.dom", "cwd": ("", "etc"), "name": "motd"}),
    # Section 3.4, with its placeholders filled in
    ("gopher://host:70/0selector", gopher("0", "selector", port=70)),
    ("gopher://host/1", gopher("1", "")),
    ("gopher://host/11/top", gopher("1", "1/top")),
    ("gopher://host/7selector%09search", gopher("7", "selector", search="search")),
    ("gopher://host/0s%09search%09gopher+_string", gopher("0", "s", search="search", gopher_plus="gopher+_string")),
    ("gopher://host/0s%09%09+", gopher("0", "s", "+")),
    ("gopher://host/0s%09%09?", gopher("0", "s", "?")),
    ("gopher://host/0s%09%09!", gopher("0", "s", "!")),
    ("gopher://host/1s%09%09$", gopher("1", "s", "$")),
    ("gopher://host/0s%09%09!+ABSTRACT", gopher("0", "s", "!+ABSTRACT")),
    ("gopher://host/0s%09%09!+ABSTRACT%20+SMELL", gopher("0", "s", "!+ABSTRACT%20+SMELL")),
    ("gopher://host/0s%09%09+application/postscript%20Es_ES", gopher("0", "s", "+application/postscript%20Es_ES")),
    ("gopher://host/0s%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A",
     gopher("0", "s", "+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A")),
    ("mailto:joe%25gateway@host.dom", {"addresses": ("joe%25gateway@host.dom",)}),
    ("news:comp.infosystems.www.misc", {"group": "comp.infosystems.www.misc"}),
    ("news:unique@full.domain.name", {"article": "unique@full.domain.name"}),
    ("news:*", {"group": "*"}),
    ("nntp://host:119/comp.infosystems.www.misc/1234",
     {"host": "host", "port": 119, "group": "comp.infosystems.www.misc", "article": "1234"}),
    ("telnet://user:password@host:23/", {"user": "user", "password": "password", "host": "host", "port": 23, "path": "/"}),
    ("telnet://host", {"host": "host", "path": ""}),
    ("wais://host:210/database", {"host": "host", "port": 210, "database": "database"}),
    ("wais://host/database?search", {"host": "host", "database": "database", "search": "search"}),
    ("wais://host/database/wtype/wpath", {"host": "host", "database": "database", "wtype": "wtype", "wpath": "wpath"}),
    ("file://vms.host.edu/disk$user/my/notes/note12345.txt",
     {"host": "vms.host.edu", "path": "/disk$user/my/notes/note12345.txt"}),
    ("file://localhost/etc/motd", {"host": "localhost", "path": "/etc/motd"}),
    ("prospero://host.dom//pros/name", {"host": "host.dom", "hsoname": "/pros/name"}),
    ("prospero://host.dom:1525/name;OBJECT-VERSION=3",
     {"host": "host.dom", "port": 1525, "hsoname": "name", "fields": (("OBJECT-VERSION", "3"),)}),
    # The appendix, and the references
    ("ftp://info.cern.ch/pub/www/doc;type=d", ftp("info.cern.ch", "pub/www/doc", typecode="d")),
    ("http://ds.internic.net/instructions/overview.html#WARNING",
     http("ds.internic.net", "/instructions/overview.html", fragment="WARNING")),
    ("ftp://ds.internic.net/rfc/rfc1436.txt;type=a", ftp("ds.internic.net", "rfc/rfc1436.txt", typecode="a")),
    *map(of_words, """\
http www.acl.lanl.gov URI/archive/uri-archive.index.html
ftp ds.internic.net rfc
ftp boombox.micro.umn.edu pub/gopher/gopher_protocol/Gopher+/Gopher+.txt
ftp ds.internic.net rfc/rfc1630.txt
ftp info.cern.ch pub/www/doc/http-spec.txt.Z
ftp ds.internic.net rfc/rfc1123.txt
ftp ds.internic.net rfc/rfc822.txt
ftp quake.think.com pub/wais/doc/protspec.txt
ftp ds.internic.net rfc/rfc1036.txt
ftp quake.think.com pub/wais/doc/doc-ids.txt
ftp ds.internic.net rfc/rfc977.txt
ftp ds.internic.net internet-drafts/draft-ietf-uri-irl-fun-req-02.txt
ftp ds.internic.net rfc/rfc1034.txt
ftp prospero.isi.edu pub/prospero/doc/prospero-protocol.PS.Z
ftp ds.internic.net rfc/rfc959.txt
ftp ds.internic.net rfc/rfc1737.txt
ftp ds.internic.net rfc/rfc1625.txt
ftp uu.psi.com wp/nir.txt
""".splitlines()),
]  # fmt: skip

RFC1630 = [
    ("fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", {"path": "/us/va/reston/cnri/ietf/24/asdf%*.fred"}),
    ("news:12345667123%asdghfh@info.cern.ch", {"article": "12345667123%asdghfh@info.cern.ch"}),
    ("magic://a/b/c//d/e/f", {"host": "a", "path": "/b/c//d/e/f"}),
    ("http://www.my.work.com/", http("www.my.work.com", "/")),
    ("http://info.cern.ch:8000/imaginary/test", http("info.cern.ch", "/imaginary/test", port=8000)),
    ("http://www.myu.edu/org/admin/people#andy", http("www.myu.edu", "/org/admin/people", fragment="andy")),
    ("http://info.my.org/AboutUs/Index/Phonebook?dobbins",
     http("info.my.org", "/AboutUs/Index/Phonebook", search="dobbins")),
    ("http://info.cern.ch/RDB/EMP?*%20where%20name%%3Ddobbins",
     http("info.cern.ch", "/RDB/EMP", search="*%20where%20name%%3Ddobbins")),
    ("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3", {"nss": "/iana/dns/ch/cern/cn/techdoc/94/1642-3"}),
    ("gopher://gopher.micro.umn.edu/00/Information About Gopher/About Gopher",
     {"host": "gopher.micro.umn.edu", "gtype": "0", "selector": "0/Information About Gopher/About Gopher"}),
    ("wais://quake.think.com/wais-discussion-archives?lynch",
     {"host": "quake.think.com", "database": "wais-discussion-archives", "search": "lynch"}),
    # Its BNF, which the draft shares
    ("afs://cell.dom/path/name", {"host": "cell.dom", "path": "/path/name"}),
    ("nntp:comp.lang.c/1234", {"group": "comp.lang.c", "article": "1234"}),
    ("mid:9406011234.AA12@info.cern.ch", {"message_id": "9406011234.AA12@info.cern.ch"}),
    ("cid:part1.9406011234@info.cern.ch", {"content_id": "part1.9406011234@info.cern.ch"}),
    ("wais://host/database/TEXT/1=quake;2=210;3=%2Fpath;",
     {"host": "host", "database": "database", "wtype": "TEXT", "wpath": "1=quake;2=210;3=%2Fpath;"}),
    ("prospero://host/path/name%0012attributes", {"host": "host", "hsoname": "path/name", "version": "12"}),
    ("rlogin://user@host.dom", {"user": "user", "host": "host.dom", "path": ""}),
    ("tn3270://host.dom/", {"host": "host.dom", "path": "/"}),
    *map(of_words, """\
http info.cern.ch hypertext/WWW/Addressing/URL/URI_Overview.html
http info.cern.ch albert/bertram/marie-claude
http info.cern.ch albert/bertram/marie%2Dclaude
http info.cern.ch albert/bertram%2Fmarie-claude
http www.my.uni.edu info/matriculation/enroling.html
http info.my.org AboutUs/Phonebook
http www.library.my.town.va.us Catalogue/76523471236%2Fwen44--4.98
http www.my.org 462F4F2D4241522A314159265358979323846
ftp info.cern.ch pub/www/doc/http-spec.txt
ftp prospero.isi.edu pub/prospero/oir.ps
""".splitlines()),
]  # fmt: skip

DRAFT = [
    ("ftp://host.dom/text;type=AN", ftp("host.dom", "text", typecode="AN")),
    ("ftp://host.dom/text;type=EC", ftp("host.dom", "text", typecode="EC")),
    ("ftp://host.dom/image;type=I", ftp("host.dom", "image", typecode="I")),
    ("ftp://host.dom/bytes;type=L8", ftp("host.dom", "bytes", typecode="L8")),
    ("ftp://host.dom/pub/", {"host": "host.dom", "cwd": ("pub",), "name": ""}),
    ("gopher://host:70/0a_gopher_selector", gopher("0", "a_gopher_selector", port=70)),
    ("gopher://host:70/7a_gopher_selector%09foobar", gopher("7", "a_gopher_selector", port=70, search="foobar")),
    ("gopher://host:70/0a_gopher_selector%09%09some_gplus_stuff",
     gopher("0", "a_gopher_selector", "some_gplus_stuff", port=70)),
    ("gopher://host:70/0a_gopher_selector%09%09!", gopher("0", "a_gopher_selector", "!", port=70)),
    ("gopher://host:70/0a_gopher_selector%09%09+application/postscript%20Es_ES",
     gopher("0", "a_gopher_selector", "+application/postscript%20Es_ES", port=70)),
    ("gopher://host:70/0a_gopher_selector%09%09%3F", gopher("0", "a_gopher_selector", "%3F", port=70)),
    ("gopher://host:70/0s%09%09+view_name%20language_name%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A",
     gopher("0", "s", "+view_name%20language_name%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A", port=70)),
    *map(of_words, """\
http www.w3.org hypertext/WWW/Addressing/URL/Overview.html
ftp ftp.w3.org pub/www/doc
ftp boombox.micro.umn.edu pub/gopher/gopher_protocol
ftp ftp.w3.org pub/www/doc/http-spec.txt
""".splitlines()),
]  # fmt: skip

URI7 = [
    ("http://www.kernel.org", http("www.kernel.org")),
    ("http://fred:fredpassword@example.com:8080/",
     http("example.com", "/", user="fred", password="fredpassword", port=8080)),
    ("http://ip_server/path?query", http("ip_server", "/path", search="query")),
    ("http://lwn.net", http("lwn.net")),
    ("mailto:dwheeler@dwheeler.com", {"addresses": ("dwheeler@dwheeler.com",)}),
    ("news:comp.lang.ada", {"group": "comp.lang.ada"}),
    ("telnet://ip_server/", {"host": "ip_server", "path": "/"}),
    ("telnet://melvyl.ucop.edu/", {"host": "melvyl.ucop.edu", "path": "/"}),
    ("file://ip_server/path_segments", {"host": "ip_server", "path": "/path_segments"}),
    ("file:path_segments", {"path": "path_segments"}),
    ("file:/cgi-bin", {"path": "/cgi-bin"}),
    ("file:/etc/passwd", {"path": "/etc/passwd"}),
    ("file:///etc/passwd", {"host": "", "path": "/etc/passwd"}),
    ("man:command-name", {"name": "command-name"}),
    ("man:command-name(section)", {"name": "command-name", "section": "section"}),
    ("man:ls(1)", {"name": "ls", "section": "1"}),
    ("info:virtual-filename", {"name": "virtual-filename"}),
    ("info:virtual-filename#nodename",
     {"name": "virtual-filename", "node": "nodename", "fragment": "nodename"}),
    ("info:(virtual-filename)", {"name": "virtual-filename"}),
    ("info:(virtual-filename)nodename", {"name": "virtual-filename", "node": "nodename"}),
    ("info:gcc", {"name": "gcc"}),
    ("info:gcc#G++_and_GCC", {"name": "gcc", "node": "G++_and_GCC", "fragment": "G++_and_GCC"}),
    ("info:(gcc)", {"name": "gcc"}),
    ("info:(gcc)G++ and GCC", {"name": "gcc", "node": "G++ and GCC"}),
    ("whatis:string", {"word": "string"}),
    ("ghelp:name-of-application", {"name": "name-of-application"}),
    ("about:config", {"subject": "config"}),
    ("toc:index", {"subject": "index"}),
    ("ldap://hostport", {"host": "hostport"}),
    ("ldap://hostport/", {"host": "hostport", "dn": ""}),
    ("ldap://hostport/dn", {"host": "hostport", "dn": "dn"}),
    ("ldap://hostport/dn?attributes", {"host": "hostport", "dn": "dn", "attributes": ("attributes",)}),
    ("ldap://hostport/dn?attributes?scope",
     {"host": "hostport", "dn": "dn", "attributes": ("attributes",), "scope": "scope"}),
    ("ldap://hostport/dn?attributes?scope?filter",
     {"host": "hostport", "dn": "dn", "attributes": ("attributes",), "scope": "scope", "filter": "filter"}),
    ("ldap://hostport/dn?attributes?scope?filter?extensions",
     {"host": "hostport", "dn": "dn", "attributes": ("attributes",), "scope": "scope", "filter": "filter",
      "extensions": (("extensions", None),)}),
    ("ldap://ldap.itd.umich.edu/o=University%20of%20Michigan,c=US",
     {"host": "ldap.itd.umich.edu", "dn": "o=University%20of%20Michigan,c=US"}),
    ("ldap://ldap.itd.umich.edu/o=University%20of%20Michigan,c=US?postalAddress",
     {"host": "ldap.itd.umich.edu", "dn": "o=University%20of%20Michigan,c=US",
      "attributes": ("postalAddress",)}),
    ("ldap://host.com:6666/o=University%20of%20Michigan,c=US??sub?(cn=Babs%20Jensen)",
     {"host": "host.com", "port": 6666, "dn": "o=University%20of%20Michigan,c=US", "attributes": (),
      "scope": "sub", "filter": "(cn=Babs%20Jensen)"}),
    ("wais://hostport/database", {"host": "hostport", "database": "database"}),
    ("urn:ietf:rfc:2648", {"nid": "ietf", "nss": "rfc:2648"}),
    *map(of_words, """\
http ip_server path
http www.w3.org CGI
ftp ip_server path
ftp ftp.is.co.za rfc/rfc1808.txt
http www.ietf.org rfc/rfc2255.txt
""".splitlines()),
]  # fmt: skip

CASES = [*RFC1738, *RFC1630, *DRAFT, *URI7]
