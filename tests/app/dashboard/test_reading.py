"""What the dashboard says of a model that does not read samples, and which pages want one that does."""

import json

import pytest

from routescope_app.api.schemas.catalogue import Inputs, ModelInfo
from routescope_app.dashboard import PAGES
from routescope_app.dashboard.errors import described
from routescope_app.dashboard.reading import DoesNotReadSamples, check_reads_samples, refused, unread


def model(inputs: Inputs, samples: bool) -> ModelInfo:
    return ModelInfo(
        id="made-up", family="", architecture="", parameters=1, inputs=inputs, samples=samples, revision="abc", data=[],
        accuracies=[], units=[], steps=[], tokens=[], grid=(2, 2), domains=[], labels=[], fields=[],
    )  # fmt: skip


def test_pages_that_show_samples_say_so() -> None:
    assert {page.key for page in PAGES if page.samples} == {"home", "samples", "paths", "types", "observe"}
    assert all("images" in page.inputs for page in PAGES if page.samples)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [("blocks", "blocks of numbers"), ("statements", "sentences"), ("images", "another kind")],
)
def test_a_model_that_reads_something_else_is_refused_in_words(inputs: Inputs, words: str) -> None:
    check_reads_samples(model("images", samples=True))
    assert refused(model("images", samples=True)) is None
    with pytest.raises(DoesNotReadSamples, match=f"made-up reads .*{words}.*single picture") as error:
        check_reads_samples(model(inputs, samples=False))
    title, detail = described(error.value)
    assert refused(model(inputs, samples=False)) == {"title": title, "detail": detail}
    shown = json.dumps(unread(error.value), default=lambda part: part.to_plotly_json())
    assert title in shown and detail in shown and '"data-widget": "reader"' in shown
    assert "POST" not in shown and "/api" not in shown
