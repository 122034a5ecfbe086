"""Message if the chosen model does not read samples, with a model that does."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.api.schemas.catalogue import ModelInfo

TITLE = "This model does not read samples"
#: By the inputs of a model that does not read samples.
READS = {
    "images": "pictures or sequences of another kind",
    "statements": "sentences about several pictures",
    "blocks": "blocks of numbers",
}


class DoesNotReadSamples(ValueError):
    """The chosen model reads something else; the message says what, to people."""

    def __init__(self, model: ModelInfo) -> None:
        super().__init__(f"{model.id} reads {READS.get(model.inputs, model.inputs)}; a sample is a single picture.")


def check_reads_samples(model: ModelInfo) -> None:
    """Raise DoesNotReadSamples for a model that reads something else."""
    if not model.samples:
        raise DoesNotReadSamples(model)


def refused(model: ModelInfo) -> dict[str, str] | None:
    """Title and message of what lib/models.js says of a model in place of samples; None where it reads them."""
    return None if model.samples else {"title": TITLE, "detail": str(DoesNotReadSamples(model))}


def reader(inputs: str | None = None, **attributes: Any) -> Component:
    """The place where lib/models.js offers a model that reads the samples of the page, for one click.

    Args:
        inputs: the kind of input that it is to read; None: pictures, as the page shows them.
        attributes: further attributes of the element.
    """
    kind = {"data-inputs": inputs} if inputs else {}
    return html.Span(className="reader", **{"data-widget": "reader"} | kind, **attributes)
