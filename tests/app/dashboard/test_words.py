"""Words that follow the model, before the page has filled them in, and which model is there to begin with."""

import json

import pytest

from routescope_app.api.schemas.catalogue import Accuracy, ModelInfo
from routescope_app.dashboard.components.words import labelled, neutral, words
from routescope_app.dashboard.frame import by_error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Click a {unit} to", "Click a unit to"),
        ("{Passes}", "Iterations"),
        ("All {units} on, stopped after so many {passes}", "All units on, stopped after so many iterations"),
    ],
)
def test_words_are_neutral_until_a_model_is_chosen(text: str, said: str) -> None:
    assert neutral(text) == said == words(text).children
    with pytest.raises(KeyError):
        neutral("{thing}")


def test_the_page_is_told_the_words_of_every_field() -> None:
    span = words("other {units}", compatibility="functions", messages="modules").to_plotly_json()["props"]
    assert span["children"] == "other units" and span["data-widget"] == "words"
    document = json.loads(span["data-texts"])
    assert list(document.items()) == [("compatibility", "functions"), ("messages", "modules"), ("", "other {units}")]
    assert labelled("{Units}")["aria-label"] == "Units" and labelled("x")["data-names"] == "true"


def test_the_model_to_begin_with_is_the_one_that_errs_least() -> None:
    def model(name: str, *accuracies: float) -> ModelInfo:
        card = [
            Accuracy(domain="d", accuracy=accuracy, low=0, high=1, count=9, data="d", stand_in=False)
            for accuracy in accuracies
        ]
        return ModelInfo(
            id=name, family="F", architecture="f", parameters=1, revision="0", data=[], accuracies=card, units=["f1"],
            steps=["i1"], tokens=[], grid=(0, 0), domains=["d"], labels=["0"], fields=[],
        )  # fmt: skip

    models = [model("a"), model("b", 0.9, 0.7), model("c", 0.81), model("d", 0.8)]
    assert [member.id for member in by_error(models)] == ["c", "b", "d", "a"]
