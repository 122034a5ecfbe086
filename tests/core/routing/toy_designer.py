"""Networks whose circuits are known for every sentence: for designs, their maps and how far groups lie apart."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit.links import log_link_probability
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.network import DesignedNetwork

KINDS = ("hard cardinality", "soft cardinality", "existential (singular)")
OBJECTS = ("circle", "square", "star", "cross")
WORDS = ("there", "is", "are", "a", "exactly", "many", "two", "three", "circle", "square", "star", "cross")


def table(repeats: int = 10) -> pd.DataFrame:
    """As many sentences of every kind about every object, in an order that says nothing."""
    rows = [
        (f"{kind} {thing} {number}", kind, thing) for kind in KINDS for thing in OBJECTS for number in range(repeats)
    ]
    order = np.random.default_rng(3).permutation(len(rows))
    return pd.DataFrame([rows[position] for position in order], columns=["text", "kind", "object"])


def drawn(name: str, size: int) -> np.ndarray:
    """Numbers that a name stands for."""
    return np.random.default_rng(list(name.encode())).standard_normal(size)


def by_kind(sentence: str) -> str:
    """What decides the circuit of ``KindDesigner``."""
    return next(kind for kind in KINDS if sentence.startswith(kind))


class ToyDesigner(DesignedNetwork):
    """Signatures and codes are drawn for what ``decides`` makes of a sentence; the text encoder is told the object.

    Args:
        decides: from a sentence to what its circuit depends on.
        spread: how much further each sentence's own circuit and embedding differ.
    """

    id, revision, d = "toy-designer", "0" * 16, 5

    def __init__(self, decides: Callable[[str], str] = by_kind, spread: float = 0.0, modules: int = 6) -> None:
        super().__init__()
        self.decides, self.spread, self.modules = decides, spread, modules
        pieces = lambda sentence: [(piece, piece in WORDS) for piece in sentence.split()]  # noqa: E731
        self.text: Any = SimpleNamespace(pieces=pieces, pooled=self._pooled)
        self.batches: list[tuple[str, ...]] = []

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"m{u + 1}" for u in range(self.modules))

    units = all_units

    def _numbers(self, sentence: str, of: str, size: int) -> np.ndarray:
        return drawn(f"{self.decides(sentence)} {of}", size) + self.spread * drawn(f"{sentence} {of}", size)

    def design(self, sentences: Sequence[str]) -> Any:
        self.batches.append(tuple(sentences))
        size, made = self.modules * self.d, {}
        for of in ("signatures", "codes"):
            rows = np.stack([self._numbers(item, of, size) for item in sentences])
            made[of] = torch.tensor(rows).float().unflatten(1, (self.modules, self.d))
        return SimpleNamespace(**made)

    def link_probability(self, design: Any) -> Tensor:
        return log_link_probability(design.signatures, design.signatures, 1.0).exp()

    def _pooled(self, sentences: Sequence[str]) -> Tensor:
        rows = [drawn(item.split()[-2], self.d) + 0.1 * drawn(item, self.d) for item in sentences]
        return torch.tensor(np.stack(rows)).float()


TINY: dict[str, Any] = {
    "features": 12,
    "code_features": 12,
    "signature_features": 4,
    "modules": 10,
    "readouts": 2,
    "layers": 2,
    "heads": 2,
    "head_features": 4,
    "ffn_hidden": 8,
    "readin_head_features": 6,
    "readout_head_features": 6,
    "position_features": 4,
    "image_size": 48,
    "words": WORDS,
    "text_features": 8,
    "text_heads": 2,
    "generator_features": 8,
    "generator_heads": 2,
    "generator_hidden": 16,
}


def tiny_designer(seed: int = 0) -> ConditionalNeuralAttentiveCircuit:
    """An untrained conditional circuit whose circuits differ clearly from sentence to sentence."""
    torch.manual_seed(seed)
    model = ConditionalNeuralAttentiveCircuit(ConditionalCircuitConfig(**TINY)).eval()
    with torch.no_grad():
        for parameter in model.generator.parameters():
            if parameter.dim() > 1:
                parameter.mul_(3)
    model.id, model.revision = "tiny-designer", "1" * 16
    return model.requires_grad_(False)
