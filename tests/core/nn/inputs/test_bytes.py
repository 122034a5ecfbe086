"""Texts as raw bytes: what is read, cut nowhere, and refused."""

import pytest

from routescope.nn.inputs.bytes import MOST_BYTES, Bytes
from routescope.nn.inputs.kind import NotFromWriting


def test_a_text_becomes_its_bytes_and_comes_back() -> None:
    for text in ("A fine film.", "Voilà\n— très bon", "x" * MOST_BYTES):
        found = Bytes.from_writing(text)
        assert bytes(found.symbols(0)) == text.encode()
        assert found.as_written() == text
    assert Bytes.from_writing("é\n!").texts()[0] == ("\\xc3", "\\xa9", "\n", "!")
    assert Bytes.from_writing("one\ntwo").table().rows == ((1, "one"), (2, "two"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("x" * (MOST_BYTES + 1), "4,001 bytes; up to 4,000"),
        ("é" * 2001, "4,002 bytes"),
        ("x" * 10_000_000, "10,000,000 bytes; up to 4,000 are accepted"),
    ],
)
def test_what_is_no_text_or_too_long_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(NotFromWriting, match=said):
        Bytes.from_writing(text)
