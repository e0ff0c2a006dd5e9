"""Dates of messages: years as software of all times has written them, and careless fields."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlextract import extract_message, extract_source
from urlextract.dates import moment_of_field, utc_of_field

# RFC 5322, section 4.3, but that there was no mail from 1950 to 1968. Four digits with a zero are from
# programs that filled the other forms.
YEARS = [
    ("00", 2000), ("02", 2002), ("49", 2049), ("69", 1969),
    ("99", 1999),
    ("099", 1999), ("100", 2000), ("102", 2002), ("126", 2026), ("199", 2099),
    ("0100", 2000), ("0102", 2002), ("0126", 2026), ("0199", 2099),
    ("0000", 2000), ("0002", 2002), ("0049", 2049), ("0099", 1999),
    ("1969", 1969), ("1994", 1994), ("2002", 2002), ("2050", 2050), ("2068", 2068),
]  # fmt: skip
SHAPES = [
    "Sat, 12 Oct {} 10:00:00 GMT",
    "12 Oct {} 10:00 GMT",
    "12 oct {} 10:00:00 +0000 (UTC)",
    "Sat,12 Oct {} 10:00:00 -0000",
    "Sat, 12 October {} 10:00:00",
    "Saturday, 12-Oct-{} 10:00:00 GMT",
    "Sat Oct 12 10:00:00 {}",
    "Sat Oct 12 10:00:00 GMT {}",
    "Sat Oct 12 10:00:00 +0000 {}",
    "Sat, Oct 12, {} 10:00:00",
    "Sat, 12 Oct {} 10.00.00",
    "Sat (Saturday), 12 (twelve) Oct {} (the year) 10:00:00 GMT",
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("year", "meant"), YEARS)
def test_year_of_any_number_of_digits_is_the_one_meant(shape: str, year: str, meant: int) -> None:
    assert utc_of_field(shape.format(year)) == f"{meant}-10-12T10:00:00Z"


FIELDS = [
    ("Tue, 12 Oct 2002 10:00:00 GMT", "2002-10-12T10:00:00Z"),  # it was a Saturday
    ("Sat, 12 Oct 102 10:00:00 EST", "2002-10-12T15:00:00Z"),
    ("Sat, 12 Oct 102 10:00:00-0500", "2002-10-12T15:00:00Z"),
    ("Sat, 12 Oct 102 10:00:00 XYZ", "2002-10-12T10:00:00Z"),
    ("Thu, 31 Dec 98 23:59:60 GMT", "1998-12-31T23:59:59Z"),
    ("Wed, 12 Jan 2005 08:08:12 +0100 (CET)x", "2005-01-12T07:08:12Z"),
    ("Wed, 12 Jan 105 08:08:12 (local time) +0100", "2005-01-12T07:08:12Z"),
    ("Wed,(a day)12 Jan 2005 08:08:12 +0100", "2005-01-12T07:08:12Z"),
    ("Sat,\r\n 12 Oct 102\r\n 10:00:00 GMT", "2002-10-12T10:00:00Z"),
    ("12 Oct 5 10:00 GMT", "2005-10-12T10:00:00Z"),
    ("12 Oct 20 20:50 +2050", "2020-10-12T00:00:00Z"),
    ("12 Oct 2002", "2002-10-12T00:00:00Z"),
    ("Sat, 12 Oct 02", "2002-10-12T00:00:00Z"),
    ("31 Feb 102 10:00:00 GMT", None),
    ("12 Oct 99999 10:00:00 GMT", None),
    ("12 Oct", None), ("102", None), ("Oct 102", None), ("(", None), ("\0", None),
    *((f"{year}-10-12T10:00:00Z", f"{year}-10-12T10:00:00Z") for year in ("0102", "0002", "2050")),  # ISO
]  # fmt: skip


@pytest.mark.parametrize(("field", "moment"), FIELDS)
def test_careless_date_is_read_as_far_as_it_can_be(field: str, moment: str | None) -> None:
    assert utc_of_field(field) == moment


def test_origin_and_choice_see_the_same_year() -> None:
    data = b"Date: Sat, 12 Oct 0102 10:00:00 GMT\nSubject: x\n\nhttp://a.example/\n"
    (found,) = extract_message(data, since="2002-10-12", until="2002-10-12")
    assert found.date == "2002-10-12T10:00:00Z"
    assert list(extract_message(data, until="2002-10-11")) == []
    assert list(extract_source(io.BytesIO(data), since="2002-10-13")) == []


PIECES = [*", -()\\T\n\u0662", "Sat", "12", "Oct", "102", "0102", "10:00", ":60", "+9999"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_no_field_raises(field: str) -> None:
    assert utc_of_field(field) is None or moment_of_field(field)
