"""Forms, wrappers and bare URLs: a text, and the URLs that a careful reader types (SPEC §1, §2, §4)."""

from __future__ import annotations

import pytest
from remarks import without_contexts, words

from urlextract import Found, examine, extract
from urlextract.types import Form

WRAPPERS = [
    ("<URL:ftp://a.example/x>", ["ftp://a.example/x"]),
    ("<url: http://a.example/>", ["http://a.example/"]),
    ("<Url:\n  http://a.example/>", ["http://a.example/"]),
    ("< URL:http://a.example/>", ["http://a.example/"]),
    ("<\nURL:http://a.example/x\ny>", ["http://a.example/xy"]),
    ("> see <\n> URL:http://a.example/x\n> y>", ["http://a.example/xy"]),
    ("> <URL:\n> http://a.example/very/\n> long.html> x", ["http://a.example/very/long.html"]),
    ("<URL:\v http://a.example/>", ["http://a.example/"]),
    ("<http://www.bücher.example/\nx>", ["http://www.bücher.example/x"]),
    ("<URL:anything:at-all>", ["anything:at-all"]),
    ("<URL:news:*>", ["news:*"]),
    ("<URL:whatis:tide> whatis:tide <whatis:tide>", ["whatis:tide"]),
    ("<URL:www.w3.org/x\ny>", ["http://www.w3.org/xy"]),
    ("<www.w3.org/x\ny>", ["http://www.w3.org/xy"]),
    ("<ftp.funet.fi>", ["ftp://ftp.funet.fi"]),
    ("<URL:...> <URL:%s> \"<URL:\" & \">\"", []),
    ("<URL:http://%s/> <URL:http://> <URL:foo:>", []),
    ("<http://a.example/b.>", ["http://a.example/b."]),
    ("<http://a.example/b. >", ["http://a.example/b."]),
    ("<http://a.example/b. And more>", ["http://a.example/b"]),
    ("<http://a.example/b <http://c.example/>", ["http://a.example/b", "http://c.example/"]),
    ("<http://a.example/b\n\nc>", ["http://a.example/b"]),
    ("> <http://a.example/b\n>\n> c>", ["http://a.example/b"]),
    ("<http://a.example/b\n> c", ["http://a.example/b"]),
    (">> <http://a.example/b\n> > c>", ["http://a.example/bc"]),
    ("> <http://a.example/b\nc>", ["http://a.example/bc"]),
    ("<http://a.example/b/\nfinal>", ["http://a.example/b/final"]),
    ("<http://a.example/b\n%7Cc>", ["http://a.example/b%7Cc"]),
    ("<http://a.example/b\n" + "c\n" * 62 + "d>", ["http://a.example/b" + "c" * 62 + "d"]),
    ("<http://a.example/b\n" + "c\n" * 63 + "d>", ["http://a.example/b"]),
    ("<http://a.example/b\n" + "c\n" * 7 + "d1 e2>", ["http://a.example/b" + "c" * 7 + "d1e2"]),
    ("<http://a.example/b\n" + "c\n" * 8 + "d1 e2>", ["http://a.example/b"]),
    ("<http://a.example/b\n" + "c\n" * 3 + "d1 e2\n" + "c\n" * 4 + "f>", ["http://a.example/b"]),
    ("<http://a.example/" + "b" * 60_000 + ">", ["http://a.example/" + "b" * 60_000]),
    ("<URL:http://a.example/b\n" + ("c" * 400 + "\n") * 19 + ">", ["http://a.example/b" + "c" * 7_600]),
    ("<URL:http://a.example/b\n" + ("c" * 400 + "\n") * 21 + ">", ["http://a.example/b"]),
    ('<http://a.example/b"c>', ["http://a.example/b"]),
    ("<http://a.example/b \\\n /c>", ["http://a.example/b/c"]),
    (r"\verb+http://a.example/x+ \verb|http://b.example/x|", ["http://a.example/x", "http://b.example/x"]),
    (r"x git+https://a.example/b+c+ \nhttp://d.example/", ["git+https://a.example/b+c+", "http://d.example/"]),
    ("<foo://bar/baz>", ["foo://bar/baz"]),
    ("foo://bar/baz", []),
    ("<http://www.example.org is down>", ["http://www.example.org"]),
    ("if a <http://b.example/ and c", ["http://b.example/"]),
    ("here<http://a.example>", ["http://a.example"]),
    ("a@b.example<mailto:a@b.example>", ["mailto:a@b.example"]),
    ("<mailto:a@b.example <mailto:a@b.example>>", ["mailto:a@b.example"]),
    ("> <mailto:a@b.example\n> <mailto:a@b.example>> x", ["mailto:a@b.example"]),
    ("&lt;URL:http://a.example/\nb?c&amp;d&gt; x", ["http://a.example/b?c&d"]),
    ("<xcon:x> <dav:foo> <iris:a> <std::b> <o:p> <Re: x> <File: A.txt>", []),
    ("<warning: long> <xsl:template match='x'> std::map<std::string,int>", []),
    ("<1234.5678@news.example.org>", []),
    ("<news:comp.lang.c> <news:talk> <tel:555> <tel:none>", ["news:comp.lang.c", "tel:555"]),
    ("<info:tide> <info:(gcc)Top> <man:ls(1)> <man:ls> <about:blank> <about: us all>", [
        "info:(gcc)Top", "man:ls(1)", "about:blank"]),
    ("<urn:spppAdd> <urn:isbn:0451450523>", ["urn:isbn:0451450523"]),
    ("<cid:a@b.example> <mid:a> <file:/etc/motd>", ["cid:a@b.example", "file:/etc/motd"]),
    ("<ftp:\n//a.example/b>", ["ftp://a.example/b"]),
    ("<https:/\n  /a.example/b>", ["https://a.example/b"]),
    ("<mailto:\n a@b.example>", ["mailto:a@b.example"]),
    ("<http://a.example/x\nhttp://b.example/y>", ["http://a.example/x", "http://b.example/y"]),
    ("<file:///>", ["file:///"]),
    ("<tel:+1 555 1212>", ["tel:+15551212"]),
    ("/* <http://a.example/a/\n * b> */", ["http://a.example/a/*b"]),
    ("+# <http://a.example/a/\n+# b>", ["http://a.example/a/b"]),
    ("> + * <http://a.example/a/\n> + * b>", ["http://a.example/a/b"]),
    (" * <http://a.example/a/\n * b> */", ["http://a.example/a/b"]),
    ("- <http://a.example/a/\n  b>", ["http://a.example/a/b"]),
    ("+See <http://a.example/a/\n+b>", ["http://a.example/a/b"]),
]  # fmt: skip

