"""What to print of what is found."""

from typing import NamedTuple

__all__ = ["Wanted"]


class Wanted(NamedTuple):
    """The command's options that say what to print, and how.

    Without ``jobs`` as many processes read as there is use for.
    """

    as_json: bool = False
    unique: bool = False
    counts: bool = False
    quiet: bool = False
    null: bool = False
    with_filename: bool = False
    message_id: bool = False
    line_number: bool = False
    max_count: int | None = None
    output: str | None = None
    kind: str = "auto"
    raw: bool = False
    explain: bool = False
    parse: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    follow: bool = False
    files_from: str | None = None
    from0: bool = False
    jobs: int | None = None
    state: str | None = None

    @property
    def urls_alone(self) -> bool:
        """Whether nothing but URLs is printed."""
        named = self.with_filename or self.message_id or self.line_number
        return not (self.as_json or self.raw or self.explain or named)

    def rest(self, written: int) -> int | None:
        """Give how many results may still be printed, None for any number."""
        return None if self.max_count is None else self.max_count - written

    def count_line(self, source: str, count: int, *, is_alone: bool) -> str:
        """Give the line for the number of URLs in a source, which has its name where it is not alone."""
        return str(count) if is_alone and not self.with_filename else f"{source}:{count}"
