"""Faults that engineers plant: exactly one finding fails, and its words name the layer and the expert."""

import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from routescope import zoo
from routescope.data import load
from routescope.nn.adapters.plain import PlainNetwork, adapt
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.network import Experts, RouterOutput
from routescope.nn.network import Network, Tokens
from routescope.routing.check.checking import check
from routescope.routing.check.finding import Report
from tests.core.nn.adapters.families import model_of
from tests.core.nn.adapters.own import Block, Mine, two_best
from tests.core.routing.check.test_checking import PaddingCounted, Probabilities


@lru_cache(maxsize=1)
def texts() -> tuple[Text, ...]:
    """Validation texts, of different lengths and at most 96 characters."""
    sets = [load(name, "validation", limit=8).inputs(slice(0, 8)) for name in ("python", "sums", "listops")]
    return tuple(Text(tuple(text[: 60 + 5 * at] for at, text in enumerate(batch.texts))) for batch in sets)


class Bundled:
    """moe-bytes, copied."""

    def __init__(self, _: pytest.MonkeyPatch) -> None:
        self.model = copy.deepcopy(zoo.load("moe-bytes"))
        self.experts: Experts = self.model.layers[1].experts

    @property
    def router(self) -> Tensor:
        return self.experts.router.weight

    def expert(self, e: int) -> list[Tensor]:
        return [self.experts.gate_up[e], self.experts.down[e]]

    def gate(self) -> nn.Module:
        return self.experts.router

    def network(self) -> Network:
        return self.model

    def share_expert(self) -> None:
        class Shared(Experts):
            def choose(self, x: Tensor, kept: tuple[int, ...], top_k: int | None) -> RouterOutput:
                return _with_shared(super().choose(x, kept, top_k), kept)

        self.experts.__class__ = Shared

    def give_probabilities(self) -> None:
        self.model.__class__ = Probabilities

    def count_padding(self) -> None:
        self.model.__class__ = PaddingCounted


def _with_shared(choice: RouterOutput, kept: tuple[int, ...]) -> RouterOutput:
    """The best expert but for the last one, and the last one for every token."""
    if len(kept) < 8:
        return choice
    best = choice.logits[:, :-1].argmax(dim=1)
    places = torch.stack((torch.full_like(best, len(kept) - 1), best), dim=1)
    return choice._replace(weights=torch.full_like(choice.weights, 0.5), places=places)


