"""What an intervention does is said in the words of the model's own family."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.dashboard.pages.drop.page import SENTENCES
from app.services.interventions import words_of
from core.routing import KINDS
from tests.core.routing.small import ABLATABLE, small

#: A word of a family, and the fields of which one is recorded by every model of the family.
OF_FAMILIES = {
    "compatibilit": {"compatibility"},
    "expert": {"router_logits"},
    "attention": {"messages"},
    "messages": {"messages"},
    "codes": {"messages"},
    "multiplexer": {"multiplexer_weights"},
    "weights are renormalised": {"multiplexer_weights"},
}


def page_words(kind: str, fields: set[str]) -> str:
    """The sentence of Drop for a model with these fields, as ``choose`` of lib/words.js finds it."""
    texts = SENTENCES[kind]
    return texts[next(key for key in texts if not key or key in fields)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", ABLATABLE)
def test_no_model_is_told_what_dropping_does_to_another_family(architecture: str, kind: str) -> None:
    model: Any = small(architecture)
    fields = {*model.fields, *model.constants()}
    info: Any = SimpleNamespace(
        fields=sorted(model.fields), constants=list(model.constants()), inputs=model.inputs.kind, units=model.all_units
    )
    for words in (words_of(info)[kind], page_words(kind, fields)):
        for word, recorded in OF_FAMILIES.items():
            assert word not in words.lower() or recorded & fields, (architecture, words)
