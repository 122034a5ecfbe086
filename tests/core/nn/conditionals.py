"""Small random conditional circuits for tests: configs as a hypothesis strategy, and statements to judge."""

from collections.abc import Sequence
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.baselines.perceiver_io import StatementPerceiverIO, StatementPerceiverIOConfig
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.inputs.statements import Statements
from tests.core.nn import circuits
from tests.core.nn.circuits import layer_by_layer, randomised, settings_of
from tests.oracles import conditional_circuit as oracle
from tests.oracles import neural_attentive_circuit as nac

WORDS = ("there", "is", "a", "red", "circle", "are", "two", "left", "of", ".")
SENTENCES = (
    "There is a red circle.",
    "There are two circles left of a RED circle .",
    "",
    "Is there a red circle?",
    "redish ünknown 7 words, and more of them than are read; far more of them than any network would want",
    "☃",
)
SIZES: dict[str, Any] = {
    **{name: size for name, size in circuits.SIZES.items() if name not in ("input_features", "max_length", "domains")},
    "tokenizer": "patches",
    "image_size": 6,
    "patch_size": 3,
    "pictures": 2,
    "text_features": 6,
    "text_heads": 3,
    "text_layers": 2,
    "words": WORDS,
    "most_pieces": 20,
    "generator_features": 10,
    "generator_heads": 2,
    "generator_hidden": 11,
    "reference": SENTENCES[:2],
    "classes": 2,
}


def config(**changes: Any) -> ConditionalCircuitConfig:
    """A small config in which no two sizes that could be mixed up are equal."""
    return ConditionalCircuitConfig(**{**SIZES, **changes})


@st.composite
def configs(draw: st.DrawFn) -> ConditionalCircuitConfig:
    """Any conditional circuit."""
    text_heads, generator_heads = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    drawn = {
        "image_size": draw(st.sampled_from([3, 6])),
        "pictures": draw(st.integers(1, 3)),
        "text_heads": text_heads,
        "text_features": text_heads * draw(st.integers(2, 3)),
        "text_layers": draw(st.integers(1, 2)),
        "words": draw(st.sampled_from([(), WORDS, ("reddish", "snow", "é")])),
        "most_pieces": draw(st.integers(1, 12)),
        "generator_heads": generator_heads,
        "generator_features": generator_heads * draw(st.integers(1, 4)),
        "generator_hidden": draw(st.integers(1, 9)),
    }
    return config(**{**circuits.executor_sizes(draw), **drawn})


def network(
    settings: ConditionalCircuitConfig, seed: int = 0, dtype: torch.dtype = torch.float64
) -> ConditionalNeuralAttentiveCircuit:
    """A random network in evaluation mode."""
    made = ConditionalNeuralAttentiveCircuit(settings)
    found: ConditionalNeuralAttentiveCircuit = randomised(made, seed).to(dtype)
    return found


def perceiver(settings: StatementPerceiverIOConfig, seed: int = 0) -> StatementPerceiverIO:
    """A random Perceiver IO of statements in evaluation mode."""
    found: StatementPerceiverIO = randomised(StatementPerceiverIO(settings), seed)
    return found


def statements(model: Any, sentences: Sequence[str] = SENTENCES, seed: int = 0) -> Statements:
    """Random pictures under given sentences."""
    c = model.config
    shape = (len(sentences), c.pictures, c.image_channels, c.image_size, c.image_size)
    images = torch.rand(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return Statements(images.to(model.logits.weight.dtype), tuple(sentences))


def picture_tokens(model: Any, images: Tensor) -> Tensor:
    """Each picture's own tokens (B, P, V, C_in), from the network's own tokenizer, one picture after the other."""
    rows = [torch.stack([model.pictures.encoder(picture[None])[0][0] for picture in sample]) for sample in images]
    return torch.stack(rows)


def texts_of(model: Any, sentences: Sequence[str]) -> list[Tensor]:
    """Features of the words of each sentence, as the oracle makes them."""
    c, w = model.config, dict(model.named_parameters())
    return [oracle.words_features(w, oracle.ids(c.words, each, c.most_pieces), c.text_heads) for each in sentences]


def ask_oracle(
    model: ConditionalNeuralAttentiveCircuit, inputs: Statements, texts: list[Tensor] | None = None, **options: Any
) -> tuple[Tensor, list[nac.Trace], list[oracle.Design]]:
    """The oracle with a model's weights; with the words' features unless others are given."""
    c = model.config
    return oracle.conditional_circuit(
        layer_by_layer(dict(model.named_parameters()), c),
        settings_of(c),
        picture_tokens(model, inputs.images),
        texts_of(model, inputs.sentences) if texts is None else texts,
        c.generator_heads,
        c.modules,
        **options,
    )
