"""The examples of the four standards: each URL, and its parts.

Absent parts are left out. `composed` is the other direction, written from the grammar of
the standards and not from the parser.
"""

from __future__ import annotations


def ftp(host, path, **more):
    *cwd, name = path.split("/")
    return {"host": host, "cwd": tuple(cwd), "name": name} | more


def http(host, path="", **more):
    return {"host": host, "path": path} | more


RFC1738 = [
    ("http://www.acl.lanl.gov/URI/archive/uri-archive.index.html",
     http("www.acl.lanl.gov", "/URI/archive/uri-archive.index.html")),
    # Section 3.1: three different logins
    ("ftp://@host.com/", {"user": "", "host": "host.com", "cwd": (), "name": ""}),
    ("ftp://host.com/", {"host": "host.com", "cwd": (), "name": ""}),
    ("ftp://foo:@host.com/", {"user": "foo", "password": "", "host": "host.com", "cwd": (), "name": ""}),
    # Section 3.2.2
    ("ftp://myname@host.dom/%2Fetc/motd", ftp("host.dom", "%2Fetc/motd", user="myname")),
    ("ftp://myname@host.dom/etc/motd", ftp("host.dom", "etc/motd", user="myname")),
    ("ftp://myname@host.dom//etc/motd", {"user": "myname", "host": "host.dom", "cwd": ("", "etc"), "name": "motd"}),
    # Section 3.4, with its placeholders filled in
    ("gopher://host:70/0selector", {"host": "host", "port": 70, "gtype": "0", "selector": "selector"}),
    ("gopher://host/1", {"host": "host", "gtype": "1", "selector": ""}),
    ("gopher://host/11/top", {"host": "host", "gtype": "1", "selector": "1/top"}),
    ("gopher://host/7selector%09search", {"host": "host", "gtype": "7", "selector": "selector", "search": "search"}),
    ("gopher://host/0s%09search%09gopher+_string",
     {"host": "host", "gtype": "0", "selector": "s", "search": "search", "gopher_plus": "gopher+_string"}),
    ("gopher://host/0s%09%09+", {"host": "host", "gtype": "0", "selector": "s", "search": "", "gopher_plus": "+"}),
    ("gopher://host/0s%09%09?", {"host": "host", "gtype": "0", "selector": "s", "search": "", "gopher_plus": "?"}),
    ("gopher://host/0s%09%09!", {"host": "host", "gtype": "0", "selector": "s", "search": "", "gopher_plus": "!"}),
    ("gopher://host/1s%09%09$", {"host": "host", "gtype": "1", "selector": "s", "search": "", "gopher_plus": "$"}),
    ("gopher://host/0s%09%09!+ABSTRACT",
     {"host": "host", "gtype": "0", "selector": "s", "search": "", "gopher_plus": "!+ABSTRACT"}),
    ("gopher://host/0s%09%09!+ABSTRACT%20+SMELL",
     {"host": "host", "gtype": "0", "selector": "s", "search": "", "gopher_plus": "!+ABSTRACT%20+SMELL"}),
    ("gopher://host/0s%09%09+application/postscript%20Es_ES",
     {"host": "host", "gtype": "0", "selector": "s", "search": "",
      "gopher_plus": "+application/postscript%20Es_ES"}),
    ("gopher://host/0s%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A",
     {"host": "host", "gtype": "0", "selector": "s", "search": "",
      "gopher_plus": "+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A"}),
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
    ("ftp://ds.internic.net/rfc", ftp("ds.internic.net", "rfc")),
    ("http://ds.internic.net/instructions/overview.html#WARNING",
     http("ds.internic.net", "/instructions/overview.html", fragment="WARNING")),
    ("ftp://ds.internic.net/rfc/rfc1436.txt;type=a", ftp("ds.internic.net", "rfc/rfc1436.txt", typecode="a")),
    ("ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt",
     ftp("boombox.micro.umn.edu", "pub/gopher/gopher_protocol/Gopher+/Gopher+.txt")),
    ("ftp://ds.internic.net/rfc/rfc1630.txt", ftp("ds.internic.net", "rfc/rfc1630.txt")),
    ("ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z", ftp("info.cern.ch", "pub/www/doc/http-spec.txt.Z")),
    ("ftp://ds.internic.net/rfc/rfc1123.txt", ftp("ds.internic.net", "rfc/rfc1123.txt")),
    ("ftp://ds.internic.net/rfc/rfc822.txt", ftp("ds.internic.net", "rfc/rfc822.txt")),
    ("ftp://quake.think.com/pub/wais/doc/protspec.txt", ftp("quake.think.com", "pub/wais/doc/protspec.txt")),
    ("ftp://ds.internic.net/rfc/rfc1036.txt", ftp("ds.internic.net", "rfc/rfc1036.txt")),
    ("ftp://quake.think.com/pub/wais/doc/doc-ids.txt", ftp("quake.think.com", "pub/wais/doc/doc-ids.txt")),
    ("ftp://ds.internic.net/rfc/rfc977.txt", ftp("ds.internic.net", "rfc/rfc977.txt")),
    ("ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt",
     ftp("ds.internic.net", "internet-drafts/draft-ietf-uri-irl-fun-req-02.txt")),
    ("ftp://ds.internic.net/rfc/rfc1034.txt", ftp("ds.internic.net", "rfc/rfc1034.txt")),
    ("ftp://prospero.isi.edu/pub/prospero/doc/prospero-protocol.PS.Z",
     ftp("prospero.isi.edu", "pub/prospero/doc/prospero-protocol.PS.Z")),
    ("ftp://ds.internic.net/rfc/rfc959.txt", ftp("ds.internic.net", "rfc/rfc959.txt")),
    ("ftp://ds.internic.net/rfc/rfc1737.txt", ftp("ds.internic.net", "rfc/rfc1737.txt")),
    ("ftp://ds.internic.net/rfc/rfc1625.txt", ftp("ds.internic.net", "rfc/rfc1625.txt")),
    ("ftp://uu.psi.com/wp/nir.txt", ftp("uu.psi.com", "wp/nir.txt")),
]  # fmt: skip

