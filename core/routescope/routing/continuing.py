"""Texts continued token by token, with the experts that each new token takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from routescope.nn.experts import NO_EXPERT
from routescope.nn.inputs.kind import Inputs
from routescope.nn.mixture.routed import NextToken, RoutedNetwork
from routescope.nn.network import Network
from routescope.nn.probe import Captured
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention

#: Recorded fields of a continued text.
FIELDS = ("top_experts", "top_weights", "margin")


@dataclass(frozen=True)
class LayerDecision:
    """Decision of a layer's router for one token.

    Attributes:
        step: the layer.
        experts: names of those that the token takes, that of most weight first.
        weights: theirs, in the same order.
        margin: the lead, in logits, of the last of them over the best that is not taken; None where all are.
    """

    step: str
    experts: tuple[str, ...]
    weights: tuple[float, ...]
    margin: float | None


@dataclass(frozen=True)
class NewToken:
    """A token that a network wrote.

    Attributes:
        token: with its probability, given all before it.
        candidates: the most probable ones in its place, the most probable first.
        path: decisions of the routers, layer by layer, when the token was read in turn.
    """

    token: NextToken
    candidates: tuple[NextToken, ...]
    path: tuple[LayerDecision, ...]


def continued(
    model: Network,
    inputs: Inputs,
    tokens: int,
    intervention: Intervention | None = None,
    among: int = 1,
    candidates: int = 5,
    seed: int = 0,
) -> Iterator[NewToken]:
    """Continue one text, a token at a time; yield each once the network has read it, so that its path is known.

    Args:
        model: a network with routed experts that continues texts.
        inputs: a batch of one text.
        tokens: number of new tokens.
        intervention: on the network while it reads and continues.
        among: draw a token from so many most probable ones, by their probabilities; 1: always the most probable.
        candidates: most probable tokens that each result holds.
        seed: of the draws.

    Raises:
        ValueError: a network that continues no text, or has no experts; less than one token to draw from.
        InterventionError: the model lacks a unit.
    """
    if not isinstance(model, RoutedNetwork):
        raise ValueError("this network continues no text through experts")
    if among < 1 or candidates < 1:
        raise ValueError("a token is drawn from one or more")
    view = Ablation(model, intervention or Intervention(), None).view
    assert isinstance(view, RoutedNetwork), "a view is of the class of its network"
    random = np.random.default_rng(seed)
    written: tuple[NextToken, tuple[NextToken, ...]] | None = None
    for turn in range(tokens + 1):
        with view.capture(FIELDS) as captured:
            next_tokens = tuple(view.next_tokens(inputs, max(among, candidates)))
        if written is not None:
            yield NewToken(*written, path=_path(view, captured))
        if turn == tokens:
            return
        token = _drawn(next_tokens[:among], random)
        written = token, next_tokens[:candidates]
        inputs = view.extended(inputs, token.id)


def _drawn(tokens: Sequence[NextToken], random: np.random.Generator) -> NextToken:
    """Draw a token by the probabilities."""
    if len(tokens) == 1:
        return tokens[0]
    shares = np.array([token.probability for token in tokens], dtype=np.float64)
    return tokens[int(random.choice(len(tokens), p=shares / shares.sum()))]


def _path(view: RoutedNetwork, captured: Captured) -> tuple[LayerDecision, ...]:
    """Return the decisions for the last token that was read."""
    steps = {name: dict(captured[name]) for name in FIELDS}
    return tuple(
        _decision(layer.name, layer.units, *(steps[name][step][0, -1] for name in FIELDS))
        for step, layer in enumerate(view.routed_layers)
    )


def _decision(step: str, units: Sequence[str], experts: Tensor, weights: Tensor, margin: Tensor) -> LayerDecision:
    pairs = [(w, e) for e, w in zip(experts.tolist(), weights.tolist(), strict=True) if e != NO_EXPERT]
    pairs.sort(key=lambda pair: -pair[0])
    ahead = float(margin)
    return LayerDecision(
        step,
        tuple(units[expert] for _, expert in pairs),
        tuple(weight for weight, _ in pairs),
        ahead if np.isfinite(ahead) else None,
    )