QUOTED = [
    ('"http://a.example/b"', ["http://a.example/b"]),
    ('"http://a.example/b\nc"', ["http://a.example/bc"]),
    ('"http://a.example/b is down"', ["http://a.example/b"]),
    ('"http://a.example/b.", he said', ["http://a.example/b"]),
    ('"http://a.example/b\nhttp://c.example/d"', ["http://a.example/b", "http://c.example/d"]),
    ('"http://a.example/b/\nhttp://c.example/d"', ["http://a.example/b/http://c.example/d"]),
    ('"http://a.example/b\n\nc"', ["http://a.example/b"]),
    ('"http://a.example/b', ["http://a.example/b"]),
    ('puts("http://a.example/b\\n");', ["http://a.example/b"]),
    ('<a href="mailto:a@b.example">', ["mailto:a@b.example"]),
    ('<x xmlns="urn:ietf:params:xml:ns:x">', []),
    ('"foo://a.example/b"', ["foo://a.example/b"]),
    (r'"url\":\"http://a.example/q\"', ["http://a.example/q"]),
    ('"http://a.example/b\\\nc"', ["http://a.example/bc"]),
    ('<a href="urn:isbn:0451450523"> <IMG SRC="cid:a@b.example">', ["urn:isbn:0451450523"]),
]

BARE = [
    ("(1,'http://a.example/x','title')", ["http://a.example/x"]),
    ("['http://a.example/x','www.b.example/y']", ["http://a.example/x", "http://www.b.example/y"]),
    ("<link href='http://a.example/feed'/>", ["http://a.example/feed"]),
    ("'http://a.example/it's'", ["http://a.example/it's"]),
    ("\x1b[34mhttp://a.example/\x1b[0m \x1b[1;31mwww.b.example/x\x1b[m", ["http://a.example/", "http://www.b.example/x"]),
    (r"\fBhttp://a.example/\fR \fIwww.b.example\fP \fImailto:a@b.example\fP",
     ["http://a.example/", "http://www.b.example", "mailto:a@b.example"]),
    ("fBhttp://a.example/ 1mhttp://b.example/", []),
    ("http://www.bücher.example/x www.müller.example http://www.foo.example.рф/",
     ["http://www.bücher.example/x", "http://www.müller.example", "http://www.foo.example.рф/"]),
    ("http://me@www.ü.example:80/x", ["http://me@www.ü.example:80/x"]),
    ("请点击www.cn.example.com查看 http://www.example.comをご覧 http://例え.テスト/",
     ["http://www.cn.example.com", "http://www.example.com", "http://例え.テスト/"]),
    ("👉https://a.example/x👈 https://a.example/x✅️. https://a.example/👍",
     ["https://a.example/x", "https://a.example/x", "https://a.example/👍"]),
    ("http://evil[.]example/x http://evil(.)example/ http://evil[dot]example/ http://a.example[1]", ["http://a.example"]),
    ("https://a.example/x[the docs] http://a.example/x(see page 3)", ["https://a.example/x", "http://a.example/x"]),
    ("http://a.example/x[1] b] http://a.example/#a[b http://a.example/a[b\nc]",
     ["http://a.example/x", "http://a.example/#a", "http://a.example/a"]),
    ("http://a.example/a[2] http://a.example/b[Text] http://a.example/?a[0] http://a.example/c[d] link:http://b.example/c[d]",
     ["http://a.example/a", "http://a.example/b", "http://a.example/?a[0]", "http://a.example/c[d]", "http://b.example/c"]),
    ("http://a.example/e[] x=http://a.example/y= =http://a.example/z= =http://a.example/?z=",
     ["http://a.example/e", "http://a.example/y=", "http://a.example/z", "http://a.example/?z="]),
    ("a;http://a.example/x;b,c,http://a.example/y,d &amp;http://a.example/z;k; ;http://a.example/v;w",
     ["http://a.example/x", "http://a.example/y", "http://a.example/z;k", "http://a.example/v;w"]),
    ("http://a.example/#http://b.example/ http://a.example/%23http://b.example/",
     ["http://a.example/#http://b.example/", "http://a.example/%23http://b.example/"]),
    ('"http://a.example/x)," "http://a.example/(x)," "file:\\\\\\", "")',
     ["http://a.example/x", "http://a.example/(x)"]),
    ("mailto:ada%40a.example?subject=x <mailto:ada%40b.example> mailto:%40 mailto:ada%41",
     ["mailto:ada%40a.example?subject=x", "mailto:ada%40b.example"]),
    ("4.www.a.example\n-www.b.example\n> --www.c.example-- ...www.d.example 1.2.www.e.example",
     ["http://www.a.example", "http://www.b.example", "http://www.c.example", "http://www.d.example"]),
    ("> 2024.www.a.example .....www.b.example", ["http://www.a.example", "http://www.b.example"]),
    ("curl http://a.example/x.py|python3 http://b.example/x|c2", ["http://a.example/x.py", "http://b.example/x|c2"]),
    ("http://a.example/caf\ufffd/x http://b.example/x\ufffd http://c.example/\ufffd\ufffd.pdf",
     ["http://a.example/caf\ufffd/x", "http://b.example/x", "http://c.example/\ufffd\ufffd.pdf"]),
    ("http://a.example/\u2605今だけ http://b.example/\u2606 http://c.example/\U0001f44d",
     ["http://a.example/", "http://b.example/", "http://c.example/\U0001f44d"]),
    ("www.a.comи http://www.b.ruтут www.c.comκαι", ["http://www.a.com", "http://www.b.ru", "http://www.c.com"]),
    (r"[a](http://a.example/ada\_) http://a.example/b\(c\) http://a.example/\~d http://a.example/e\(ra f\)",
     ["http://a.example/ada_", "http://a.example/b(c)", "http://a.example/~d", "http://a.example/e"]),
    ("xhttp://a.example url=http://b.example", ["http://b.example"]),
    ("日http://a.example/ かなhttp://b.example/", ["http://a.example/", "http://b.example/"]),
    (r"print '\nhttp://a.example/\thttp://b.example/'", ["http://a.example/", "http://b.example/"]),
    ("http://a.example/b.", ["http://a.example/b"]),
    ("http://a.example/b?!).", ["http://a.example/b"]),
    ("(see http://a.example/b)", ["http://a.example/b"]),
    ("http://en.wikipedia.org/wiki/URL_(x)", ["http://en.wikipedia.org/wiki/URL_(x)"]),
    ("(http://a.example/URL_(x)/y)", ["http://a.example/URL_(x)/y"]),
    ("http://a.example/x](y)", ["http://a.example/x"]),
    ("[t](http://a.example/x)[u]", ["http://a.example/x"]),
    ("http://a.example/x&gt; http://a.example/y&amp;z", ["http://a.example/x", "http://a.example/y&amp;z"]),
    ("*http://a.example/x* http://a.example/y*", ["http://a.example/x", "http://a.example/y*"]),
    ("http://a.example/日本語。次", ["http://a.example/日本語"]),
    ("“http://a.example/x” «http://b.example» 「http://c.example/d」", [
        "http://a.example/x", "http://b.example", "http://c.example/d"]),
    ("http://a.example/Größe,", ["http://a.example/Größe"]),
    ("http://a.example\\b", ["http://a.example"]),
    ("http://a.example`b` http://b.example/\x07c", ["http://a.example", "http://b.example/"]),
    ("http:// http:/// http://. http://-a.example", []),
    ("file:///etc/motd file:///", ["file:///etc/motd", "file:///"]),
    ("ldap:///o=x ldap://h.example/o=x", ["ldap:///o=x", "ldap://h.example/o=x"]),
    ("http://localhost http://192.0.2.1:80/ http://[::1]:8/x http://a_b.example", [
        "http://localhost", "http://192.0.2.1:80/", "http://[::1]:8/x", "http://a_b.example"]),
    ("http://u:p@a.example/x ftp://a.example:/x", ["http://u:p@a.example/x", "ftp://a.example:/x"]),
    ("http://a.example:see http://a.example.", ["http://a.example", "http://a.example"]),
    ("svn+ssh://a.example/x x-tool://y/z ftps://a.example", [
        "svn+ssh://a.example/x", "x-tool://y/z", "ftps://a.example"]),
    ("mailto:a@b.example, mailto:none news:a.b news:one news:1@x.example.", [
        "mailto:a@b.example", "news:a.b", "news:1@x.example"]),
    ("Tel:555-1234 tel:+1-555", ["tel:+1-555"]),
    ("info:http://a.example/x", ["http://a.example/x"]),
    ("URL:ftp://a.example/x URL:mailto:a@b.example", ["ftp://a.example/x", "mailto:a@b.example"]),
    ("www.a.example www.one ftp.b.example/x, www.c.example:80/", [
        "http://www.a.example", "ftp://ftp.b.example/x", "http://www.c.example:80/"]),
    ("joe@www.a.example www.a.example@b x/www.a.example comp.www.x.misc", []),
    ("WWW.A.EXAMPLE www.نامه\u200cای.example", ["http://WWW.A.EXAMPLE", "http://www.نامه\u200cای.example"]),
    ("12:30 C:\\x std::x foo: bar a::b", []),
    ("file:C:\\x\\y.txt", ["file:C:\\x\\y.txt"]),
    ("http://a.example/b\x85c", ["http://a.example/b"]),
    ("http://a.example/s—and http://a.example/u… http://a.example/صفحة، ثم", [
        "http://a.example/s", "http://a.example/u", "http://a.example/صفحة"]),
    ("http://a.example/Diffie–Hellman– and http://a.example/l·l·", [
        "http://a.example/Diffie–Hellman", "http://a.example/l·l"]),
    ("[url]http://a.example/w[/url]", ["http://a.example/w"]),
    ("&#60;http://a.example/t&#62; &amp;lt;http://a.example/u&amp;gt; http://a.example/v&#x3E;", [
        "http://a.example/t", "http://a.example/u", "http://a.example/v"]),
    ("http://a.example/1,http://a.example/2;ftp://a.example/3 http://a.example/1,2,3", [
        "http://a.example/1", "http://a.example/2", "ftp://a.example/3", "http://a.example/1,2,3"]),
    ("http://a..example/x http://a-.example/x http://a.-b.example", []),
    ("http://a.example-- and http://b.example... x", ["http://a.example", "http://b.example"]),
]  # fmt: skip


