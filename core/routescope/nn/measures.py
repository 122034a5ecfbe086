"""Measures of the answers of a head: a loss and a value for every sample."""

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int64, Shaped
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Rowwise:
    """Loss and value of each sample. The figure of many samples is the mean of ``value`` weighted by ``weight``.

    Attributes:
        loss: what training makes small, of each sample.
        value: in the measure's unit.
        weight: the share of the sample in a figure: 1, or its tokens, scored bytes, variance.
        predicted: the label that was chosen; -1 where a head chooses none.
        confidence: the softmax probability of the label that was chosen; None where a head chooses none.
    """

    loss: Float[Tensor, " B"]
    value: Float[Tensor, " B"]
    weight: Float[Tensor, " B"]
    predicted: Int64[Tensor, " B"]
    confidence: Float[Tensor, " B"] | None = None


@runtime_checkable
class Measure(Protocol):
    """A measure of the answers of a head.

    Attributes:
        name: "accuracy", "bits a symbol", "R2".
        unit: what is written behind a figure; "" for shares.
        higher_is_better: which way is well.
        share: whether every value is 0 or 1 with weight 1, so that the figure is a share of samples.
    """

    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def share(self) -> bool: ...

    def rows(
        self, out: Float[Tensor, "B *answer"], target: Shaped[Tensor, "B *target"], mask: Bool[Tensor, "B V"] | None
    ) -> Rowwise:
        """Score what a head gave.

        Args:
            out: of one head, samples first.
            target: what is right.
            mask: which tokens are no padding, where the answer has one for each token; None: all.
        """
        ...


@dataclass(frozen=True)
class Accuracy:
    """The share of samples whose label has the highest logit; the loss is the cross-entropy in nats."""

    name: str = "accuracy"
    unit: str = ""
    higher_is_better: bool = True
    share: bool = True

    def rows(
        self, out: Float[Tensor, "B classes"], target: Int64[Tensor, " B"], mask: Bool[Tensor, "B V"] | None = None
    ) -> Rowwise:
        """Right or wrong, sample by sample."""
        predicted = out.argmax(dim=-1)
        right = (predicted == target).float()
        confidence = out.softmax(dim=-1).amax(dim=-1)
        loss = F.cross_entropy(out, target, reduction="none")
        return Rowwise(loss, right, torch.ones_like(right), predicted, confidence)


@dataclass(frozen=True)
class BitsASymbol:
    """Bits that the next symbol costs, averaged over all symbols that are no padding; less is better."""

    name: str = "bits a symbol"
    unit: str = "bits"
    higher_is_better: bool = False
    share: bool = False

    def rows(
        self, out: Float[Tensor, "B V symbols"], target: Int64[Tensor, "B V"], mask: Bool[Tensor, "B V"] | None
    ) -> Rowwise:
        """The mean of each sample's own symbols, weighted by how many it has; a sample without any weighs nothing."""
        is_symbol = torch.ones_like(target, dtype=torch.bool) if mask is None else mask
        nats = F.cross_entropy(out.flatten(0, 1), target.flatten(), reduction="none").view_as(target)
        count = is_symbol.sum(dim=1)
        mean = (nats * is_symbol).sum(dim=1) / count.clamp(min=1)
        return Rowwise(mean, mean / math.log(2), count.float(), torch.full_like(count, -1))


@dataclass(frozen=True)
class BitsAByte:
    """Bits that the next byte of a text costs: of its scored tokens together, over their bytes; less is better.

    It is the same measure for networks with different tokens.
    """

    name: str = "bits a byte"
    unit: str = "bits"
    higher_is_better: bool = False
    share: bool = False

    def rows(
        self, out: Float[Tensor, "B V"], target: Int64[Tensor, " B"], mask: Bool[Tensor, "B V"] | None = None
    ) -> Rowwise:
        """Each text weighs as many bytes as its scored tokens have; a text without any weighs nothing.

        Args:
            out: nats of each token, given those before it, or of each text, in one column; 0 where a token is given.
            target: bytes of the scored tokens of each text.
            mask: which tokens are no padding; None: all.
        """
        nats = (out if mask is None else out.masked_fill(~mask, 0.0)).sum(dim=1) / target.clamp(min=1)
        return Rowwise(nats, nats / math.log(2), target.float(), torch.full_like(target, -1))


@dataclass(frozen=True)
class R2:
    """The share of the target's variance that is explained: 1 - sum of squares of errors over those of ``target``.

    Attributes:
        mean: the target's mean over the data, from which its variance is counted.
    """

    mean: float = 0.0
    name: str = "R2"
    unit: str = ""
    higher_is_better: bool = True
    share: bool = False

    def rows(
        self, out: Float[Tensor, "B 1"], target: Float[Tensor, " B"], mask: Bool[Tensor, "B V"] | None = None
    ) -> Rowwise:
        """1 - error^2 / deviation^2 of each sample, weighted by deviation^2: the weighted mean is R2."""
        error, deviation = (out[:, 0] - target) ** 2, (target - self.mean) ** 2
        value = 1 - error / deviation.clamp(min=1e-12)
        return Rowwise(error, value, deviation.clamp(min=1e-12), torch.full_like(target, -1, dtype=torch.long))


ACCURACY = Accuracy()
BITS_A_BYTE = BitsAByte()

#: Meaning of the signs of values, whatever the measure: of Shapley values, of interactions, of changes of a loss.
VALUE_SIGN = "above 0: the unit helps"
PAIR_SIGN = "below 0: each unit makes up for the loss of the other"
LOSS_SIGN = "above 0: the unit helps"


def worse_sign(higher_is_better: bool) -> str:
    """Return which sign of a change of the figure is for the worse."""
    return "below 0: worse" if higher_is_better else "above 0: worse"


def change_sign(higher_is_better: bool) -> str:
    """Return the meaning of the sign of a drop effect, which is the figure without a unit minus the figure with it."""
    return "below 0: the unit helps" if higher_is_better else "above 0: the unit helps"


def signs_of(higher_is_better: bool) -> dict[str, str]:
    """Return the meaning of signs of Shapley values, drop effects, their loss, and interactions, for people."""
    return {
        "shapley": VALUE_SIGN,
        "single": change_sign(higher_is_better),
        "single_loss": LOSS_SIGN,
        "interactions": PAIR_SIGN,
    }