RFC1630 = [
    ("http://info.cern.ch/hypertext/WWW/Addressing/URL/URI_Overview.html",
     http("info.cern.ch", "/hypertext/WWW/Addressing/URL/URI_Overview.html")),
    ("http://info.cern.ch/albert/bertram/marie-claude", http("info.cern.ch", "/albert/bertram/marie-claude")),
    ("http://info.cern.ch/albert/bertram/marie%2Dclaude", http("info.cern.ch", "/albert/bertram/marie%2Dclaude")),
    ("http://info.cern.ch/albert/bertram%2Fmarie-claude", http("info.cern.ch", "/albert/bertram%2Fmarie-claude")),
    ("fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", {"path": "/us/va/reston/cnri/ietf/24/asdf%*.fred"}),
    ("news:12345667123%asdghfh@info.cern.ch", {"article": "12345667123%asdghfh@info.cern.ch"}),
    ("magic://a/b/c//d/e/f", {"host": "a", "path": "/b/c//d/e/f"}),
    ("http://www.my.work.com/", http("www.my.work.com", "/")),
    ("http://www.my.uni.edu/info/matriculation/enroling.html",
     http("www.my.uni.edu", "/info/matriculation/enroling.html")),
    ("http://info.my.org/AboutUs/Phonebook", http("info.my.org", "/AboutUs/Phonebook")),
    ("http://www.library.my.town.va.us/Catalogue/76523471236%2Fwen44--4.98",
     http("www.library.my.town.va.us", "/Catalogue/76523471236%2Fwen44--4.98")),
    ("http://www.my.org/462F4F2D4241522A314159265358979323846",
     http("www.my.org", "/462F4F2D4241522A314159265358979323846")),
    ("http://info.cern.ch:8000/imaginary/test", http("info.cern.ch", "/imaginary/test", port=8000)),
    ("http://www.myu.edu/org/admin/people#andy", http("www.myu.edu", "/org/admin/people", fragment="andy")),
    ("http://info.my.org/AboutUs/Index/Phonebook?dobbins",
     http("info.my.org", "/AboutUs/Index/Phonebook", search="dobbins")),
    ("http://info.cern.ch/RDB/EMP?*%20where%20name%%3Ddobbins",
     http("info.cern.ch", "/RDB/EMP", search="*%20where%20name%%3Ddobbins")),
    ("urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3", {"nss": "/iana/dns/ch/cern/cn/techdoc/94/1642-3"}),
    ("gopher://gopher.micro.umn.edu/00/Information About Gopher/About Gopher",
     {"host": "gopher.micro.umn.edu", "gtype": "0", "selector": "0/Information About Gopher/About Gopher"}),
    ("ftp://info.cern.ch/pub/www/doc/http-spec.txt", ftp("info.cern.ch", "pub/www/doc/http-spec.txt")),
    ("wais://quake.think.com/wais-discussion-archives?lynch",
     {"host": "quake.think.com", "database": "wais-discussion-archives", "search": "lynch"}),
    ("ftp://prospero.isi.edu/pub/prospero/oir.ps", ftp("prospero.isi.edu", "pub/prospero/oir.ps")),
    # Its BNF, which the draft shares
    ("afs://cell.dom/path/name", {"cell": "cell.dom", "path": "/path/name"}),
    ("nntp:comp.lang.c/1234", {"group": "comp.lang.c", "article": "1234"}),
    ("mid:9406011234.AA12@info.cern.ch", {"message_id": "9406011234.AA12@info.cern.ch"}),
    ("cid:part1.9406011234@info.cern.ch", {"content_id": "part1.9406011234@info.cern.ch"}),
    ("wais://host/database/TEXT/1=quake;2=210;3=%2Fpath;",
     {"host": "host", "database": "database", "wtype": "TEXT", "wpath": "1=quake;2=210;3=%2Fpath;"}),
    ("prospero://host/path/name%0012attributes", {"host": "host", "hsoname": "path/name", "version": "12"}),
    ("rlogin://user@host.dom", {"user": "user", "host": "host.dom", "path": ""}),
    ("tn3270://host.dom/", {"host": "host.dom", "path": "/"}),
]  # fmt: skip