TEXTS = {
    "wrapper": WRAPPERS,
    "quoted": QUOTED,
    "bare": BARE,
    "prose after a URL in a wrapper": [
        ("John Doe> see <http://a.example/x/\nJohn Doe> p.html>", ["http://a.example/x/p.html"]),
        ("J.D.> see <http://a.example/x/\nJ.D.> p.html>", ["http://a.example/x/p.html"]),
        ("davidson> see <http://a.example/x/\ndavidson> p.html>", ["http://a.example/x/p.html"]),
        ("see <http://a.example/x/\ndavidson> p.html>", ["http://a.example/x/davidson"]),
        (":>see <http://a.example/x/\n:>p.html>", ["http://a.example/x/p.html"]),
        (":> <mailto:\n:> joe@a.example>", ["mailto:joe@a.example"]),
        ("> <http:/\n> /a.example/x>", ["http://a.example/x"]),
        ("see <htt\np://a.example/x>", ["http://a.example/x"]),
        ("> > <f\n> > tp://a.example/x/\n> > y>", ["ftp://a.example/x/y"]),
        ("<URL:ht\n  tp://a.example/x>", ["http://a.example/x"]),
        ("a < b\nttp://a.example/x> <foo\nhttp://b.example/> <s\nftp://c.example/>",
         ["http://b.example/", "ftp://c.example/"]),
        ("// <foo:\n// bar>", []),
        ("=> see <http://a.example/x/\n=> p.html>", ["http://a.example/x/p.html"]),
        ("--> see <URL:http://a.example/x/\n--> p.html>", ["http://a.example/x/p.html"]),
        ("<http://a.example/x The Foo Page>", ["http://a.example/x"]),
        ("<http://a.example/x (in German)>", ["http://a.example/x"]),
        ("<http://a.example/x last visited 2004-01-01>", ["http://a.example/x"]),
        ("<http://a.example/x - the page>", ["http://a.example/x"]),
        ("<http://a.example/x -- ibid.>", ["http://a.example/x"]),
        ("<http://a.example/x.html\nThe Foo Page>", ["http://a.example/x.html"]),
        ("<http://a.example/x.\nThis is it>", ["http://a.example/x"]),
        ("<www.a.example/x The Foo Page>", ["http://www.a.example/x"]),
        ("See <http://a.example/x\nfor the use of p->next there.", ["http://a.example/x"]),
        ("> see <http://a.example/c/\nI think that x > y", ["http://a.example/c/"]),
        (">> <http://a.example/e/\n> I disagree: 3>2", ["http://a.example/e/"]),
        ("x < http://a.example/c\nbut y > 3", ["http://a.example/c"]),
    ],
    "spaces and breaks in a wrapper": [
        ("<http://a.example/My Documents/foo.html>", ["http://a.example/MyDocuments/foo.html"]),
        ("<http://a.example/Annual Report 2003.pdf>", ["http://a.example/AnnualReport2003.pdf"]),
        ("<http://a.example/x Title>", ["http://a.example/xTitle"]),
        ("<ftp://a.example/horses .ps>", ["ftp://a.example/horses.ps"]),
        ("<ftp://ftp.a.example/pub/Apple SW Updates/Macintosh/\nNet & Mail/Communication Toolbox Tools/>",
         ["ftp://ftp.a.example/pub/AppleSWUpdates/Macintosh/Net&Mail/CommunicationToolboxTools/"]),
        ("<ftp://a.example/All Of Our Old Files/>", ["ftp://a.example/AllOfOurOldFiles/"]),
        ("<http://a.example/?a\n =====\n b>", ["http://a.example/?a=====b"]),
        ("> <http://a.example/\n>   ----->", ["http://a.example/-----"]),
        ("<http://a.example/s?q=foo bar>", ["http://a.example/s?q=foobar"]),
        ("<http://a.example/ TR/REC-xml-names>", ["http://a.example/TR/REC-xml-names"]),
        ("<http://a.example/\n  names>", ["http://a.example/names"]),
        ("<gopher://a.example/00/About The Gopher>", ["gopher://a.example/00/AboutTheGopher"]),
        ("<URL:http://a.example/About The Gopher>", ["http://a.example/AboutTheGopher"]),
        ("<http://a.example/a-\n\n[Page 9]\n\nRFC 1 The Title\n\nb>", ["http://a.example/a-b"]),
        ("<https://exam\u00ad\n   ple.org/x>", ["https://example.org/x"]),
    ],
    "signs and other scripts": [
        ("http://a.example/k\u2192http://b.example/l", ["http://a.example/k", "http://b.example/l"]),
        ("http://a.example/k\u2013http://b.example/l", ["http://a.example/k", "http://b.example/l"]),
        ("mailto:joe@a.example\u3067\u3059", ["mailto:joe@a.example"]),
        ("║ http://a.example/║ http://b.example/│ c", ["http://a.example/", "http://b.example/"]),
        ("http://a.example¹ http://b.example/c², http://d.example/m²/e",
         ["http://a.example", "http://b.example/c", "http://d.example/m²/e"]),
        ("https://i❤️.ws/x www.i❤️.ws.example", ["https://i❤️.ws/x", "http://www.i❤️.ws.example"]),
        ("http://a.example/x❤️ http://a.example/y❤️日", ["http://a.example/x", "http://a.example/y"]),
    ],
    "entities": [
        ("http://a.example/b&#39;", ["http://a.example/b"]),
        ("http://a.example/b&apos;.", ["http://a.example/b"]),
        ("http://a.example/b&raquo; c", ["http://a.example/b"]),
        ("http://a.example/?a&#39;b", ["http://a.example/?a&#39;b"]),
        ("http://a.example/?a=1&b=2;", ["http://a.example/?a=1&b=2"]),
        ("http://a.example?x=&amp; y", ["http://a.example?x="]),
        ("http://a.example/?a=1&amp;b=2&amp;.", ["http://a.example/?a=1&amp;b=2"]),
        ("http://a.example/&copy; http://a.example/x&copy;y",
         ["http://a.example/", "http://a.example/x&copy;y"]),
    ],
    "marks around a URL, and comments": [
        ("*Bold http://a.example/a*", ["http://a.example/a"]),
        ("**see http://a.example/a**, x", ["http://a.example/a"]),
        ("*b* http://a.example/a*", ["http://a.example/a*"]),
        ("* item http://a.example/a*", ["http://a.example/a*"]),
        ("/* http://a.example/a*/", ["http://a.example/a"]),
        (" * http://a.example/a*/", ["http://a.example/a"]),
        ("x http://a.example/*/", ["http://a.example/*/"]),
        ("see http://a.example/'s page", ["http://a.example/"]),
        ("http://a.example/McDonald's", ["http://a.example/McDonald's"]),
        ("| https://a.example/t| b |", ["https://a.example/t"]),
        ("|http://a.example/x|1|", ["http://a.example/x"]),
        ("[[http://a.example/y|Title]]", ["http://a.example/y"]),
        ("see _http://a.example/b_ and", ["http://a.example/b"]),
        ("see ~~https://a.example/s~~ and", ["https://a.example/s"]),
        ("see http://a.example/~joe/b_ and", ["http://a.example/~joe/b_"]),
        ("see http://a.example/?q=a|b, and", ["http://a.example/?q=a|b"]),
        ("http://a.example/x|http://b.example/y", ["http://a.example/x", "http://b.example/y"]),
    ],
    "bars": [
        ("| http://a.example/a | b |\n|http://a.example/c|d|\n| e | http://a.example/f|g|",
         ["http://a.example/" + c for c in "acf"]),
        ("a | file:///C|/x and\nhttp://a.example/b|c", ["file:///C|/x", "http://a.example/b"]),
        ("a | http://a.example/#b|c|d and http://a.example/b|c2",
         ["http://a.example/#b|c|d", "http://a.example/b|c2"]),
        ("http://a.example/b|c|d and http://a.example/b|c", ["http://a.example/b|c|d", "http://a.example/b"]),
        ("{{cite|url=http://a.example/b|title=C}}", ["http://a.example/b"]),
        ("<http://a.example/t|Text>", ["http://a.example/t"]),
        ("<http://a.example/?t=1|See it>", ["http://a.example/?t=1"]),
        ("<http://a.example/?t=a|b>", ["http://a.example/?t=a"]),
        ("<http://a.example/?t=a|b=c>", ["http://a.example/?t=a|b=c"]),
        ("<http://a.example/?t=a|b|c>", ["http://a.example/?t=a|b|c"]),
        ("<http://a.example|a.example>", ["http://a.example"]),
        ("<http://a.example/?t=1|See it, or a.b>", ["http://a.example/?t=1"]),
        ("<URL:http://a.example/t|b>", ["http://a.example/t|b"]),
        ("<file:///C|/x/y.htm>", ["file:///C|/x/y.htm"]),
        ("<file:///C|/x/y.htm, z", ["file:///C|/x/y.htm"]),
        ("<gopher://a.example/7/x|y>", ["gopher://a.example/7/x|y"]),
        ("<mailto:joe@a.example|joe@a.example>", ["mailto:joe@a.example"]),
    ],
    "what no URL holds is in none": [
        ("x &lt;http://a.example/x&#10;http://b.example/y&gt; z", ["http://a.example/x", "http://b.example/y"]),
        ("<http://a.example/?a&lt;b|see this>", ["http://a.example/?a"]),
        ("http://a.example/x\u200b<b> http://a.example/\u200b", ["http://a.example/x", "http://a.example/"]),
    ],
    "two URLs do not overlap": [
        ("http://日本https://b.example/x", ["http://日本", "https://b.example/x"]),
        ("www.c.本http://b", ["http://www.c.本", "http://b"]),
        ("=://http://a.example/xhttp:\\/\\/b.example\\/y", ["http://a.example/x", "http://b.example/y"]),
    ],
    "what is undone on one line of a URL is undone on all": [
        ("see www.a.example/x\\_y-\nzz1.html and", ["http://www.a.example/x_y-zz1.html"]),
        ("see http://a.example/x\\_y-\nzz1.html and", ["http://a.example/x_y-zz1.html"]),
        ('<a href="www.a.example/?x=1&amp;y=2-\nzz1.html">', ["http://www.a.example/?x=1&y=2-zz1.html"]),
    ],
    "Slack's labels": [
        ("<https://www.a.example/x|www.a.example> ok", ["https://www.a.example/x"]),
        ("<https://a.example/x/y?c=1&amp;d=2|a.example/x/y>", ["https://a.example/x/y?c=1&d=2"]),
        ("<https://a.example/x?a=1&amp;b=2|v1.2> y", ["https://a.example/x?a=1&b=2"]),
    ],
    "codes and characters of no width": [
        ("(\x1b[4mhttps://a.example/very/\x1b[24m\n\x1b[4mlong.html\x1b[24m) is\n",
         ["https://a.example/very/long.html"]),
        ("^[]8;;https://a.example/man^Gsshd^[]8;;^G\n", ["https://a.example/man"]),
        ("^[]8;;https://a.example/man^[\\sshd^[]8;;^[\\\n", ["https://a.example/man"]),
        ("systemd[1]: #033]8;;https://a.example/man#007sshd(8)#033]8;;#007\n", ["https://a.example/man"]),
        ("[1mLocal[22m:   [36mhttp://localhost:[1m5173[22m/[39m\n", ["http://localhost:5173/"]),
        ("www.\u200ba.example.\u200borg/a\u200b-b now www.\u00adb.example.com/x",
         ["http://www.a.example.org/a-b", "http://www.b.example.com/x"]),
    ],
    "a backslash at a line end, before what is no rest": [
        (f"wget https://a.example/x\\\n{after}\n", ["https://a.example/x"])
        for after in ("  && make", "   -O y", "  --output y", "  # c", "  '-o' x", "  ./dir", "Mail: ada",
                      "Tel:", "  Beschreibung dazu", " **Bold** text")
    ],
    "a backslash at a line end, before a rest": [
        ("#define U http://a.example/long/\\\n          path.html\n", ["http://a.example/long/path.html"]),
    ],
    "string literals that go on": [
        (f'{mark}msgid ""\n{mark}"see <https://a.example/en/"\n{mark}"latest/x.html> for"\n',
         ["https://a.example/en/latest/x.html"])
        for mark in ("", "> ", "+", "#~ ", "#| ")
    ] + [
        ('msgid ""\n"https://a.example/pier-"\n"tables/x.html"\n', ["https://a.example/pier-tables/x.html"]),
        ('"https://a.example/x"\n"y"\n', ["https://a.example/x"]),
    ],
    "TeX": [
        ("Ada\\\\https://a.example/x\\\\\n", ["https://a.example/x"]),
        ("url = {https://a.example/x?a=1\\&b=2},\n", ["https://a.example/x?a=1&b=2"]),
    ],
    "digits before a scheme": [
        ("12:30:11https://a.example/x 7http://b.example/", ["https://a.example/x", "http://b.example/"]),
        ("xhttp://a.example/ 7zfoo://a.example/", []),
    ],
    "names cut at a dot": [
        ("https://a.example/README.\nmd and\n", ["https://a.example/README.md"]),
        ("https://a.example/lib.\npy, and\n", ["https://a.example/lib.py"]),
        ("Read https://a.example/x/.\nhtml is\n", ["https://a.example/x/"]),
        ("Read https://a.example/x.html.\npdf files are\n", ["https://a.example/x.html"]),
        ("at https://a.example/x.\ngo there\n", ["https://a.example/x"]),
        ("see www.gnu.\norg/x for\n", ["http://www.gnu.org/x"]),
        ("https://a.example/pkg%\ncomment it\n", ["https://a.example/pkg%"]),
    ],
    "labels": [
        ("mailto:ada@a.example[Ada] https://a.example/x--[1] z",
         ["mailto:ada@a.example", "https://a.example/x--"]),
    ],
    "a title in quotes": [
        ("<http://a.example/x 'The Title'>", ["http://a.example/x"]),
        ("<http://a.example/x \u201cThe Title\u201d>", ["http://a.example/x"]),
    ],
    "text before the scheme": [
        ("=20http://a.example/ =3Dhttp://b.example/", ["http://a.example/", "http://b.example/"]),
        ("\\f5https://a.example/\\fR", ["https://a.example/"]),
        ("lpa:?xt=urn:btih:abc", []),
        ("x=urn:isbn:1", ["urn:isbn:1"]),
        ("PATH_INFO:/foo/ and _info:lib/x_", ["info:lib/x"]),
        ("---www.a.example.com/x\n> -----www.b.example.com\nx---www.c.example.com",
         ["http://www.a.example.com/x", "http://www.b.example.com"]),
    ],
    "hosts, and what only looks like one": [
        ("http://site.{one,two}.example http://www.%70ython.example/", []),
        (r"http://www\.example\.com/ http://a.example\nb", ["http://a.example"]),
        (r"http://a.example/b\.c http://a.example?b\.c", ["http://a.example/b", "http://a.example?b"]),
        ("http://[192.0.2.17]/ http://[dead:beef]/ http://[1::2::3]/", []),
        ("http://a.example:80a/ www.b.example:80_", ["http://a.example:80", "http://www.b.example:80"]),
        ("http://a.example:8080-8090/ http://b.example:80.Then",
         ["http://a.example:8080", "http://b.example:80"]),
        ("http://a.example:8080, <http://b.example:80>", ["http://a.example:8080", "http://b.example:80"]),
        ("http://a.example:8080を www.b.example:80を", ["http://a.example:8080", "http://www.b.example:80"]),
        ("see news:www.misc for more", ["news:www.misc"]),
        ("News:www.a.example news:www.a.example/b", ["http://www.a.example", "http://www.a.example/b"]),
        ("<script src='//www.a.example/x.js'>", ["http://www.a.example/x.js"]),
        ("url(//www.a.example/) x=//www.b.example", ["http://www.a.example/", "http://www.b.example"]),
        ("a//www.a.example /www.b.example ./www.c.example x-www.d.example my_www.e.example", []),
        ("see _www.a.example_, __www.b.example/x__.", ["http://www.a.example", "http://www.b.example/x"]),
        ("_www._tcp.a.example", []),
        ("Jane <www.jane.roe@a.example> <ftp.b.c@d.example> <www.e.example/f@g>", ["http://www.e.example/f@g"]),
    ],
    "scheme and host on two lines": [
        ("(https://\n    www.a.example/b/) c", ["https://www.a.example/b/"]),
        ("see https:\n\n//www.a.example/b. C", ["http://www.a.example/b"]),
        ("see ftp://\n\nwww.a.example/b", ["http://www.a.example/b"]),
        ("https:// www.a.example/b", ["http://www.a.example/b"]),
    ],
    "slips of the writer, regular expressions and lists": [
        ("http//www.a.example/b http:/www.c.example http;//www.d.example",
         ["http://www.a.example/b", "http://www.c.example", "http://www.d.example"]),
        ("http://http://a.example/ <http://http://b.example/>", ["http://a.example/", "http://b.example/"]),
        ("&lt;http://a.example/x|label&gt; <http://a.example/y|label>",
         ["http://a.example/x", "http://a.example/y"]),
        ("<http://a.example/x\nin 1999>", ["http://a.example/x"]),
        (r"s,https://a\.example/debian,x, https?://www\.a\.example/x http://www.a\.b\-c.example/", []),
        ("mailto:a@b.example|mailto:c@d.example", ["mailto:a@b.example", "mailto:c@d.example"]),
        ("mailto:a@b.example,mailto:c@d.example", ["mailto:a@b.example", "mailto:c@d.example"]),
    ],
    "line ends are alike": [
        ("see <https://a.example/x|\r\nthe label> and\r\n", ["https://a.example/x"]),
        ("<http://a.example/foo/\r\r\rSmith  Note  [Page 9]\r\x0c\rRFC 1   T   May 1999\r\r\rbar> x",
         ["http://a.example/foo/bar"]),
        ('msgid ""\r"see <https://a.example/"\r"wiki/x> for"\r', ["https://a.example/wiki/x"]),
        ("foo (*)\rhttp://a.example/x*\r", ["http://a.example/x*"]),
        ("http://a.example/?x=3D1=\r\r\n&y=3D2 ", ["http://a.example/?x=1&y=2"]),
        ('.\\" see "http://a.example/x/\n.\\" y.html" bar\n', ["http://a.example/x/y.html"]),
    ],
    "escapes": [
        (r'{"u":"https:\/\/a.example\/\u00e9t\u00e9"}', ["https://a.example/été"]),
        (r'["http:\/\/a.example\/x","www.b.example\/y?a=1"]', [
            "http://a.example/x", "http://www.b.example/y?a=1"]),
        (r".UR http://a.example/x\%y/z and http://a.example/x\fBz\fR", ["http://a.example/xy/z", "http://a.example/xz"]),
        (r"foo\x1b[36mhttp://a.example/x\x1b[0m b", ["http://a.example/x"]),
        ("x \x1b]0;title\n\nhttp://a.example/b c\n", ["http://a.example/b"]),
        (r"x \u003cmailto:joe@a.example\u003e y", ["mailto:joe@a.example"]),
        (r"\(lqmailto:joe@a.example\(rq \*(lqhttp://a.example/x\*(rq",
         ["mailto:joe@a.example", "http://a.example/x"]),
        ("a=3Dmailto:joe@a.example", ["mailto:joe@a.example"]),
    ],
    "a closer stands alone on a line of its own prefix only": [
        ("<URL:tel:+1\n |>", ["tel:+1|"]),
        ("| <http://a.example/x\n| >", ["http://a.example/x"]),
        ("> <http://a.example/x\n> >", ["http://a.example/x"]),
    ],
    "where a bare URL ends": [
        ("こちら→http://a.example/x←です", ["http://a.example/x"]),
        ("*_http://a.example/z_*.", ["http://a.example/z"]),
        ("http://a.example/x(foo\xa0bar) http://a.example/(日本)", ["http://a.example/x", "http://a.example/(日本)"]),
        ("(http://a.example/foo.py\nmain()) x", ["http://a.example/foo.py"]),
        ("see http://a.example/archive/x.tar.\ngz) and", ["http://a.example/archive/x.tar.gz"]),
        ("See http://a.example/foo- \nbar.html and more\n", ["http://a.example/foo-bar.html"]),
    ],
    "a URL goes on behind any host": [
        (f"{head}some-long-\nname/README.html\n\n", [f"{head}some-long-name/README.html"])
        for head in ("file:///usr/", "http://joe:pw@a.example/", "http://müller.example/", "http://[::1]/")
    ],
}  # fmt: skip
"""By rule: a text, and its URLs."""
ROWS = [
    pytest.param(*row, id=f"{rule}: {ascii(row[0])[1:50]}") for rule, rows in TEXTS.items() for row in rows
]


