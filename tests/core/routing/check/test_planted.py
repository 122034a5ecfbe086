"""Faults that engineers plant: exactly one finding fails, and its words name the layer and the expert."""

import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
import torch
from torch import Tensor

from routescope import zoo
from routescope.data import load
from routescope.nn.adapters.plain import adapt
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.network import Experts, RouterOutput
from routescope.nn.network import Network
from routescope.routing.check.checking import check
from tests.core.nn.adapters.families import model_of
from tests.core.nn.adapters.own import Mine, two_best
from tests.core.routing.check.test_checking import failures


@lru_cache(maxsize=1)
def texts() -> tuple[Text, ...]:
    """Validation texts, of different lengths and at most 96 characters."""
    sets = [load(name, "validation", limit=5).inputs(slice(0, 5)) for name in ("python", "sums", "listops")]
    return tuple(Text(tuple(text[: 60 + 5 * at] for at, text in enumerate(batch.texts))) for batch in sets)


class Subject:
    """A network whose second layer gets faults; ``gate`` is its router there."""

    gate: Any

    @property
    def router(self) -> Tensor:
        return self.gate.weight


class Bundled(Subject):
    """moe-bytes, copied."""

    def __init__(self) -> None:
        self.model = copy.deepcopy(zoo.load("moe-bytes"))
        self.experts: Experts = self.model.layers[1].experts
        self.gate = self.experts.router

    def expert(self, e: int) -> list[Tensor]:
        return [self.experts.gate_up[e], self.experts.down[e]]

    def network(self) -> Network:
        return self.model

    def share_expert(self) -> None:
        """The last expert for every token, beside the best of the others."""

        class Shared(Experts):
            def choose(self, x: Tensor, kept: tuple[int, ...], top_k: int | None) -> RouterOutput:
                choice = super().choose(x, kept, top_k)
                if len(kept) < 8:
                    return choice
                best = choice.logits[:, :-1].argmax(dim=1)
                places = torch.stack((torch.full_like(best, len(kept) - 1), best), dim=1)
                return choice._replace(weights=torch.full_like(choice.weights, 0.5), places=places)

        self.experts.__class__ = Shared


class Transformers(Subject):
    """A tiny OLMoE of transformers, with random weights."""

    family = "olmoe"

    def __init__(self) -> None:
        self.model = model_of(self.family)
        self.block = self.model.model.layers[1].mlp
        self.gate = self.block.gate

    def expert(self, e: int) -> list[Tensor]:
        return [self.block.experts.gate_up_proj[e], self.block.experts.down_proj[e]]

    def network(self) -> Network:
        return from_transformers(self.model)


class Biased(Transformers):
    """A tiny DeepSeek-V3: a selection bias is added to its scores."""

    family, rare = "deepseek_v3", 4

    def __init__(self) -> None:
        super().__init__()
        for name, bias in self.model.named_buffers():
            if name.endswith("e_score_correction_bias"):
                bias.mul_(0.2)  # biases as large as the scores decide alone

    def bias(self) -> Tensor:
        return self.gate.e_score_correction_bias


class Own(Subject):
    """Code of one's own, adapted."""

    rare = 2

    def __init__(self) -> None:
        torch.manual_seed(3)
        self.model = Mine().eval().requires_grad_(False)
        for parameter in self.model.parameters():
            parameter.mul_(1.5)
        self.block: Any = self.model.layers[1]
        self.gate = self.block.gate

    def expert(self, e: int) -> list[Tensor]:
        return list(self.block.experts[e].parameters())

    def bias(self) -> Tensor:
        return self.gate.bias

    def network(self) -> Network:
        return adapt(self.model, routers="layers.*.gate", experts="layers.*.experts", choose=two_best)


SUBJECTS = (Bundled, Transformers, Own)


def zero(subject: Any) -> None:
    for weight in subject.expert(2):
        weight.zero_()


def twins(subject: Any) -> None:
    for weight, other in zip(subject.expert(4), subject.expert(1), strict=True):
        weight.copy_(other)


def sharp(subject: Any) -> None:
    subject.router.mul_(100)


