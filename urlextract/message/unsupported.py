"""Parts that hold text which is not read here, and the programs that read it."""

from __future__ import annotations

__all__ = ["UNREADABLE", "advice_for"]

UNREADABLE = frozenset(
    ("application/ms-tnef", "application/vnd.ms-tnef", "application/pkcs7-mime", "application/x-pkcs7-mime")
)


def advice_for(kind: str, smime_type: str) -> str | None:
    """Return what a part is and which program reads it; None if it holds no text at all.

    ``smime_type`` is the parameter of that name (RFC 8551, section 3.2.2), in lower case.

    >>> advice_for("application/ms-tnef", "")
    "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    """
    if "tnef" in kind:
        return "TNEF (winmail.dat) is not read: unpack it with 'tnef'"
    if smime_type == "certs-only":
        return None
    if smime_type == "signed-data":
        return "opaque S/MIME is not read: take it out with 'openssl cms -verify -noverify'"
    return "encrypted S/MIME is not read: 'openssl cms -decrypt' does that"