@pytest.mark.parametrize(("text", "urls"), ROWS)
def test_text_has_these_urls(text: str, urls: list[str]) -> None:
    """A title after a URL is not glued on, nor is text between a "<" and some later ">"."""
    assert [found.url for found in extract(text)] == urls
    assert [found.url for found in extract(list(text))] == urls


@pytest.mark.parametrize(("text", "form"), [
    ("<URL:http://a.example>", Form.URL_WRAPPER),
    ("<http://a.example>", Form.ANGLE),
    ('"http://a.example"', Form.QUOTED),
    ('"http://a.example is"', Form.BARE),
    ("URL:http://a.example", Form.PREFIXED),
    ("http://a.example", Form.BARE),
    ("www.a.example", Form.ABBREVIATED),
    ("<URL:www.a.example>", Form.ABBREVIATED),
])  # fmt: skip
def test_form_is_that_of_the_delimiters(text: str, form: Form) -> None:
    (found,) = extract(text)
    assert found.form is form


@pytest.mark.parametrize(("text", "url", "other"), [
    ("http://a.example/1234에서 보세요", "http://a.example/1234", "http://a.example/1234에서"),
    ("http://a.example/newsをご覧ください", "http://a.example/news", "http://a.example/newsをご覧ください"),
    ("http://a.example/Login利用確認は、", "http://a.example/Login", "http://a.example/Login利用確認は"),
    ("http://a.example/x?id=5입니다.", "http://a.example/x?id=5", "http://a.example/x?id=5입니다"),
    ("http://a.example/?c=ffСсылка", "http://a.example/?c=ff", "http://a.example/?c=ffСсылка"),
    ("www.a.example.com/x를", "http://www.a.example.com/x", "http://www.a.example.com/x를"),
    ("www.a.comおよびwww.b.com", "http://www.a.com", "http://www.a.comおよびwww.b.com"),
    ("http://a.example/C言語 x", "http://a.example/C言語", "http://a.example/C"),
    ("http://a.example/Tシャツ x", "http://a.example/Tシャツ", "http://a.example/T"),
    ("http://a.example/😀 x", "http://a.example/😀", "http://a.example/"),
    ("http://a.example/x✅ok", "http://a.example/x", "http://a.example/x✅ok"),
    ("http://a.example/?ok=✓", "http://a.example/?ok=✓", None),
    ("http://a.example/wiki/日本語 x", "http://a.example/wiki/日本語", None),
    ("http://a.example/?q=東京を", "http://a.example/?q=東京を", None),
    ("http://a.example/a日/b", "http://a.example/a日/b", None),
    ("http://a.example/caféx", "http://a.example/caféx", None),
    ("http://a.example/Привет", "http://a.example/Привет", None),
    ("<http://a.example/news를>", "http://a.example/news를", None),
])  # fmt: skip
def test_word_glued_to_a_url_is_another_reading(text: str, url: str, other: str | None) -> None:
    found = next(extract(text))
    assert found.url == url
    assert [a.url for a in found.alternatives if "glued" in a.reason] == ([other] if other else [])
    is_unsure = "glued-after" in [defect.code for defect in found.defects]
    assert is_unsure == (other is not None and len(other) < len(url) and url[len(other)].isalpha())