def hog(subject: Any) -> None:
    """The first expert's row of the router gives all tokens a logit above those of the other experts."""
    heard: list[Tensor] = []
    if isinstance(subject, Bundled):
        norm = subject.model.layers[1].experts_norm
        handle = norm.register_forward_hook(lambda _, __, out: heard.append(out.flatten(0, -2)))
    else:
        handle = subject.gate.register_forward_pre_hook(lambda _, args: heard.append(args[0].flatten(0, -2)))
    for batch in texts():
        subject.network()(batch)
    handle.remove()
    x = torch.cat(heard)
    row = torch.linalg.lstsq(x, torch.ones(len(x), 1)).solution[:, 0]
    subject.router[0] = 3 * float((x @ subject.router.T).max()) * row


def blank(subject: Any) -> None:
    """A router of zeros gives the same experts to all tokens."""
    subject.router.zero_()
    if isinstance(subject, Own):
        subject.bias().zero_()


def long_row(subject: Any) -> None:
    subject.router[0].mul_(30)


def broken(subject: Any) -> None:
    subject.expert(2)[0].view(-1)[5] = torch.nan


def broken_router(subject: Any) -> None:
    subject.router.fill_(torch.nan)


def dead_bias(subject: Any) -> None:
    subject.bias()[2] -= 50


def sole_bias(subject: Any) -> None:
    subject.bias()[subject.rare] += 50


def shared(subject: Any) -> None:
    subject.share_expert()


@pytest.mark.parametrize("kind", [*SUBJECTS, Biased])
def test_what_nobody_touched_holds(kind: type[Any]) -> None:
    report = check(kind().network(), texts())
    assert report.held, failures(report)
    lacking = {Bundled: ["bias"], Transformers: ["bias", "balanced"]}.get(kind)
    names = [item.name for item in report.findings if item.verdict == "not applicable"]
    assert lacking is None or names == lacking


PLANTED: list[tuple[Callable[[Any], None], str, tuple[str, ...]]] = [
    (zero, "distinct", ("l2.e3", "adds 0 ", "limit 0.001")),
    (twins, "distinct", ("l2.e2 and l2.e5", "limit 0.01")),
    (sharp, "entropy", ("l2", "limit")),
    (hog, "load", ("l2.e1", "limit")),
    (long_row, "load", ("l2.e1", "limit 5")),
    (blank, "load", ("l2.e", "100 %")),
    (broken, "finite", ("l2.e3", "limit 0")),
    (broken_router, "finite", ("the router of l2", "limit 0")),
]
BIASED: list[tuple[Callable[[Any], None], str, tuple[str, ...]]] = [
    (dead_bias, "bias", ("l2.e3", "limit 5 %")),
    (sole_bias, "bias", ("l2.e", "limit 50 %")),
]
CASES = [
    *((kind, *row) for row in PLANTED for kind in SUBJECTS),
    *((kind, *row) for row in BIASED for kind in (Biased, Own)),
    (Bundled, shared, "shared", ("l2.e", "limit 5 %")),
]


@pytest.mark.parametrize(("kind", "plant", "name", "words"), CASES)
def test_a_planted_fault_fails_one_finding_alone(
    kind: type[Any], plant: Callable[[Any], None], name: str, words: tuple[str, ...]
) -> None:
    subject = kind()
    with torch.no_grad():
        plant(subject)
    report = check(subject.network(), texts())
    assert set(failures(report)) == {name}, failures(report)
    for part in words:
        assert part in failures(report)[name]
    if name == "finite":  # nothing is computed from such numbers
        assert {finding.verdict for finding in report.findings[1:]} == {"not applicable"}


def test_an_overflow_is_told_with_the_first_router_that_it_reaches() -> None:
    subject = Own()
    for weight in (subject.model.layers[0].experts[e][2].weight for e in range(5)):
        weight.mul_(1e38)
    result = failures(check(subject.network(), texts()))
    assert set(result) == {"finite"}
    assert "all weights are finite; the first router that reports NaN or infinity is that of l3" in result["finite"]


def test_experts_without_weights_are_no_twins() -> None:
    """LongCat has identities among its experts, which all add the same."""
    network = from_transformers(model_of("longcat_flash", seed=1))
    assert len(network.idle_units) > len(network.routed_layers)
    assert check(network, texts())["distinct"].verdict == "held"
