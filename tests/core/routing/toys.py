"""Networks whose routing and drop effects are known without computing: the known answers 1 to 4.

An image says its label in its first row of pixels. The router reads it and gives every token of the sample the same
compatibilities, ``kernel[label, unit]`` over their sum; a unit adds evidence for the label, which after
``ENOUGH`` steps outweighs the wrong guess that every sample starts with. So a sample is labelled right exactly where
compatibilities summed to 1 for so many steps, and a sample that no unit takes is always labelled wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from routescope.data import DatasetInfo
from routescope.data.pictures.sets import PictureSet
from routescope.nn.config import Config
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.network import Network
from routescope.nn.probe import Probe

#: Steps after which a sample is labelled right, when its compatibilities sum to 1.
ENOUGH = 3
GAIN, WRONG = 0.2, 0.5
PATCHES = 4


@dataclass(frozen=True)
class ToyConfig(Config):
    """What the rest of the house reads of a config."""

    domains: tuple[str, ...] = ("toy",)
    iterations: int = ENOUGH
    classes: int = 4
    image_size: int = 32
    image_channels: int = 3
    grid: tuple[int, int] = (1, PATCHES)


def probes(along: Mapping[str, str | None] | None = None, **axes: str) -> type[nn.Module]:
    """A module of probes: the axes of each; and the axis along which it reports, where that is not the step."""

    class Probes(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for name, dims in axes.items():
                setattr(self, name, Probe(name, tuple(dims.split()), (along or {}).get(name, "step")))

    return Probes


ToyProbes = probes(
    compatibility="unit sample token",
    types="sample token type_feature",
    states="sample token feature",
    contributions="unit sample token feature",
)


class Toy(Network):
    """A network with a router that is given as a table.

    Args:
        kernel: (label, unit), not negative: how well each unit matches samples of each label, before
            normalisation. A label whose row is zero is taken by no unit.
    """

    kinds: ClassVar = (Pictures,)
    unit_kind = "function"
    id, revision = "toy", "0" * 16
    config: ToyConfig

    def __init__(self, kernel: Tensor | Sequence[Sequence[float]], domains: tuple[str, ...] = ("toy",)) -> None:
        super().__init__()
        self.kernel = nn.Parameter(torch.as_tensor(kernel, dtype=torch.float32), requires_grad=False)
        self.config = ToyConfig(domains, classes=len(self.kernel))
        self.probes: Any = ToyProbes()
        self.keep_all()
        self.eval()

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(f"f{u + 1}" for u in range(self.kernel.shape[1]))

    def step_names(self, iterations: int) -> tuple[str, ...]:
        return tuple(f"i{i + 1}" for i in range(iterations))

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(f"cls:{d}" for d in self.config.domains) + tuple(f"patch:0,{c}" for c in range(PATCHES))

    def constants(self) -> dict[str, tuple[tuple[str, ...], Tensor]]:
        kept, muted = ([[u in part for u in range(len(self.all_units))]] for part in (self.kept, self.silent))
        return {
            "signatures": (("script", "unit", "type_feature"), F.normalize(self.kernel.T, dim=-1)[None]),
            "sigma": (("script",), torch.ones(1)),
            "kept": (("script", "unit"), torch.tensor(kept)),
            "muted": (("script", "unit"), torch.tensor(muted)),
        }

    def attributes(self) -> dict[str, float | str]:
        return {"tau": 1.0, "residual": "passthrough"}

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        return tuple(u for u in self.kept if u not in self.silent)

    def example(self, batch: int) -> Pictures:
        return Pictures(torch.zeros(batch, self.config.image_channels, self.config.image_size, self.config.image_size))

    def forward(self, inputs: Tensor | Pictures, iterations: int | None = None) -> Tensor:
        """Logits (B, D, classes)."""
        images = inputs.values if isinstance(inputs, Pictures) else inputs
        K, V = self.config.classes, len(self.tokens)
        evidence = (images[:, 0, 0, :K] > 0.5).float()  # one-hot
        matched = (evidence @ self.kernel)[:, list(self.kept)].T  # (kept, B)
        total = matched.sum(dim=0)
        C = torch.where(total > 0, matched / torch.where(total > 0, total, 1.0), 0.0)
        sounding = [position for position, u in enumerate(self.kept) if u not in self.silent]
        C = C[sounding, :, None].expand(-1, -1, V)
        types = evidence[:, None].expand(-1, V, -1)
        x = (WRONG * evidence.roll(1, dims=-1))[:, None].expand(-1, V, -1)
        for step in range(self.config.iterations if iterations is None else iterations):
            self.probes.types(types, step=step)
            compatibility = self.probes.compatibility(C, step=step)
            o = self.probes.contributions(compatibility[..., None] * GAIN * types, step=step)
            x = self.probes.states(x + o.sum(dim=0), step=step)
        return x[:, : len(self.config.domains)]


def uniform(units: int = 4, labels: int = 4, **changes: Any) -> Toy:
    """1. Every unit takes every token, alike: entropy ln M, collapse 0, mutual information 0, equal Shapley values."""
    return Toy(torch.ones(labels, units), **changes)


def one_hot(labels: int = 4, **changes: Any) -> Toy:
    """2. Unit k takes label k alone: mutual information H(K); dropping unit k hurts label k alone."""
    return Toy(torch.eye(labels), **changes)


def duplicated(**changes: Any) -> Toy:
    """3. f1 and f2 are copies and share labels 0 to 2; f3 takes label 3: one copy can go, both cannot."""
    return Toy([[1, 1, 0], [1, 1, 0], [1, 1, 0], [0, 0, 1]], **changes)


def with_dead(**changes: Any) -> Toy:
    """4. f2 is taken by no token: f1 has labels 0 and 1, f3 the others."""
    return Toy([[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]], **changes)


def labelled(labels: Sequence[int] | np.ndarray, domain: str = "toy", classes: int = 4, seed: int = 0) -> PictureSet:
    """Samples of these labels, noise but for the row of pixels that says the label."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.as_tensor(np.asarray(labels), dtype=torch.int64)
    images = torch.randint(0, 256, (len(labels), 3, 32, 32), generator=generator, dtype=torch.uint8)
    images[:, 0, 0] = 0
    images[torch.arange(len(labels)), 0, 0, labels] = 255
    names = tuple(str(k) for k in range(classes))
    return PictureSet(
        info=DatasetInfo(domain, "Toy labels", "public domain", classes=names, stand_in_for="nothing"),
        split="validation",
        images=images,
        labels=labels,
        hashes=tuple(str(i) for i in range(len(labels))),
    )


def balanced(each: int = 10, labels: int = 4, **changes: Any) -> PictureSet:
    """As many samples of every label, in turn."""
    return labelled(np.tile(np.arange(labels), each), classes=labels, **changes)
