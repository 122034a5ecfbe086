"""What the dashboard says of a model that does not read samples."""

import pytest

from routescope_app.api.schemas.catalogue import Inputs
from routescope_app.dashboard.errors import described
from routescope_app.dashboard.reading import DoesNotReadSamples, check_reads_samples, refused
from tests.app.dashboard.models import made_up


@pytest.mark.parametrize(
    ("inputs", "words"),
    [("blocks", "blocks of numbers"), ("statements", "sentences"), ("images", "another kind")],
)
def test_a_model_that_reads_something_else_is_refused_in_words(inputs: Inputs, words: str) -> None:
    check_reads_samples(made_up(inputs="images", samples=True))
    assert refused(made_up(inputs="images", samples=True)) is None
    with pytest.raises(DoesNotReadSamples, match=f"made-up reads .*{words}.*single picture") as error:
        check_reads_samples(made_up(inputs=inputs, samples=False))
    title, detail = described(error.value)
    assert refused(made_up(inputs=inputs, samples=False)) == {"title": title, "detail": detail}
