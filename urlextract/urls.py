"""URLs as values: the types of the schemes, and what their standards say of them.

>>> from urlextract import parse_url
>>> from urlextract.urls import FtpUrl, SCHEMES
>>> isinstance(parse_url("ftp://a.example/b"), FtpUrl), SCHEMES["ftp"].port
(True, 21)
"""

from __future__ import annotations

from urlextract.grammar.registry import SCHEMES, Scheme
from urlextract.schemes.schemes import (
    AboutUrl,
    AfsUrl,
    CidUrl,
    FileUrl,
    FtpUrl,
    GopherUrl,
    HttpUrl,
    InfoUrl,
    LdapExtension,
    LdapUrl,
    MailtoUrl,
    ManUrl,
    MidUrl,
    NewsUrl,
    NntpUrl,
    ProsperoUrl,
    TelnetUrl,
    UrnUrl,
    WaisUrl,
    WhatisUrl,
)
from urlextract.schemes.url import Url, parse_url, resolve

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
