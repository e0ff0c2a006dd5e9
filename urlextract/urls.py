"""The types of the schemes, and what their standards say of them.

>>> from urlextract import parse_url
>>> from urlextract.urls import FtpUrl, SCHEMES
>>> isinstance(parse_url("ftp://a.example/b"), FtpUrl), SCHEMES["ftp"].port
(True, 21)
"""

from urlextract.grammar.registry import SCHEMES as SCHEMES
from urlextract.grammar.registry import Scheme as Scheme
from urlextract.schemes.schemes import AboutUrl as AboutUrl
from urlextract.schemes.schemes import AfsUrl as AfsUrl
from urlextract.schemes.schemes import CidUrl as CidUrl
from urlextract.schemes.schemes import FileUrl as FileUrl
from urlextract.schemes.schemes import FtpUrl as FtpUrl
from urlextract.schemes.schemes import GopherUrl as GopherUrl
from urlextract.schemes.schemes import HttpUrl as HttpUrl
from urlextract.schemes.schemes import InfoUrl as InfoUrl
from urlextract.schemes.schemes import LdapUrl as LdapUrl
from urlextract.schemes.schemes import MailtoUrl as MailtoUrl
from urlextract.schemes.schemes import ManUrl as ManUrl
from urlextract.schemes.schemes import MidUrl as MidUrl
from urlextract.schemes.schemes import NewsUrl as NewsUrl
from urlextract.schemes.schemes import NntpUrl as NntpUrl
from urlextract.schemes.schemes import ProsperoUrl as ProsperoUrl
from urlextract.schemes.schemes import TelnetUrl as TelnetUrl
from urlextract.schemes.schemes import UrnUrl as UrnUrl
from urlextract.schemes.schemes import WaisUrl as WaisUrl
from urlextract.schemes.schemes import WhatisUrl as WhatisUrl

globals()["__all__"] = [name for name in dir() if not name.startswith("_")]  # checkers read the imports
