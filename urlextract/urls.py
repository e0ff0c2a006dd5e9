"""URLs as values: the types of the schemes, and what their standards say of them.

>>> from urlextract import parse_url
>>> from urlextract.urls import FtpUrl, SCHEMES
>>> isinstance(parse_url("ftp://a.example/b"), FtpUrl), SCHEMES["ftp"].port
(True, 21)
"""

from __future__ import annotations

from urlextract.grammar.registry import SCHEMES, Scheme
from urlextract.schemes.ldap import LdapExtension, LdapUrl
from urlextract.schemes.local import AboutUrl, AfsUrl, FileUrl, InfoUrl, ManUrl, WhatisUrl
from urlextract.schemes.messages import CidUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl
from urlextract.schemes.rfc1738 import FtpUrl, GopherUrl, HttpUrl, ProsperoUrl, TelnetUrl, WaisUrl
from urlextract.schemes.url import Url, parse_url, resolve
from urlextract.schemes.urn import UrnUrl

__all__ = [
    "SCHEMES",
    "AboutUrl",
    "AfsUrl",
    "CidUrl",
    "FileUrl",
    "FtpUrl",
    "GopherUrl",
    "HttpUrl",
    "InfoUrl",
    "LdapExtension",
    "LdapUrl",
    "MailtoUrl",
    "ManUrl",
    "MidUrl",
    "NewsUrl",
    "NntpUrl",
    "ProsperoUrl",
    "Scheme",
    "TelnetUrl",
    "Url",
    "UrnUrl",
    "WaisUrl",
    "WhatisUrl",
    "parse_url",
    "resolve",
]
