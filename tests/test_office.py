"""Of Office's XML (ECMA-376) only links are read: external targets, the text of each paragraph as one."""

import io

import pytest
from costs import LINEAR, growth
from packing import zip_of
from sampled import mostly_slow

from urlextract import extract_source
from urlextract.sources.formats.office import page_of

OF = "http://schemas.openxmlformats.org"
STRICT = "http://purl.oclc.org/ooxml"
W = f'<?xml version="1.0" encoding="UTF-8"?>\n<w:document xmlns:w="{OF}/wordprocessingml/2006/main">'
A = f'<p:sld xmlns:a="{OF}/drawingml/2006/main" xmlns:p="{OF}/presentationml/2006/main">'
X = f'<sst xmlns="{OF}/spreadsheetml/2006/main">'
RELS = f'<?xml version="1.0"?><Relationships xmlns="{OF}/package/2006/relationships">'
TYPE = f'Type="{OF}/officeDocument/2006/relationships/hyperlink"'


def named(name, data, size=1 << 16):
    """Return a stream with a name, which is read in pieces."""
    stream = io.BytesIO(data)
    stream.name = name
    stream.read1 = lambda _: stream.read(size)
    return stream


LINK = f'<Relationship Id="1" {TYPE} Target="http://a.example/?b=1&amp;c"'
OTHER = W.replace("<w:", "<ns0:").replace(":w=", ":ns0=")
OTHER_RELS = RELS.replace("<R", "<ns0:R").replace("xmlns", "xmlns:ns0")
ONE = ["http://a.example/"]
FIELD = "<w:p><w:t>a</w:t><w:fldSimple w:dirty='0' w:instr="
CHOICE = (
    "<mc:AlternateContent><mc:Choice Requires='a'><w:p><w:t>{}</w:t></w:p></mc:Choice><mc:Fallback>"
    "<mc:AlternateContent><mc:Fallback/></mc:AlternateContent><w:p><w:t>{}</w:t></w:p></mc:Fallback>"
    "</mc:AlternateContent>"
)
PARTS = [
    # relationships: the targets that are external
    (".rels", f'{RELS}{LINK} TargetMode="External"/>', ["http://a.example/?b=1&c"]),
    (".rels", f"{RELS}<Relationship\n TargetMode = 'External'\n Target = 'mailto:a@b.example' {TYPE}/>",
     ["mailto:a@b.example"]),
    (".rels", f"{RELS}{LINK}/>", []),
    (".rels", f'{RELS}{LINK} TargetMode="Internal"/>', []),
    (".rels", f'{OTHER_RELS}<ns0:{LINK[1:]} TargetMode="External"/>', ["http://a.example/?b=1&c"]),
    # paragraphs, of runs
    ("xml", f"{W}<w:p><w:r><w:t>http://a.ex</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ample/</w:t></w:r></w:p>",
     ONE),
    ("xml", f"{W}<w:p><w:r><w:t>http://a.example/</w:t></w:r></w:p><w:p><w:r><w:t>there</w:t></w:r></w:p>",
     ONE),
    ("xml", f"{W}<w:p><w:t>http://a.example/</w:t><w:br/><w:t>there</w:t><w:tab/><w:t>b</w:t></w:p>", ONE),
    ("xml", f"{W}<w:p><w:t>http://a.example/long-</w:t><w:br/><w:t>path/index.html</w:t></w:p>",
     ["http://a.example/long-"]),
    ("xml", f'{W}<w:p><w:t xml:space="preserve">see &lt;http://a.example/?b=1&amp;c=&#50;&gt; </w:t></w:p>',
     ["http://a.example/?b=1&c=2"]),
    ("xml", f'{W}<w:p><w:instrText> HYPERLINK "http://a.example/" </w:instrText><w:t>there</w:t></w:p>', ONE),
    ("xml", f"{W}<w:p><w:del><w:delText>http://a.example/old</w:delText></w:del><w:t>new</w:t></w:p>", []),
    ("xml", f'{W}<w:p w:rsid="http://b.example/"><w:t/>http://c.example/<w:t>http://a.example/</w:t></w:p>',
     ONE),
    ("xml", f'{W}<w:p><w:t>\u4e2d http://a.</w:t><a:b xmlns:a="{OF}/a" r:id="b://c"/><w:t>example/</w:t>',
     ONE),
    ("xml", W.replace(OF, STRICT) + "<w:p><w:t>http://a.</w:t><w:t>example/</w:t></w:p>", ONE),
    ("xml", f"{OTHER}<ns0:p><ns0:t>http://a.</ns0:t><ns0:t>example/</ns0:t></ns0:p>", ONE),
    ("xml", f"\ufeff<!-- a --><?b c?>\n{A}<a:p><a:t>http://a.</a:t><a:t>example/</a:t></a:p><a:p>b", ONE),
    # strings, formulas and values of cells, and comments
    ("xml", f"{X}<si><r><t>http://a.</t></r><r><rPr><b/></rPr><t>example/</t></r></si><si><t>b", ONE),
    ("xml", f"{X}<si><t>http://a.example/</t><rPh><t>b</t></rPh></si>", ONE),
    ("xml", f'{X}<c><f>HYPERLINK("http://a.example/?b=1&amp;c","d")</f><v>d</v></c>', ["http://a.example/?b=1&c"]),
    ("xml", f"{X}<c><f>http://a.example/</f><v>d</v></c>", ONE),
    ("xml", f"{X}<c><v>http://a.example/</v></c><c><v>0</v></c>", ONE),
    ("xml", f'{X}<c t="inlineStr"><is><t>http://a.example/</t></is></c><c><v>0</v></c>', ONE),
    ("xml", f"{X}<comment><text><r><t>http://a.example/</t></r></text></comment><comment><text>b", ONE),
    ("xml", f"{X}<style a='b'><c><v>http://a.example/</v></c>", ONE),
    # fields, what is there in place of another, headers and footers of sheets, properties, sources
    ("xml", f"{W}{FIELD}' HYPERLINK &quot;http://a.example/&quot; '><w:t>there</w:t></w:fldSimple>", ONE),
    ("xml", f"{W}{FIELD}\"HYPERLINK 'http://a.example/'\"><w:t>there</w:t></w:fldSimple></w:p>", ONE),
    ("xml", f"{W}{CHOICE.format('http://a.example/', 'http://b.example/')}<w:p><w:t>c", ONE),
    ("xml", f"{W}{CHOICE.format('http://a.example/', CHOICE.format('b', 'http://b.example/'))}<w:p>", ONE),
    ("xml", f"{W}{CHOICE.format('a', 'b')}<w:p><w:t>http://a.example/</w:t></w:p>", ONE),
    ("xml", f"{W}<mc:AlternateContent><mc:Fallback><w:t>http://a.example/</w:t></mc:Fallback>", ONE),
    ("xml", f"{X}<oddHeader>&amp;Lhttp://a.example/</oddHeader><evenFooter>http://b.example/</evenFooter>",
     [*ONE, "http://b.example/"]),
    ("xml", f"{X}<oddFooter>http://a.example/?b&amp;&amp;c&amp;P</oddFooter>", ["http://a.example/?b&&c"]),
    ("xml", f"<cp:p xmlns:cp='{OF}/a'><dc:title>a</dc:title><dc:description>http://a.example/</dc:description>",
     ONE),
    ("xml", f"<Properties xmlns='{OF}/a'><vt:lpwstr>http://a.example/</vt:lpwstr><vt:lpwstr>b</vt:lpwstr>",
     ONE),
    ("xml", f"<b:Sources xmlns:b='{OF}/a'><b:URL>http://a.example/</b:URL><b:URL>b</b:URL>", ONE),
    # what is no part of Office
    ("xml", f"<feed><p>http://a.example/ of &lt;x xmlns:w='{OF}/x'></p><y z='http://b.example/'/></feed>",
     ["http://a.example/", f"{OF}/x", "http://b.example/"]),
    ("xml", f"<t><x xmlns='{OF}/x'/>http://a.example/</t>", ONE),
]  # fmt: skip


