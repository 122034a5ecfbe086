"""What is said where the chosen model does not read samples, and the place where one that does is offered."""

from typing import Any

from dash import html
from dash.development.base_component import Component

from app.api.schemas.catalogue import ModelInfo
from app.dashboard.components.panel import message

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
    """Title and message of what model_choice.js says of a model in place of samples; None where it reads them."""
    return None if model.samples else {"title": TITLE, "detail": str(DoesNotReadSamples(model))}


def reader(**attributes: Any) -> Component:
    """The place where model_choice.js offers a model that reads the samples of the page, for one click."""
    return html.Span(className="reader", **{"data-widget": "reader"}, **attributes)


def unread(error: DoesNotReadSamples) -> Component:
    """What stands in place of what the model would have made of a sample."""
    return message(TITLE, str(error), reader(), role="status", class_name="unread")
