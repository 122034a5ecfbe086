"""A circuit whose accuracy is known for every set of modules and links: readers tell a speaker what they have read.

Module k of the readers m1 to mK reads whether the label is k. The last module, the speaker, reads nothing; the read-out
listens to it alone. A sample of label k is labelled right exactly where reader and speaker take part, neither is muted,
their link is there, and at least one layer runs. Links are given as a table.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from routescope.nn.circuit.links import cut_smallest
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.network import LinkedNetwork
from tests.core.routing.toys import PATCHES, ToyConfig, probes

#: What every sample says for the label after its own; less than what a speaker hears of a reader.
WRONG = 0.01
LAYERS = 2


ToyCircuitProbes = probes(
    {"read_in": None, "messages": "layer", "read_out": None, "confidence": None},
    read_in="sample unit token",
    messages="sample unit sender",
    states="sample unit feature",
    contributions="unit sample feature",
    read_out="sample readout unit",
    confidence="sample readout",
)


class ToyCircuit(LinkedNetwork):
    """Readers and a speaker.

    Args:
        links: (unit, unit), symmetric, from 0 to 1, with 1 on the diagonal; one unit more than there are labels.
    """

    kinds: ClassVar = (Pictures,)
    id, revision, most_iterations, prior_graph = "toy-circuit", "0" * 16, LAYERS, None
    config: ToyConfig

    def __init__(self, links: Tensor | Sequence[Sequence[float]]) -> None:
        super().__init__()
        self.P = nn.Parameter(torch.as_tensor(links, dtype=torch.float32), requires_grad=False)
        self.config = ToyConfig(iterations=LAYERS, classes=len(self.P) - 1)
        self.probes: Any = ToyCircuitProbes()
        self.keep_all()
        self.keep_edges = 1.0
        self.eval()

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"m{u + 1}" for u in range(len(self.P)))

    def step_names(self, iterations: int) -> tuple[str, ...]:
        return ("read-in", *(f"l{i + 1}" for i in range(iterations)))

    def along(self, axis: str, iterations: int) -> tuple[str, ...]:
        return self.step_names(iterations)[axis == "layer" :]

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(f"patch:0,{c}" for c in range(PATCHES))

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        return super().coordinates() | {"sender": self.all_units, "readout": ("o1",)}

    def constants(self) -> dict[str, tuple[tuple[str, ...], Tensor]]:
        kept, muted = ([u in part for u in range(len(self.P))] for part in (self.kept, self.silent))
        return {
            "kept": (("unit",), torch.tensor(kept)),
            "muted": (("unit",), torch.tensor(muted)),
            "link_probability": (("unit", "sender"), self.P),
        }

    def example(self, batch: int) -> Pictures:
        return Pictures(torch.zeros(batch, self.config.image_channels, self.config.image_size, self.config.image_size))

    def link_probability(self) -> Tensor:
        kept = list(self.kept)
        return cut_smallest(self.P[kept][:, kept].log(), self.keep_edges).exp()

    def link_probability_of_all(self) -> Tensor:
        return self.P

    def cut(self, keep_edges: float) -> Self:
        return self.with_changes(keep_edges=keep_edges)

    def forward(self, inputs: Tensor | Pictures, iterations: int | None = None) -> Tensor:
        """Logits (B, D, classes)."""
        images = inputs.values if isinstance(inputs, Pictures) else inputs
        K, kept, probes = self.config.classes, list(self.kept), self.probes
        evidence = (images[:, 0, 0, :K] > 0.5).float()  # one-hot
        theta = torch.cat((torch.diag_embed(evidence), evidence.new_zeros(len(images), 1, K)), dim=1)[:, kept]
        probes.read_in(theta.new_full((*theta.shape[:2], PATCHES), 1 / PATCHES), step=0)
        probes.states(theta, step=0)
        P = self.link_probability()
        sounding = torch.tensor([float(u not in self.silent) for u in kept])
        W = (P / P.sum(dim=1, keepdim=True) * sounding).expand(len(images), -1, -1)
        layers = LAYERS if iterations is None else iterations
        for layer in range(layers):
            sent = probes.contributions(theta.transpose(0, 1), step=layer).transpose(0, 1)
            theta = probes.states(theta + probes.messages(W, step=layer) @ sent, step=layer + 1)
        sent = probes.contributions(theta.transpose(0, 1), step=layers).transpose(0, 1)
        listened = torch.tensor([float(u == K and u not in self.silent) for u in kept])
        read_out = probes.read_out(listened.expand(len(images), 1, -1), step=0)
        probes.confidence(evidence.new_ones(len(images), 1), step=0)
        logits = (read_out @ sent)[:, 0] + WRONG * evidence.roll(1, dims=-1)
        return logits[:, None].expand(-1, len(self.config.domains), -1)


def star(labels: int = 4, spoken: Sequence[float] | None = None, among: float = 0.1) -> ToyCircuit:
    """Each reader is linked to the speaker, more and more weakly, and to the other readers still more weakly."""
    strengths = [0.9 - 0.1 * k for k in range(labels)] if spoken is None else list(spoken)
    links = torch.full((labels + 1, labels + 1), among)
    links[-1, :-1] = links[:-1, -1] = torch.tensor(strengths)
    return ToyCircuit(links.fill_diagonal_(1.0))
