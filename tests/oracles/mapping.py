"""Between the network of `core` and the oracle: names of weights, settings, and what probes heard."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from torch import Tensor, nn

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.probe import Probe
from tests.oracles.neural_interpreter import Settings, Step, drop_functions, neural_interpreter

# (name in the conformance files and in the oracle, name in the state dict), both with N for a number
_NAMES = [
    (r"script.N.signatures", r"scripts.N.signatures"),
    (r"script.N.codes", r"scripts.N.codes"),
    (r"script.N.sigma", r"scripts.N.sigma"),
    (r"script.N.type_inference.norm.P", r"scripts.N.type_inference.norm.P"),
    (r"script.N.type_inference.linear.N.P", r"scripts.N.type_inference.linears.N.P"),
    (r"script.N.loc.N.norm_attention.P", r"scripts.N.locs.N.norm_attention.P"),
    (r"script.N.loc.N.norm_mlp.P", r"scripts.N.locs.N.norm_mlp.P"),
    *(
        (rf"script.N.loc.N.{layer}.P", rf"scripts.N.locs.N.attention.{layer}.P")
        for layer in ("query", "key", "value", "out")
    ),
    (r"script.N.loc.N.mlp.N.P", r"scripts.N.locs.N.mlp.layers.N.P"),
    *(
        (rf"script.N.loc.N.position.{axis}.{ours}", rf"scripts.N.locs.N.position.{axis}.{theirs}")
        for axis in ("row", "column")
        for ours, theirs in (("embedding", "e"), ("head", "w"), ("function", "v"), ("modlin.P", "p.P"))
    ),
]


def _rename(name: str, patterns: list[tuple[str, str]]) -> str | None:
    for source, target in patterns:
        pattern = re.escape(source).replace("N", r"(\d+)").replace("P", r"(weight|bias|W|W_c|b)")
        match = re.fullmatch(pattern, name)
        if match:
            for part in match.groups():
                target = re.sub(r"N|P", part, target, count=1)
            return target
    return None


def to_state_dict(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A state dict of `NeuralInterpreter` from the weights of a conformance file (whose other tensors are left out).

    Raises KeyError for a weight whose place in the network is unknown.
    """
    state = {}
    for name, tensor in weights.items():
        if name in ("input", "output") or name.startswith("trace."):
            continue
        spot = _rename(name, _NAMES)
        if spot is None:
            raise KeyError(f"no place for {name!r} in the network")
        state[spot] = tensor
    return state


def from_model(model: NeuralInterpreter) -> dict[str, Tensor]:
    """The interpreter's own parameters (not copies, so that gradients reach them) under the oracle's names."""
    back = [(theirs, ours) for ours, theirs in _NAMES]
    weights = {}
    for name, tensor in model.named_parameters():
        spot = _rename(name, back)
        if spot is not None:
            weights[spot] = tensor
        elif name.startswith("scripts."):
            raise KeyError(f"the oracle knows no {name!r}")
    return weights


def settings_of(config: NeuralInterpreterConfig) -> Settings:
    """The oracle's settings for a network's config."""
    return Settings(
        scripts=config.scripts,
        iterations=config.iterations,
        locs=config.locs,
        heads=config.heads,
        tau=config.tau,
        residual=config.residual,
        eps=config.eps,
        relative_position=config.relative_position,
        grid=config.grid if config.relative_position is not None else None,
    )


@contextmanager
def listening(model: nn.Module, *names: str) -> Iterator[dict[str, dict[int, Tensor]]]:
    """Hear what passes the named probes, as name -> step -> tensor, without `routescope.routing`."""
    heard: dict[str, dict[int, Tensor]] = defaultdict(dict)
    handles = []

    def hear(probe: nn.Module, args: tuple, kwargs: dict, output: Tensor) -> None:
        step = kwargs["step"] if "step" in kwargs else args[1]
        assert step not in heard[probe.name], f"{probe.name} passed step {step} twice"
        heard[probe.name][step] = output

    probes = [p for p in model.modules() if isinstance(p, Probe) and p.name in names]
    assert {p.name for p in probes} == set(names)
    for probe in probes:
        handles.append(probe.register_forward_hook(hear, with_kwargs=True))
    try:
        yield heard
    finally:
        for handle in handles:
            handle.remove()


def ask_oracle(
    model: NeuralInterpreter,
    x: Tensor,
    iterations: int | None = None,
    drop: dict[int, tuple[int, ...]] | None = None,
    mute: dict[int, tuple[int, ...]] | None = None,
) -> tuple[Tensor, list[list[Step]]]:
    """The oracle with a model's weights; functions to drop and mute by script."""
    weights = from_model(model)
    for script, functions in (drop or {}).items():
        weights = drop_functions(weights, script, functions)
    return neural_interpreter(weights, settings_of(model.config), x, iterations, mute)