def test_scheme_any_accepts_unregistered_schemes() -> None:
    assert [f.url for f in extract("foo://bar/baz", schemes={"any"})] == ["foo://bar/baz"]
    text = "www.://y www.http://a.example/"
    found = [f.url for f in examine(text, schemes={"any"}) if isinstance(f, Found)]
    assert [f.url for f in extract(text, schemes={"any"})] == found
    assert all(not url.startswith("www.") for url in found)


def test_span_line_and_column_are_those_of_the_text() -> None:
    text = "see <URL: http://a.example/\nb> and URL:http://c.example."
    first, second = extract(text)
    assert first.span.of(text) == "<URL: http://a.example/\nb>"
    assert [piece.of(text) for piece in first.pieces] == ["http://a.example/", "b"]
    assert (first.line, first.column, second.line, second.column) == (1, 5, 2, 8)
    assert second.span.of(text) == "URL:http://c.example"


@pytest.mark.parametrize(("text", "url", "others"), [
    ("<http://a.example/x y/z>", "http://a.example/xy/z", ["http://a.example/x%20y/z", "http://a.example/x"]),
    ("&lt;http://a.example/a&amp;b c&gt;", "http://a.example/a&bc",
     ["http://a.example/a&b%20c", "http://a.example/a&b"]),
    ("> <http://a.example/x/\n> y/ z>", "http://a.example/x/y/z", ["http://a.example/x/y/"]),
    ("<http://a.example/x The Foo Page>", "http://a.example/x", ["http://a.example/xTheFooPage"]),
    ("<URL:http://a.example/x/ y/z>", "http://a.example/x/y/z", []),
    ("get ftp.funet.fi:/pub/README now", "ftp://ftp.funet.fi", ["ftp://ftp.funet.fi/pub/README"]),
    ("http://a.example/é", "http://a.example/é", ["http://a.example/%C3%A9"]),
    ("http://a.example/?x=1&amp;y=2 z", "http://a.example/?x=1&amp;y=2", ["http://a.example/?x=1&y=2"]),
    ("<http://a.example/?x=1&amp;y=2>", "http://a.example/?x=1&amp;y=2", ["http://a.example/?x=1&y=2"]),
    ("https://exam\u200bple.com and", "https://exam", ["https://example.com"]),
    ("<https://a.example/x|y> and", "https://a.example/x", ["https://a.example/x|y"]),
    ("<a href=http://a.example/?x=1&amp;y=2-\nzz1.html>", "http://a.example/?x=1&y=2-zz1.html",
     ["http://a.example/?x=1&y=2zz1.html", "http://a.example/?x=1&y=2-"]),
    ("<https://a.example/core\u2010\n   utils/x>", "https://a.example/coreutils/x",
     []),
])  # fmt: skip
def test_other_readings_are_alternatives(text: str, url: str, others: list[str]) -> None:
    (found,) = extract(text)
    assert (found.url, [other.url for other in found.alternatives]) == (url, others)


