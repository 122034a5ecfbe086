"""Message if the chosen model does not read samples, with a model that does."""

from collections.abc import Mapping
from typing import Any

from dash import html
from dash.development.base_component import Component

from routescope_app.api.schemas.catalogue import Kind, ModelInfo
from routescope_app.dashboard.components.panel import message

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


class DoesNotReadKind(ValueError):
    """The chosen model reads samples of another kind; the message says of which, to people."""

    def __init__(self, model: ModelInfo, inputs: str, kinds: Mapping[str, Kind]) -> None:
        taken, given = (kinds[name].words if name in kinds else name for name in (model.inputs, inputs))
        super().__init__(f"{model.id} reads samples that are each {taken}; this one is {given}.")
        self.inputs = inputs


def check_reads_samples(model: ModelInfo) -> None:
    """Raise DoesNotReadSamples for a model that reads something else."""
    if not model.samples:
        raise DoesNotReadSamples(model)


def check_reads_kind(model: ModelInfo, inputs: str, kinds: Mapping[str, Kind]) -> None:
    """Raise DoesNotReadKind for a model that reads another kind of input than this."""
    if model.inputs != inputs:
        raise DoesNotReadKind(model, inputs, kinds)


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


def unread(error: DoesNotReadSamples | DoesNotReadKind) -> Component:
    """Return the message shown instead of the model's result for a sample."""
    wanted = error.inputs if isinstance(error, DoesNotReadKind) else None
    return message(TITLE, str(error), reader(wanted), role="status", class_name="unread")