DRAFT = [
    ("http://www.w3.org/hypertext/WWW/Addressing/URL/Overview.html",
     http("www.w3.org", "/hypertext/WWW/Addressing/URL/Overview.html")),
    ("ftp://ftp.w3.org/pub/www/doc", ftp("ftp.w3.org", "pub/www/doc")),
    ("ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol",
     ftp("boombox.micro.umn.edu", "pub/gopher/gopher_protocol")),
    ("ftp://ftp.w3.org/pub/www/doc/http-spec.txt", ftp("ftp.w3.org", "pub/www/doc/http-spec.txt")),
    ("ftp://host.dom/text;type=AN", ftp("host.dom", "text", typecode="AN")),
    ("ftp://host.dom/text;type=EC", ftp("host.dom", "text", typecode="EC")),
    ("ftp://host.dom/image;type=I", ftp("host.dom", "image", typecode="I")),
    ("ftp://host.dom/bytes;type=L8", ftp("host.dom", "bytes", typecode="L8")),
    ("ftp://host.dom/pub/", {"host": "host.dom", "cwd": ("pub",), "name": ""}),
    ("gopher://host:70/0a_gopher_selector",
     {"host": "host", "port": 70, "gtype": "0", "selector": "a_gopher_selector"}),
    ("gopher://host:70/7a_gopher_selector%09foobar",
     {"host": "host", "port": 70, "gtype": "7", "selector": "a_gopher_selector", "search": "foobar"}),
    ("gopher://host:70/0a_gopher_selector%09%09some_gplus_stuff",
     {"host": "host", "port": 70, "gtype": "0", "selector": "a_gopher_selector", "search": "",
      "gopher_plus": "some_gplus_stuff"}),
    ("gopher://host:70/0a_gopher_selector%09%09!",
     {"host": "host", "port": 70, "gtype": "0", "selector": "a_gopher_selector", "search": "",
      "gopher_plus": "!"}),
    ("gopher://host:70/0a_gopher_selector%09%09+application/postscript%20Es_ES",
     {"host": "host", "port": 70, "gtype": "0", "selector": "a_gopher_selector", "search": "",
      "gopher_plus": "+application/postscript%20Es_ES"}),
    ("gopher://host:70/0a_gopher_selector%09%09%3F",
     {"host": "host", "port": 70, "gtype": "0", "selector": "a_gopher_selector", "search": "",
      "gopher_plus": "%3F"}),
    ("gopher://host:70/0s%09%09+view_name%20language_name%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A",
     {"host": "host", "port": 70, "gtype": "0", "selector": "s", "search": "",
      "gopher_plus": "+view_name%20language_name%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A"}),
]  # fmt: skip