@pytest.mark.parametrize(("text", "url", "defect"), [
    ("<http://a.example/b\n\nc>", "http://a.example/b", "unclosed"),
    (b"http://a.example/Gr\xf6\xdfe\x94 x".decode("utf-8", "surrogateescape"), "http://a.example/Größe",
     "undecodable bytes"),
])  # fmt: skip
def test_what_was_not_whole_has_a_defect(text: str, url: str, defect: str) -> None:
    (found,) = extract(text)
    assert (found.url, words(found.defects)) == (url, (defect,))


@pytest.mark.parametrize(("text", "reason"), [
    ("<http://a.example/x The Foo Page>", "words after the URL"),
    ("<warning: long>", 'no scheme that stands in brackets without "//"'),
    ("<std::string>", '"::" is no URL'),
    ("foo://bar", "not a registered scheme"),
    ("<http://a.example/b\n\n", "never closed"),
    ("<http://a.example/b. And>", "a sentence goes on inside"),
    ("http:///x", 'no host after "//"'),
    ("news:one", 'what follows does not have the shape of "news:"'),
    ("www.one", "no host of three labels"),
    ("Tel:555", '"Tel:" is a label'),
])  # fmt: skip
def test_rejection_has_its_reason(text: str, reason: str) -> None:
    assert reason in [r.reason for r in examine(text) if not hasattr(r, "url")]


