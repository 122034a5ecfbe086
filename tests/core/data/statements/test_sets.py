"""Generated statements: true or false as they say, in quadruples that neither words nor pictures alone decide."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError, known_datasets, load
from routescope.data.statements.draws import draw_quadruple
from routescope.data.statements.grammar import KINDS, meanings_of
from routescope.data.statements.lessons import LESSONS
from routescope.data.statements.scenes import Scene, draw
from routescope.data.statements.sets import StatementSet, quadruples
from tests.core.data.statements.statement_oracle import truth


@pytest.fixture(scope="module")
def drawn() -> StatementSet:
    return quadruples(np.random.default_rng(11), 240)


def test_every_label_is_what_a_literal_reading_finds(drawn: StatementSet) -> None:
    for sentence, scene, label in zip(drawn.sentences, drawn.scenes, drawn.labels.tolist(), strict=True):
        assert truth(sentence, scene) == bool(label), (sentence, scene)


@given(st.integers(0, 2**32), st.sampled_from(KINDS))
@settings(max_examples=150, deadline=None)
def test_any_quadruple_is_true_and_false_as_it_says_and_clear(seed: int, kind: str) -> None:
    quadruple = draw_quadruple(Random(seed), kind)
    for statement, right in ((quadruple.first, 0), (quadruple.second, 1)):
        assert statement.kind == kind
        assert meanings_of(statement.text) == statement.meaning
        for place, scene in enumerate(quadruple.scenes):
            assert truth(statement.text, scene) == statement.meaning.holds(scene) == (place == right)
            assert statement.meaning.clear(scene)


def test_a_quadruple_is_two_statements_of_two_pairs(drawn: StatementSet) -> None:
    """So every sentence and every picture comes as often with true as with false: neither alone tells the answer."""
    for start in range(0, len(drawn), 4):
        four = drawn.take(slice(start, start + 4))
        assert four.sentences[0] == four.sentences[2] != four.sentences[1] == four.sentences[3]
        assert four.scenes[0] == four.scenes[1] != four.scenes[2] == four.scenes[3]
        assert four.labels.tolist() == [1, 0, 0, 1]
        assert len(set(four.kind.tolist())) == 1
        for images, scene in zip(four.images, four.scenes, strict=True):
            assert np.array_equal(images.numpy(), draw(scene))


def test_kinds_are_equally_frequent_and_about_a_third_of_the_statements_name_one_picture() -> None:
    data = quadruples(Random(5), 600)
    assert torch.bincount(data.kind).tolist() == [400] * 6
    named = sum("left picture" in said.lower() or "right picture" in said.lower() for said in data.sentences)
    assert 0.22 < named / len(data) < 0.42


def test_numbers_from_one_to_six_are_said_in_words_and_digits() -> None:
    data = quadruples(Random(6), 300, KINDS[:1])
    words = Counter(word for sentence in data.sentences for word in sentence.lower().split())
    for word in ("one", "two", "three", "four", "five", "six", *"123456"):
        assert words[word] > len(data) / 60
    assert max(len(sentence) for sentence in data.sentences) < 90


def test_often_only_their_places_make_a_spatial_statement_false() -> None:
    found = [draw_quadruple(Random(seed), KINDS[5]) for seed in range(200)]
    there = [next(q.first.meaning.pairs(q.scenes[1]), None) is not None for q in found]
    assert np.mean(there) > 0.33


@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons_are_quadruples_too(lesson: str) -> None:
    data = quadruples(Random(2), 40, lesson=lesson)
    assert {data.kinds[kind] for kind in data.kind.tolist()} == {LESSONS[lesson]}
    for sentence, scene, label in zip(data.sentences, data.scenes, data.labels.tolist(), strict=True):
        assert truth(sentence, scene) == bool(label), (sentence, scene)
        assert Scene.from_dict(scene.to_dict()) == scene
    told = Counter(zip(data.sentences, data.labels.tolist(), strict=True))
    assert all(told[sentence, 0] == told[sentence, 1] for sentence in data.sentences)


def test_the_same_state_draws_the_same_and_another_one_something_else() -> None:
    first, again, other = (quadruples(np.random.default_rng((3, step)), 8) for step in (0, 0, 1))
    assert first.hashes == again.hashes
    assert first.sentences == again.sentences
    assert torch.equal(first.images, again.images)
    assert not set(first.hashes) & set(other.hashes)
    some = quadruples(Random(1), 7, KINDS[1:3])
    assert {some.kinds[kind] for kind in some.kind.tolist()} == set(KINDS[1:3])


@pytest.mark.parametrize(
    ("count", "options", "said"),
    [
        (0, {}, "above 0"),
        (True, {}, "above 0"),
        (2.0, {}, "above 0"),
        (2, {"kinds": ()}, "hard"),
        (2, {"kinds": ("odd",)}, "hard"),
        (1, {"lesson": "size"}, "colour and shape"),
    ],
)
def test_what_cannot_be_drawn_is_refused(count: int, options: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        quadruples(Random(0), count, **options)


def test_a_split_is_made_anew_for_each_caller_and_of_any_side_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    first, again = (load("scenes", "test", limit=40) for _ in range(2))
    assert first.classes == ("false", "true")
    assert torch.equal(first.images, again.images) and first.images.data_ptr() != again.images.data_ptr()
    assert load("scenes", "test", limit=8, side=24).images.shape == (8, 2, 3, 24, 24)
    monkeypatch.setitem(known_datasets()["scenes"].splits, "test", 40)
    assert len(load("scenes", "test", limit=42)) == 42, "more than the usual size"


def test_splits_share_no_picture() -> None:
    train, validation, test = (
        set(load("scenes", split, limit=200).scenes) for split in ("train", "validation", "test")
    )
    assert not train & validation and not train & test and not validation & test