URI7 = [
    ("http://www.kernel.org", http("www.kernel.org")),
    ("http://fred:fredpassword@example.com:8080/",
     http("example.com", "/", user="fred", password="fredpassword", port=8080)),
    ("http://ip_server/path", http("ip_server", "/path")),
    ("http://ip_server/path?query", http("ip_server", "/path", search="query")),
    ("http://lwn.net", http("lwn.net")),
    ("http://www.w3.org/CGI", http("www.w3.org", "/CGI")),
    ("ftp://ip_server/path", ftp("ip_server", "path")),
    ("ftp://ftp.is.co.za/rfc/rfc1808.txt", ftp("ftp.is.co.za", "rfc/rfc1808.txt")),
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
      "extensions": (("extensions", None, False),)}),
    ("http://www.ietf.org/rfc/rfc2255.txt", http("www.ietf.org", "/rfc/rfc2255.txt")),
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
]  # fmt: skip

CASES = [*RFC1738, *RFC1630, *DRAFT, *URI7]


def _login(parts):
    user = "" if parts.get("user") is None else parts["user"]
    password = "" if parts.get("password") is None else f":{parts['password']}"
    at = "" if parts.get("user") is None else "@"
    port = "" if parts.get("port") is None else f":{parts['port']}"
    return f"//{user}{password}{at}{parts['host']}{port}"


def _after(sign, value):
    return "" if value is None else sign + value


def composed(scheme, parts):
    """Return the URL of these parts in the form that the scheme's standard has."""
    get = parts.get
    login = _login(parts) if "host" in parts else ""
    fragment = _after("#", get("fragment"))
    match scheme:
        case "ftp":
            return (
                f"ftp:{login}/" + "/".join((*parts["cwd"], parts["name"])) + _after(";type=", get("typecode"))
            )
        case "gopher":
            tail = _after("%09", get("search")) + _after("%09", get("gopher_plus"))
            return f"gopher:{login}/{parts['gtype']}{parts['selector']}{tail}"
        case "mailto":
            return "mailto:" + ",".join(parts["addresses"])
        case "news":
            return "news:" + (get("group") or parts["article"])
        case "nntp":
            return f"nntp:{login}{'/' if login else ''}{parts['group']}/{parts['article']}"
        case "wais":
            tail = f"/{parts['wtype']}/{parts['wpath']}" if "wtype" in parts else _after("?", get("search"))
            return f"wais:{login}/{parts['database']}{tail}"
        case "prospero":
            fields = "".join(f";{name}={value}" for name, value in get("fields", ()))
            return f"prospero:{login}/{parts['hsoname']}{_after('%00', get('version'))}{fields}"
        case "afs":
            return f"afs://{parts['cell']}{parts['path']}"
        case "mid" | "cid":
            return f"{scheme}:" + (get("message_id") or parts["content_id"])
        case "urn":
            return "urn:" + (f"{parts['nid']}:" if "nid" in parts else "") + parts["nss"]
        case "man":
            return f"man:{parts['name']}" + (f"({parts['section']})" if "section" in parts else "")
        case "ldap":
            query = [",".join(get("attributes", ())), get("scope"), get("filter")]
            query += [",".join(name for name, *_ in get("extensions", ())) or None]
            while query and not query[-1]:
                query.pop()
            return f"ldap:{login}{_after('/', get('dn'))}" + "".join(f"?{part}" for part in query)
    rest = get("path") or get("word") or get("subject") or get("name") or ""
    return f"{scheme}:{login}{rest}{_after('?', get('search'))}{fragment}"