@pytest.mark.parametrize(("text", "urls"), [
    (r'{"url":"https:\/\/a.example\/b?c=1\u0026d=2","n":1}', ["https://a.example/b?c=1&d=2"]),
    (r"See http:\/\/www.a.example\/b, or \"http:\/\/b.example\/\".",
     ["http://www.a.example/b", "http://b.example/"]),
    (r'"http:\/\/a.example\/b\nhttp:\/\/c.example:80\/"', ["http://a.example/b", "http://c.example:80/"]),
    (r"s/http:\/\/a.example\/b/c/", ["http://a.example/b"]),
    # escapes of a pattern, and of nothing
    (r"s/http:\/\/www\.a\.example\/b/c/ http:\/x http:\/\/", []),
])  # fmt: skip
def test_json_escapes_are_decoded_with_a_repair(text: str, urls: list[str]) -> None:
    records = list(extract(text))
    assert [found.url for found in records] == urls
    assert all(words(found.repairs) == ("decoded escapes",) for found in records)
    assert all(found.inner.of(text) == found.raw for found in records)
    assert list(extract(list(text))) == records


@pytest.mark.parametrize(("text", "urls"), [
    (r".URL \(lahttp://a.example/b\-c/d\_e#f\-g\(ra", ["http://a.example/b-c/d_e#f-g"]),
    (r"deb https://a\-b\&.example/debian\&.html\&. X", ["https://a-b.example/debian.html"]),
    (r"\fIhttp://www.a.example/\:2001/\:b\-c\fP and http://b.example/\~joe.",
     ["http://www.a.example/2001/b-c", "http://b.example/~joe"]),
    (r"\href{http://a.example/b\_c\#d}{x}, **https://b.example/c\_d\_**",
     ["http://a.example/b_c#d", "https://b.example/c_d_"]),
    (r"see www.a.example/c\_d, mailto:joe\_x@a.example (http://a.example/x\-y)",
     ["http://www.a.example/c_d", "mailto:joe_x@a.example", "http://a.example/x-y"]),
    (r'{"a":"see \u003chttps://a.example/?b=1\u0026c=2\u003e, \u0022http://b.example/x\u0022"}',
     ["https://a.example/?b=1&c=2", "http://b.example/x"]),
    (r"_http://a.example/b\_c_ 'http://b.example/c\-d'", ["http://a.example/b_c", "http://b.example/c-d"]),
])  # fmt: skip
def test_backslash_escapes_are_decoded_with_a_repair(text: str, urls: list[str]) -> None:
    records = list(extract(text))
    assert [found.url for found in records] == urls
    assert all(("decoded escapes" in words(found.repairs)) == ("\\" in found.raw) for found in records)
    assert all(found.span.of(text) == found.raw for found in records)
    assert list(extract(list(text))) == records
    assert without_contexts(found for found in examine(text) if isinstance(found, Found)) == records