@pytest.mark.parametrize(("ending", "markup", "urls"), PARTS)
def test_links_of_a_part(ending, markup, urls):
    data = markup.encode()
    for size in (1, 5, 1 << 16):
        found = list(extract_source(named(f"part.{ending}", data, size)))
        assert [each.url for each in found] == urls
        for each in found:  # all places are those of the part itself
            assert each.inner.of(markup.lstrip("\ufeff")) == each.raw
            if markup.isascii():
                assert each.byte == each.start
            assert each.line == 1 + markup.count("\n", 0, each.start)


@pytest.mark.parametrize(("mark", "text"), [
    ("<w:noBreakHyphen/>", "-"), ("<w:noBreakHyphen></w:noBreakHyphen>", "-"), ("<w:softHyphen/>", ""),
])  # fmt: skip
def test_hyphen_that_is_an_element_is_in_the_text(mark, text):
    """ECMA-376, part 1, sections 17.3.3.18 and 17.3.3.29."""
    part = (
        f"{W}<w:p><w:r><w:t>http://a.example/tide</w:t>{mark}<w:t>tables http://b.example/</w:t></w:r></w:p>"
    )
    found = list(extract_source(named("part.xml", part.encode())))
    assert [each.url for each in found] == [f"http://a.example/tide{text}tables", "http://b.example/"]
    assert [each.byte for each in found] == [part.index("http://a.ex"), part.index("http://b.ex")]


def test_document_with_three_links_has_three_results():
    link = '<Relationship Id="{0}" {1} Target="http://{0}.example/" TargetMode="External"/>'
    parts = {
        "word/document.xml": f"{W}<w:p/></w:document>",
        "word/_rels/document.xml.rels": RELS + "".join(link.format(name, TYPE) for name in "abc"),
        "[Content_Types].xml": f'<Types xmlns="{OF}/package/2006/content-types"></Types>',
        "_rels/.rels": f'{RELS}<Relationship {TYPE} Target="word/document.xml"/></Relationships>',
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="{OF}/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>a</dc:title></cp:coreProperties>',
        "xl/drawings/vmlDrawing1.vml": '<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape id="a"/></xml>',
        "word/media/image1.png": "\x89PNG\0\0",
    }  # fmt: skip
    stream = io.BytesIO(zip_of({name: part.encode() for name, part in parts.items()}))
    assert [found.url for found in extract_source(stream)] == [f"http://{name}.example/" for name in "abc"]


def test_a_tag_without_an_end_is_not_held():
    blocks = (b"<a " + b"x" * 65_000 for _ in range(50))
    assert max(len(piece) for piece in page_of(blocks)) < 1 << 18


HOSTILE = [
    "<", "<w:t>", "&#1;", "<w:t", "<!--", "xmlns:w=", "<w:p><w:t>http://a.example/</w:t></w:p>", "<?", "<a b",
]  # fmt: skip


@pytest.mark.parametrize("piece", mostly_slow(HOSTILE, quick=3))
@pytest.mark.parametrize("begin", [W, RELS, "<?xml version='1.0'?>"], ids=["part", "rels", "other"])
def test_time_is_in_proportion_to_the_length(piece, begin):
    def read(data):
        return list(extract_source(named("part.xml", data.encode()), on_damage=print))

    assert growth(read, lambda size: begin + piece * (size // len(piece)), 60_000, 240_000) < LINEAR
