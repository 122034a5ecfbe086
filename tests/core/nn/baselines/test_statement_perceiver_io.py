"""The Perceiver IO of statements against the literal one, on pictures and words as one set."""

from typing import Any

import pytest
import torch
from torch import Tensor

from routescope.nn.baselines.perceiver_io import StatementPerceiverIO, StatementPerceiverIOConfig
from tests.core.nn.baselines.test_perceiver_io import literal_weights
from tests.core.nn.conditionals import SENTENCES, SIZES, perceiver, picture_tokens, statements, texts_of
from tests.oracles.mapping import listening
from tests.oracles.perceiver_io import perceiver_io

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
SAME: dict[str, Any] = {**SIZES, "code_features": SIZES["features"]}


def config(**changes: Any) -> StatementPerceiverIOConfig:
    return StatementPerceiverIOConfig(**{**SAME, **changes})


def circuit_weights(model: StatementPerceiverIO) -> dict[str, Tensor]:
    """The parameters after the inputs, under the names of the literal version."""

    class Executor:
        config, processor, readout = model.config, model.processor, model.readout

        @staticmethod
        def named_parameters() -> list[tuple[str, Tensor]]:
            inputs = ("pictures.", "text.", "words.")
            return [(n, p) for n, p in model.named_parameters() if not n.startswith(inputs)]

        @staticmethod
        def parameters() -> list[Tensor]:
            return [p for _, p in Executor.named_parameters()]

    return literal_weights(Executor())  # type: ignore[arg-type]


@pytest.mark.parametrize("changes", [{}, {"pictures": 3, "image_size": 3, "most_pieces": 6}])
@torch.no_grad()
def test_it_equals_a_literal_perceiver_io_on_each_sample_alone(changes: dict[str, Any]) -> None:
    model = perceiver(config(**changes))
    inputs = statements(model, (*SENTENCES, SENTENCES[0]))
    with listening(model, "states", "read_in") as heard:
        found = model(inputs)[:, 0]
    own, weights = dict(model.named_parameters()), circuit_weights(model)
    pictures, texts = picture_tokens(model, inputs.images), texts_of(model, inputs.sentences)
    places = model.config.pictures * pictures.shape[2]
    for b, text in enumerate(texts):
        seen = torch.cat([tokens + own["pictures.picture"][p] for p, tokens in enumerate(pictures[b])])
        words = text @ own["words.weight"].T + own["words.bias"]
        latents, outputs = perceiver_io(weights, torch.cat((seen, words))[None], 3, (2, 2, 3))
        torch.testing.assert_close(heard["states"][3][b], latents[0], **CLOSE)
        shares = torch.softmax(outputs[0] @ own["confidence.weight"][0] + own["confidence.bias"], dim=-1)
        logits = (shares @ outputs[0]) @ own["logits.weight"].T + own["logits.bias"]
        torch.testing.assert_close(found[b], logits, **CLOSE)
        assert not heard["read_in"][0][b, :, places + len(text) :].any(), "places without a word are not read"
    assert heard["read_in"][0].shape[2] == len(model.tokens) == places + model.config.most_pieces


@pytest.mark.parametrize("sees", ["pictures", "sentence"])
@torch.no_grad()
def test_what_is_not_seen_changes_nothing(sees: str) -> None:
    model = perceiver(config(sees=sees))
    inputs = statements(model, SENTENCES[:3])
    words, pictures = statements(model, SENTENCES[3:6]), statements(model, SENTENCES[:3], seed=1)
    same, changed = (words, pictures) if sees == "pictures" else (pictures, words)
    assert torch.equal(model(same), model(inputs))
    assert not torch.allclose(model(changed), model(inputs))


def test_gradients_reach_every_parameter() -> None:
    model = perceiver(config()).train()
    model(statements(model, SENTENCES[:5])).square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any() or name == "confidence.bias", name
        assert not name.endswith(("W_c", "alpha", "signatures"))
