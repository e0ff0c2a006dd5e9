"""Letters that look alike: Unicode Technical Standard 39, section 4, for host names.

The letters are those that a domain may contain (RFC 5892) and that look like ASCII letters or digits, from
``confusables.txt`` of Unicode 15.
"""

from __future__ import annotations

_DRAWN_LIKE = {
    "2": "ᒿ",
    "4": "Ꮞ",
    "6": "бᏮ",
    "8": "ȣ৪੪ଃ",
    "9": "৭੧୨൭",
    "a": "ɑαаᎪᗅꓮ",
    "aa": "ꜳ",
    "ae": "æӕ",
    "ao": "ꜵ",
    "au": "ꜷ",
    "av": "ꜹꜻ",
    "ay": "ꜽ",
    "b": "ᏏᏴᑲᖯᗷꓐ",
    "c": "сᏟᴄⲥꓚ",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓ",
    "dz": "ʣ",
    "e": "еҽᎬⴹꓰꬲ",
    "f": "քᖴẝꓝꞙꬵ",
    "g": "ƍɡցᏀᏳᶃꓖ",
    "h": "һհᎻᏂᕼꓧ",
    "i": "ıɩɪιіᎥꙇ",
    "j": "ϳјᎫᒍꓙ",
    "k": "Ꮶꓗ",
    "l": "ӏǀᏞᒪⵏꓡꓲ",
    "ll": "ǁ",
    "ls": "ʪ",
    "lz": "ʫ",
    "m": "Ꮇᗰꓟ",
    "n": "ոռꓠ",
    "o": "οσоօ०০੦૦ଠ୦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿዐᴏᴑⲟⵔ〇ꓳꬽ",
    "oe": "œ",
    "oo": "ꚙꝏ",
    "p": "ρрᏢᑭⲣꓑ",
    "q": "ԛգզⵕ",
    "r": "гᎡᏒᖇᴦⲅꓣꭇꭈ",
    "s": "ƽѕᏕᏚꓢꜱ",
    "t": "Ꭲꓔ",
    "tf": "ꝷ",
    "ts": "ʦ",
    "u": "ʋυսሀᑌᴜꓴꞟꭎꭒ",
    "ue": "ᵫ",
    "uo": "ꭣ",
    "v": "νѵᏙᐯᴠⴸꓦ",
    "w": "ɯѡԝաᎳᏔᴡꓪ",
    "x": "хᕁᕽⵝꓫ",
    "y": "ɣʏγуүყᎩᎽᶌỿꓬꭚ",
    "z": "Ꮓᴢꓜ",
}
_AS_ASCII = {ord(letter): ascii_ for ascii_, letters in _DRAWN_LIKE.items() for letter in letters}
# ASCII characters that look alike in many fonts.
_FOLDED = str.maketrans("01i|", "olll")


def drawn_in_ascii(label: str) -> str | None:
    """Return the ASCII letters that a label of another script looks like, or None.

    >>> drawn_in_ascii("аррӏе"), drawn_in_ascii("bücher"), drawn_in_ascii("почта")
    ('apple', None, None)
    """
    drawn = label.translate(_AS_ASCII)
    if label.isascii() or not drawn.isascii() or any("a" <= letter <= "\u024f" for letter in label):
        return None
    return drawn


def skeleton(name: str) -> str:
    """Return a form of ``name`` that is equal for names that look alike.

    >>> skeleton("PayPa1.example") == skeleton("раураӏ.example")
    True
    """
    drawn = name.lower().translate(_AS_ASCII).translate(_FOLDED)
    return drawn.replace("rn", "m").replace("vv", "w")
