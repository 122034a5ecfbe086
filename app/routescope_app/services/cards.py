"""Model cards: the Markdown beside a checkpoint, as HTML."""

from typing import Any

from markdown_it import MarkdownIt

from routescope import zoo
from routescope.nn.adapters.exploring import NotAdaptable
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import NotAccepted, NotFound, named_sentence

#: Characters of a model's card that are shown; the rest is left out.
MAX_CHARACTERS = 100_000

#: HTML in a card is text, and what would lead or fetch from elsewhere stays as it is written.
UNUSED = ("link", "image", "autolink", "reference")
DEEPEST = 6  # of headings


class Cards:
    """Cards of models, up to ``MAX_CHARACTERS`` of each."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def card(self, model_id: str) -> dict[str, Any]:
        """Model, revision, HTML and whether the card is complete; raises NotFound and NotAccepted."""
        info = self._inference.info(model_id)
        most = MAX_CHARACTERS
        try:
            text = zoo.read_card(model_id, most + 1)
        except NotAdaptable as error:
            raise NotAccepted(f"The card of this model cannot be read: {named_sentence(error)}") from error
        if text is None:
            raise NotFound(f"{model_id} has no card: there is no README.md beside its checkpoint.")
        return {
            "model": info.id,
            "revision": info.revision,
            "html": as_html(text[:most]),
            "complete": len(text) <= most,
        }


def as_html(text: str) -> str:
    """Markdown as HTML: tables, lists, emphasis; headings move one level down, below those of the page."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable(list(UNUSED))
    tokens = reader.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(DEEPEST, int(token.tag[1:]) + 1)}"
    rendered: str = reader.renderer.render(tokens, reader.options, {})
    return rendered
