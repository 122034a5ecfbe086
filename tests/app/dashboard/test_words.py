"""Words that follow the model, before the page has filled them in."""

import json

import pytest

from routescope_app.dashboard.components.words import labelled, neutral, words


def test_words_are_neutral_until_a_model_is_chosen() -> None:
    for text, said in (
        ("Click a {unit} to", "Click a unit to"),
        ("{Passes}", "Iterations"),
        ("All {units} on, stopped after so many {passes}", "All units on, stopped after so many iterations"),
    ):
        assert neutral(text) == said == words(text).children
    with pytest.raises(KeyError):
        neutral("{thing}")


def test_the_page_is_told_the_words_of_every_field() -> None:
    span = words("other {units}", compatibility="functions", messages="modules").to_plotly_json()["props"]
    assert span["children"] == "other units" and span["data-widget"] == "words"
    document = json.loads(span["data-texts"])
    assert list(document.items()) == [("compatibility", "functions"), ("messages", "modules"), ("", "other {units}")]
    assert labelled("{Units}")["aria-label"] == "Units" and labelled("x")["data-names"] == "true"
