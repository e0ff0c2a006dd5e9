"""Stage scanner: text in chunks to candidates, in one pass at the speed of ``re``.

``stream`` holds the buffer and `Scanner`, ``lanes`` the passes over the text.
``places`` reads one place that a pass gave away: ``openers`` looks at what stands
before it, ``wrappers`` and ``endings`` at what a bracket holds, ``running``, ``bare``
and ``runs_on`` at a URL that stands free, ``escaped`` at one in escapes of JSON or of
man pages.
"""

from urlextract.scanner.stream import Scanner

__all__ = ["Scanner"]
