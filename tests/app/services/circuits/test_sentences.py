"""Sentences that people type."""

import pytest

from routescope import zoo
from routescope_app.services.circuits.sentences import (
    check_pieces,
    clean_sentence,
    clean_sentences,
    text_of,
    unknown_words,
)
from routescope_app.services.errors import NotAccepted
from tests.app.serving import STATEMENTS


@pytest.mark.parametrize(
    ("sentence", "unknown"),
    [
        ("There is a red circle.", []),
        ("THERE is a Red, circle", []),
        ("There is a purple circle", ["purple"]),
        ("a wug, another wug and a caf\u00e9", ["wug", "another", "and", "caf\u00e9"]),
        ("there can't be a \U0001f98a", ["can't", "be"]),
        ("x" * 90 + " circle", ["x" * 90]),
        ("...", []),
    ],
)
def test_unknown_words_are_said_as_they_were_typed(sentence: str, unknown: list[str]) -> None:
    assert unknown_words(text_of(zoo.load(STATEMENTS)), sentence) == unknown


@pytest.mark.parametrize(("sentence", "fits"), [("wug " * 13, True), ("wug " * 13 + "a", False), ("a " * 39, True)])
def test_a_sentence_is_read_to_its_end_or_refused(sentence: str, fits: bool) -> None:
    """One piece for the start and each known word, and one for each letter of others."""
    text = text_of(zoo.load(STATEMENTS))
    assert text.most == 40
    if fits:
        check_pieces(text, [sentence])
        return
    with pytest.raises(NotAccepted, match="up to 40 pieces .* has 41; .* letter by letter"):
        check_pieces(text, ["There is a star", sentence])


def test_a_sentence_is_cleaned() -> None:
    assert clean_sentence(" a\u00a0 cafe\u0301  ", 11) == "a caf\u00e9"
    for bad in ("", " ", "a\tb", "a\u200eb", "a\ud800b", "a" * 10):
        with pytest.raises(NotAccepted):
            clean_sentence(bad, 9)
    with pytest.raises(NotAccepted, match="2"):
        clean_sentences(["a"] * 3, 9, 2)
