"""Probes: named identity modules at the places of a network that route, and hooks that listen to them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

#: Name of a probe -> what it reported, each with the index of its step.
Captured = dict[str, list[tuple[int, Tensor]]]


class Probe(nn.Module):
    """An identity with a name, to which forward hooks can listen.

    A network passes every routing tensor through a probe, with the index of the step it belongs to.
    Nothing is kept or copied unless somebody listens.

    Args:
        name: public name of the quantity, such as ``"compatibility"``.
        dims: names of the tensor's axes in the order in which the network holds them.
        along: the axis along which it reports one tensor after the other, ``"step"`` or another that the network
            names with ``along(axis, iterations)``, such as ``"layer"``; None: once a forward, as step 0.
    """

    def __init__(self, name: str, dims: tuple[str, ...], along: str | None = "step") -> None:
        super().__init__()
        self.name = name
        self.dims = dims
        self.along = along

    @property
    def listening(self) -> bool:
        """Whether a hook is registered, so that costly side computations are worth doing."""
        return bool(self._forward_hooks)

    def forward(self, tensor: Tensor, step: int) -> Tensor:
        """Return ``tensor`` unchanged; ``step`` tells listeners where in the computation it stands."""
        return tensor


class SetProbe(nn.Module):
    """A probe of a network that scores several sets a sample, one beside the other, as so many samples.

    Listeners get one sample with the tokens of all its sets: the first token of every set, then the second of every
    set, and so on.

    Args:
        probe: what listeners hear; its axes are those of a set, with "sample" before the axis of tokens.
        sets: how many a sample has.
        token: the name of the axis of tokens.
    """

    def __init__(self, probe: Probe, sets: int, token: str = "token") -> None:
        super().__init__()
        self.probe, self.sets = probe, sets
        self._sample, self._token = probe.dims.index("sample"), probe.dims.index(token)

    @property
    def listening(self) -> bool:
        """Whether somebody listens."""
        return self.probe.listening

    def forward(self, tensor: Tensor, step: int) -> Tensor:
        """Return what listeners make of ``tensor`` (..., B * sets, ..., V, ...): the same unless one replaces it."""
        if not self.listening:
            return tensor
        sample, token = self._sample, self._token
        apart = tensor.unflatten(sample, (-1, self.sets)).movedim(sample + 1, token + 1)  # ..., tokens, sets, ...
        heard: Tensor = self.probe(apart.flatten(token, token + 1), step=step)
        again = heard.unflatten(token, (-1, self.sets)).movedim(token + 1, sample + 1)
        return again.flatten(sample, sample + 1)


def probes_of(model: nn.Module) -> dict[str, Probe]:
    """Every probe of a network by its public name."""
    return {module.name: module for module in model.modules() if isinstance(module, Probe)}


@contextmanager
def listening(model: nn.Module, names: Sequence[str]) -> Iterator[Captured]:
    """Listen to the named probes; yields name -> [(step, tensor), ...] as it fills.

    No hook is left behind, also after an exception.

    Raises:
        ValueError: for a probe that the network has not.
    """
    probes = probes_of(model)
    unknown = sorted(set(names) - set(probes))
    if unknown:
        raise ValueError(f"unknown fields {', '.join(unknown)}; this model records {', '.join(probes)}")
    captured: Captured = {name: [] for name in names}

    def hook(module: nn.Module, _: Any, kwargs: dict[str, Any], output: Tensor) -> None:
        captured[str(module.name)].append((kwargs["step"], output.detach()))

    handles = []
    try:
        for name in captured:
            handles.append(probes[name].register_forward_hook(hook, with_kwargs=True))
        yield captured
    finally:
        for handle in handles:
            handle.remove()