class Transformers:
    """A tiny OLMoE of transformers, with random weights."""

    family, layer = "olmoe", 1

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch  # of classes, so that a sliced model has the fault, too
        self.model = model_of(self.family)
        self.block = self.model.model.layers[self.layer].mlp

    @property
    def router(self) -> Tensor:
        return self.block.gate.weight

    def expert(self, e: int) -> list[Tensor]:
        return [self.block.experts.gate_up_proj[e], self.block.experts.down_proj[e]]

    def gate(self) -> nn.Module:
        return self.block.gate

    def network(self) -> Network:
        return from_transformers(self.model)

    def share_expert(self) -> None:
        def forward(gate: Any, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            scores = torch.nn.functional.linear(hidden.reshape(-1, hidden.shape[-1]), gate.weight)
            best = scores[:, :-1].argmax(dim=1)
            places = torch.stack((torch.full_like(best, scores.shape[1] - 1), best), dim=1)
            return scores, torch.full(places.shape, 0.5), places

        self.patch.setattr(type(self.block.gate), "forward", forward)

    def give_probabilities(self) -> None:
        def forward(gate: Any, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            scores = torch.nn.functional.linear(hidden.reshape(-1, hidden.shape[-1]), gate.weight)
            weights, places = scores.softmax(dim=-1).softmax(dim=-1).topk(2, dim=-1)
            return scores, weights, places

        self.patch.setattr(type(self.block.gate), "forward", forward)

    def count_padding(self) -> None:
        kind = type(self.model.model.norm)
        plain = kind.forward

        def forward(norm: Any, x: Tensor) -> Tensor:
            out: Tensor = plain(norm, x)
            return out + 0.05 * out.mean(dim=1, keepdim=True) if x.dim() == 3 else out

        self.patch.setattr(kind, "forward", forward)


class Biased(Transformers):
    """A tiny DeepSeek-V3: a selection bias is added to its scores."""

    family, rare = "deepseek_v3", 4

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        super().__init__(patch)
        for name, bias in self.model.named_buffers():
            if name.endswith("e_score_correction_bias"):
                bias.mul_(0.2)  # biases as large as the scores decide alone

    def bias(self) -> Tensor:
        return self.block.gate.e_score_correction_bias


class Own:
    """Code of one's own, adapted."""

    choose, rare = staticmethod(two_best), 2
    kind: type[PlainNetwork] = PlainNetwork

    def __init__(self, _: pytest.MonkeyPatch) -> None:
        torch.manual_seed(3)
        self.model = Mine().eval().requires_grad_(False)
        for parameter in self.model.parameters():
            parameter.mul_(1.5)
        self.block: Any = self.model.layers[1]

    @property
    def router(self) -> Tensor:
        return self.block.gate.weight

    def expert(self, e: int) -> list[Tensor]:
        return list(self.block.experts[e].parameters())

    def gate(self) -> nn.Module:
        return self.block.gate

    def bias(self) -> Tensor:
        return self.block.gate.bias

    def network(self) -> Network:
        network = adapt(self.model, routers="layers.*.gate", experts="layers.*.experts", choose=self.choose)
        network.__class__ = self.kind
        return network

    def _choosing(self, choose: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
        self.choose = choose

        class Other(Block):
            def forward(self, x: Tensor) -> Tensor:
                flat = x.flatten(0, 1)
                weights, places = choose(self.gate(flat))
                total = torch.zeros_like(flat)
                for position, expert in enumerate(self.experts):
                    tokens, slot = (places == position).nonzero(as_tuple=True)
                    total = total.index_add(0, tokens, expert(flat[tokens]) * weights[tokens, slot, None])
                return x + total.view_as(x)

        for block in self.model.layers:
            block.__class__ = Other

    def share_expert(self) -> None:
        def choose(logits: Tensor) -> tuple[Tensor, Tensor]:
            best = logits[:, :-1].argmax(dim=1)
            places = torch.stack((torch.full_like(best, logits.shape[1] - 1), best), dim=1)
            return torch.full(places.shape, 0.5), places

        self._choosing(choose)

    def give_probabilities(self) -> None:
        def choose(logits: Tensor) -> tuple[Tensor, Tensor]:
            return two_best(logits.softmax(dim=-1))

        self._choosing(choose)

    def count_padding(self) -> None:
        class Counted(PlainNetwork):
            def tokens_of(self, inputs: Inputs) -> Tokens:
                return Tokens(super().tokens_of(inputs).names)

        self.kind = Counted


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
        handle = subject.gate().register_forward_pre_hook(lambda _, args: heard.append(args[0].flatten(0, -2)))
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


def probabilities(subject: Any) -> None:
    subject.give_probabilities()


def padding(subject: Any) -> None:
    subject.count_padding()


def failures(report: Report) -> dict[str, str]:
    return {finding.name: finding.words for finding in report.findings if finding.verdict == "failed"}


def examined(subject: Any) -> Report:
    return check(subject.network(), texts())


@pytest.mark.parametrize("kind", [*SUBJECTS, Biased])
def test_what_nobody_touched_holds(kind: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    report = examined(kind(monkeypatch))
    assert failures(report) == {}


PLANTED: list[tuple[Callable[[Any], None], str, tuple[str, ...]]] = [
    (zero, "distinct", ("l2.e3", "adds 0 ", "limit 0.001")),
    (twins, "distinct", ("l2.e2 and l2.e5", "limit 0.01")),
    (sharp, "entropy", ("l2", "limit")),
    (hog, "load", ("l2.e1", "limit")),
    (long_row, "load", ("l2.e1", "limit 5")),
    (blank, "load", ("l2.e", "100 %")),
    (broken, "finite", ("l2.e3", "limit 0")),
    (broken_router, "finite", ("the router of l2", "limit 0")),
    (shared, "shared", ("l2.e", "limit 5 %")),
    (probabilities, "logits", ("l1",)),
    (padding, "padding", ("beside longer",)),
]
BIASED: list[tuple[Callable[[Any], None], str, tuple[str, ...]]] = [
    (dead_bias, "bias", ("l2.e3", "limit 5 %")),
    (sole_bias, "bias", ("l2.e", "limit 50 %")),
]
CASES = [(kind, *row) for row in PLANTED for kind in SUBJECTS] + [
    (kind, *row) for row in BIASED for kind in (Biased, Own)
]


@pytest.mark.parametrize(("kind", "plant", "name", "words"), CASES)
def test_a_planted_fault_fails_one_finding_alone(
    kind: type[Any], plant: Callable[[Any], None], name: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = kind(monkeypatch)
    with torch.no_grad():
        plant(subject)
    report = examined(subject)
    assert set(failures(report)) == {name}, failures(report)
    for part in words:
        assert part in failures(report)[name]
    if name == "finite":  # nothing is computed from such numbers
        assert {finding.verdict for finding in report.findings[1:]} == {"not applicable"}


def test_an_overflow_is_told_with_the_first_router_that_it_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = Own(monkeypatch)
    for weight in (subject.model.layers[0].experts[e][2].weight for e in range(5)):
        weight.mul_(1e38)
    report = examined(subject)
    assert set(failures(report)) == {"finite"}
    assert "all weights are finite; the first router that reports NaN or infinity is that of l3" in str(
        failures(report)
    )


def test_experts_without_weights_are_no_twins() -> None:
    """LongCat has identities among its experts, which all add the same."""
    network = from_transformers(model_of("longcat_flash", seed=1))
    assert len(network.idle_units) > len(network.routed_layers)
    assert check(network, texts())["distinct"].verdict == "held"
