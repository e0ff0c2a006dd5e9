# The public names: `__init__.py` reads this table when a name is first used, type checkers at all times.

from urlextract.errors import SourceError as SourceError
from urlextract.errors import UrlExtractError as UrlExtractError
from urlextract.errors import UrlSyntaxError as UrlSyntaxError
from urlextract.formatter.printing import format_url as format_url
from urlextract.formatter.texts.mending import mend as mend
from urlextract.formatter.texts.replacing import replace_urls as replace_urls
from urlextract.formatter.texts.rewrapping import rewrap as rewrap
from urlextract.grammar.defanged import defang as defang
from urlextract.grammar.defanged import refang as refang
from urlextract.index.indexing import index_sources as index_sources
from urlextract.pipeline.entry import examine as examine
from urlextract.pipeline.entry import extract as extract
from urlextract.pipeline.entry import extract_html as extract_html
from urlextract.pipeline.entry import extract_message as extract_message
from urlextract.pipeline.entry import extract_source as extract_source
from urlextract.pipeline.entry import read_messages as read_messages
from urlextract.pipeline.entry import read_texts as read_texts
from urlextract.pipeline.feeding import Extractor as Extractor
from urlextract.pipeline.feeding import MessageExtractor as MessageExtractor
from urlextract.records import Span as Span
from urlextract.results import Found as Found
from urlextract.results import Message as Message
from urlextract.results import PartText as PartText
from urlextract.results import Rejection as Rejection
from urlextract.schemes.gateways import Unwrapped as Unwrapped
from urlextract.schemes.gateways import unwrap as unwrap
from urlextract.schemes.url import Url as Url
from urlextract.schemes.url import parse_url as parse_url

__version__: str