@pytest.mark.parametrize(("text", "url"), [
    (r"file:///c\_d", r"file:///c\_d"),
    (r"<http://a.example/b\_c>", r"http://a.example/b\_c"),  # inside brackets nothing is decoded
    (r"http://a.example/b\nc\_d", "http://a.example/b"),
    (r"http://a.example/b\- c", "http://a.example/b"),
    (r"http://a.example/b\(c) d", "http://a.example/b"),
    (r"http://a.example/b\(tic", "http://a.example/b"),
    (r"(http://a.example/b\)", "http://a.example/b"),
])  # fmt: skip
def test_other_backslash_ends_the_url_or_stays(text: str, url: str) -> None:
    (found,) = extract(text)
    assert (found.url, words(found.repairs)) == (url, ())


def test_registered_name_in_brackets_is_taken_if_asked_for() -> None:
    text = "<lpa:?xt=urn:btih:abc> <dav:x> <xsl:template>"
    assert not list(extract(text))  # "urn:" goes on with a URI
    assert [found.url for found in extract(text, schemes=["lpa"])] == ["lpa:?xt=urn:btih:abc"]
    assert [found.url for found in extract(text, schemes=["any"])] == ["lpa:?xt=urn:btih:abc", "dav:x"]


def test_rejection_names_the_option_that_would_accept_it() -> None:
    hints = {result.raw: result.hint for result in examine("foo://bar <dav:x> <xsl:template>")}
    assert hints == {
        "foo://": "--scheme any takes unregistered schemes",
        "<dav:": "--scheme any takes registered schemes in brackets",
        "<xsl:": None,
    }
    (broken,) = [r for r in examine("<mailto:a@b.\nexample>", join="none") if r.form is Form.ANGLE]
    assert (broken.reason, broken.hint) == ("broken over lines", "--join delimited joins it")
