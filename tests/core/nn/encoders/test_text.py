"""The words' encoder: what sentences are read as, and what depends on what."""

import string

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.nn.encoders.choice import text_encoder
from routescope.nn.encoders.text import UNKNOWN, WordEncoder, vocabulary_size
from tests.core.nn.circuits import randomised
from tests.core.nn.conditionals import SENTENCES, WORDS, config
from tests.oracles import conditional_circuit as oracle

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
ALPHABET = "abdeirst. ,'7üé☃-RC\t"


def encoder(**changes: object) -> WordEncoder:
    """With random weights, in double precision."""
    found = randomised(text_encoder(config(**changes)))
    assert isinstance(found, WordEncoder)
    return found


def test_whole_words_and_punctuation_are_known_and_spelled_ones_are_not() -> None:
    text = encoder()
    assert text.pieces("There IS a\tcircle.") == [(w, True) for w in ("there", "is", "a", "circle", ".")]
    assert text.pieces("reddish") == [("red", False), *((f"##{c}", False) for c in "dish")], "its beginning is known"
    assert text.pieces("x + ☃ “a”?") == [("x", False), ("+", False), ("☃", False)] + [(p, True) for p in "“a”?"]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([*WORDS, *SENTENCES]) | st.text(ALPHABET, max_size=12), max_size=6), st.integers(1, 30))
def test_pieces_equal_the_literal_ones(parts: list[str], most: int) -> None:
    text, sentence = encoder(most_pieces=most), " ".join(parts)
    wanted = oracle.pieces(WORDS, sentence)
    found = text.pieces(sentence)
    assert len(found) == min(len(wanted), most - 1)
    assert text.count(sentence) == len(oracle.ids(WORDS, sentence, 10_000)) == 1 + len(wanted)
    for (piece, known), literal in zip(found, wanted, strict=False):
        assert piece == literal or (literal == UNKNOWN and piece in sentence.lower() and not known)
    assert text.ids(sentence) == oracle.ids(WORDS, sentence, most)
    assert text.ids(sentence) is text.ids(sentence), "each sentence is cut into pieces once"
    assert all(known <= (piece in WORDS or piece in string.punctuation) for piece, known in found)


@given(st.lists(st.sampled_from(["red", "a", "#", "[PAD]", "blue", "##s"]), max_size=8).map(tuple))
def test_every_piece_has_a_number_of_its_own(words: tuple[str, ...]) -> None:
    assert vocabulary_size(words) == len(
        {*words, "[PAD]", "[START]", "[UNK]", *oracle.SPELLING} | {f"##{c}" for c in oracle.SPELLING}
    )


def test_a_sentence_that_is_too_long_is_cut_off() -> None:
    text = encoder(most_pieces=5)
    long = "There is a red circle and more"
    assert [piece for piece, _ in text.pieces(long)] == ["there", "is", "a", "red"]
    assert len(text.ids(long)) == 5
    assert [text.count(each) for each in (long, "a red circle is", "a b-c", "")] == [13, 5, 5, 1]
    x, there = text((long, "There is a red square", "there is a red"))
    assert x.shape == (3, 5, 6)
    assert there.all()
    assert text.ids(long) == text.ids("There is a red square") == text.ids("there is a red")
    torch.testing.assert_close(x, x[:1].expand(3, -1, -1), **CLOSE)
    assert text(("a",))[0].shape[1] == 2


@settings(deadline=None, max_examples=15)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), st.sampled_from([1, 4, 20]), st.booleans())
def test_features_equal_the_equations(sentences: list[str], most: int, gradients: bool) -> None:
    """With gradients torch computes layer by layer, without them in one piece."""
    text = encoder(most_pieces=most)
    w = {f"text.{name}": parameter for name, parameter in text.named_parameters()}
    with torch.set_grad_enabled(gradients):
        x, there = text(sentences)
        pooled = text.pooled(sentences)
    for at, sentence in enumerate(sentences):
        wanted = oracle.words_features(w, oracle.ids(WORDS, sentence, most), 3)
        torch.testing.assert_close(x[at, there[at]], wanted, **CLOSE)
        assert int(there[at].sum()) == len(wanted)
        torch.testing.assert_close(pooled[at], wanted.mean(dim=0), **CLOSE)
