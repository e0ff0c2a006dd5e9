"""The types of the schemes, and what their standards say of them.

>>> from urlextract import parse_url
>>> from urlextract.urls import FtpUrl, SCHEMES
>>> isinstance(parse_url("ftp://a.example/b"), FtpUrl), SCHEMES["ftp"].port
(True, 21)
"""

from urlextract.grammar.registry import SCHEMES as SCHEMES
from urlextract.grammar.registry import Scheme as Scheme
from urlextract.schemes.ldap import LdapExtension as LdapExtension
from urlextract.schemes.ldap import LdapUrl as LdapUrl
from urlextract.schemes.local import AboutUrl as AboutUrl
from urlextract.schemes.local import AfsUrl as AfsUrl
from urlextract.schemes.local import FileUrl as FileUrl
from urlextract.schemes.local import InfoUrl as InfoUrl
from urlextract.schemes.local import ManUrl as ManUrl
from urlextract.schemes.local import WhatisUrl as WhatisUrl
from urlextract.schemes.messages import CidUrl as CidUrl
from urlextract.schemes.messages import MailtoUrl as MailtoUrl
from urlextract.schemes.messages import MidUrl as MidUrl
from urlextract.schemes.messages import NewsUrl as NewsUrl
from urlextract.schemes.messages import NntpUrl as NntpUrl
from urlextract.schemes.rfc1738 import FtpUrl as FtpUrl
from urlextract.schemes.rfc1738 import GopherUrl as GopherUrl
from urlextract.schemes.rfc1738 import HttpUrl as HttpUrl
from urlextract.schemes.rfc1738 import ProsperoUrl as ProsperoUrl
from urlextract.schemes.rfc1738 import TelnetUrl as TelnetUrl
from urlextract.schemes.rfc1738 import WaisUrl as WaisUrl
from urlextract.schemes.urn import UrnUrl as UrnUrl

globals()["__all__"] = [name for name in dir() if not name.startswith("_")]  # checkers read the imports
