"""Every invariant, with a network in which it is broken: the fault is found, and told by the right one."""

import json
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from routescope.nn.experts import ActiveExperts
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import Experts, MixtureNetwork, RouterOutput
from routescope.nn.network import Network, Tokens
from routescope.routing.check.checking import check
from routescope.routing.check.finding import Report
from routescope.routing.check.invariants import INVARIANTS
from routescope.routing.check.subject import apart, few_of, same_bits
from tests.core.routing.small import NAMES, UNROUTED, inputs, small
from tests.core.routing.toys import balanced as balanced_data
from tests.core.routing.toys import uniform, with_dead

CONFIG = MixtureConfig(domains=("here",), context=11, layers=3, features=24, heads=2, experts=5, top_k=2, hidden=7)
TEXTS = Text(("def f(x)", "ab", "", "1 + 2 = 3", "xyz abc de"))


def made(kind: type[MixtureNetwork] = MixtureNetwork, config: MixtureConfig = CONFIG) -> Any:
    """A network of random weights that are large enough to matter."""
    torch.manual_seed(21)
    model = kind(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        wide, noise = parameter.dim() > 1, torch.randn_like(parameter)
        parameter.copy_(1.5 * noise * parameter[0].numel() ** -0.5 if wide else parameter + 0.3 * noise)
    return model


def failures(report: Report) -> dict[str, str]:
    return {item.name: item.words for item in report.findings if item.verdict == "failed"}


def test_all_hold_of_a_mixture_of_experts() -> None:
    report = check(made(), [TEXTS, Text(("another text",))])
    assert report.held and report.samples == 6, failures(report)
    assert [finding.name for finding in report.findings if finding.verdict == "not applicable"] == ["bias"]
    checks = json.loads(json.dumps(report.to_dict(), allow_nan=False))["checks"]
    assert [item["name"] for item in checks] == [invariant.name for invariant in INVARIANTS]
    assert all(set(entry["limits"]) <= set(entry["figures"]) for entry in checks)


class DropNothing(MixtureNetwork):
    changed = False

    def with_changes(self, **changes: Any) -> Any:
        return super().with_changes(**changes, changed=True)

    def forward(self, inputs: Text, iterations: int | None = None) -> Tensor:
        return super().forward(inputs, iterations) * (1 + 1e-6 * self.changed)


class Lessened(MixtureNetwork):
    @staticmethod
    def _shares(choice: RouterOutput, part: ActiveExperts) -> Tensor:
        return MixtureNetwork._shares(choice, part) * (0.9 if part.step == 2 else 1.0)


class NeverFourth(Experts):
    def choose(self, x: Tensor, kept: tuple[int, ...], top_k: int | None) -> RouterOutput:
        choice = super().choose(x, kept, top_k)
        logits = choice.logits.clone()
        if 3 in kept:
            logits[:, kept.index(3)] = logits.min(dim=-1).values - 1
        weights, places = logits.softmax(dim=-1).topk(choice.places.shape[1], dim=-1)
        return RouterOutput(logits, weights / weights.sum(dim=-1, keepdim=True), places)


class DeadExpert(MixtureNetwork):
    def __init__(self, config: MixtureConfig) -> None:
        super().__init__(config)
        self.layers[2].experts = NeverFourth(config, config.experts)

    def sliced(self) -> Any:
        raise ValueError("its experts are no rows of a matrix")


def faulty(method: str, change: Callable[..., Any]) -> type[MixtureNetwork]:
    """A mixture with another method: ``change`` gets the network, the method as it was, and its arguments."""

    def changed(self: MixtureNetwork, *arguments: Any, **named: Any) -> Any:
        return change(self, partial(getattr(MixtureNetwork, method), self, **named), *arguments)

    return type("Faulty", (MixtureNetwork,), {method: changed})


def without_router(_: Any, mix: Any, experts: Experts, x: Tensor, part: ActiveExperts) -> tuple[Tensor, RouterOutput]:
    """Skip the router of layer 2 where several samples run."""
    if part.step == 1 and len(x) > 1:
        return torch.zeros_like(x), experts.choose(x.flatten(0, 1), part.kept, part.chosen)
    return mix(experts, x, part)


def without_experts(_: Any, mix: Any, experts: Experts, x: Tensor, part: ActiveExperts) -> tuple[Tensor, RouterOutput]:
    mixed, choice = mix(experts, x, part)
    return mixed * (part.step != 1), choice


def of_the_last_layer(_: Any, mix: Any, experts: Any, x: Tensor, part: ActiveExperts) -> tuple[Tensor, RouterOutput]:
    mixed, choice = mix(experts, x, part)
    return mixed.detach(), choice if part.step == 2 else choice._replace(logits=choice.logits.detach())


def probabilities(_: Any, report: Any, choice: RouterOutput, *rest: Any) -> None:
    report(choice._replace(logits=choice.logits.softmax(dim=-1)), *rest)


def sigmoids(_: Any, report: Any, choice: RouterOutput, *rest: Any) -> None:
    report(choice._replace(logits=choice.logits.sigmoid()), *rest)


#: A fault, the finding that fails, words of it, and whether others hold.
FAULTS: dict[str, tuple[type[MixtureNetwork], str, str, bool]] = {
    "a router is skipped": (
        faulty("_mix", without_router), "captured", "compatibility reported 0 samples at l2", False),
    "experts are skipped": (
        faulty("_mix", without_experts), "reached", "muting all units of l2 changes no answer, 1 of 3 groups", False),
    "probabilities are reported": (
        faulty("_report", probabilities), "logits", "logits of l1 .* sum to 1 .* as probabilities do", True),
    "sigmoids are reported": (
        faulty("_report", sigmoids), "logits", "logits of l1 all lie between 0 and 1 .* as sigmoids do", False),
    "padding is counted": (
        faulty("tokens_of", lambda _, tokens_of, inputs: Tokens(tokens_of(inputs).names)),
        "padding", "a sample of 1 token counts 11 beside longer samples", False),
    "padding is answered": (
        faulty("forward", lambda _, forward, *inputs: forward(*inputs) + 1.0),
        "padding", "the answer at padding is up to 1 ", False),
    "padding is read": (
        faulty("logits", lambda _, logits, ids, *rest: logits(ids, *rest) * (1 + 0.1 * ids.shape[1])),
        "padding", "the answer for a sample changes by .* beside longer samples", True),
    "a view differs": (DropNothing, "nothing", "a view without any change changes the answer", False),
    "shares are lessened": (Lessened, "shares", "compatibility of l3 sums to 1 only within 0.1 ", True),
    "an expert is dead": (
        DeadExpert, "alive", r"no token of these 5 samples takes .*l3.e4 \(0 of 34, limit 1\); up to 43.4 %", True),
    "a loss has no gradient": (
        faulty("auxiliary_loss", lambda _, loss, inputs: loss(inputs).detach()),
        "balanced", "no gradient at all", True),
    "a loss is of the last layer": (
        faulty("_mix", of_the_last_layer), "balanced", "the routers of l1, l2 get no gradient, 2 of 3", False),
    "a loss is infinite": (
        faulty("auxiliary_loss", lambda _, loss, inputs: loss(inputs) * math.inf),
        "balanced", "the loss is inf", False),
    "other experts are sliced": (
        faulty("sliced", lambda self, _: self.keep([unit for unit in self.units if unit != "l1.e2"])),
        "sliced", "the two differ by up to .*: look at how dropped units", True),
    "listening changes the answer": (
        faulty("forward", lambda net, forward, *inputs: forward(*inputs) * (1 + 1e-6 * net.probes.listening("margin"))),
        "recorded", "recording changes the answer", True),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    kind, name, words, alone = FAULTS[fault]
    report = check(made(kind), [TEXTS])
    assert not report.held
    result = failures(report)
    assert name in result and re.search(words, result[name]), result
    assert not alone or list(result) == [name], "a fault of one kind is reported once"


def test_a_gradient_is_asked_of_a_copy() -> None:
    model = made()
    before = {key: value.clone() for key, value in model.state_dict().items()}
    check(model, [TEXTS])
    assert not any(parameter.requires_grad or parameter.grad is not None for parameter in model.parameters())
    assert all(torch.equal(value, before[key]) for key, value in model.state_dict().items())


def test_views_are_checked_too() -> None:
    view = made().keep([unit for unit in made().units if unit not in ("l1.e2", "l3.e1", "l3.e5")])
    report = check(view, [TEXTS])
    assert report.held, failures(report)
    muted = check(made().mute(["l2.e2"]), [TEXTS])
    assert muted.held and muted["shares"].words == "units are muted, and no unit takes their share"


@pytest.mark.parametrize("architecture", NAMES)
def test_what_applies_holds_of_every_family(architecture: str) -> None:
    model: Network = small(architecture).requires_grad_(False)
    report = check(model, [model.as_inputs(inputs(model))])
    assert report.held, failures(report)
    verdicts = {item.name: item.verdict for item in report.findings}
    assert verdicts["captured"] == "held" or architecture in UNROUTED
    assert verdicts["nothing"] == "held"
    assert verdicts["logits"] == verdicts["balanced"] == verdicts["sliced"] == "not applicable"
    assert all(entry.words for entry in report.findings)


def test_a_function_that_no_token_takes_is_dead() -> None:
    data = balanced_data(each=10)
    report = check(with_dead(), [with_dead().as_inputs(data.inputs(slice(None)))])
    words = failures(report)["alive"]
    assert words.startswith("no token of these 40 samples takes f2 (0 of 200, limit 1); up to 8.8 %")
    held = check(uniform(units=3), [uniform().as_inputs(data.inputs(slice(None)))])["alive"]
    assert held.verdict == "held" and held.outcome.figures["share"] == 1.0


def test_a_check_needs_samples_of_different_lengths_where_there_are_any() -> None:
    with pytest.raises(ValueError, match="at least one sample"):
        check(made(), [Text(())])
    same = few_of(made(), Text(("abcdefgh",) * 9))
    assert isinstance(same, Text) and same.texts == ("abcd", *("abcdefgh",) * 3)
    read = few_of(made(), Text(("abcdefgh" * 9,) * 3))
    assert isinstance(read, Text) and read.texts == ("abcdefgha", *("abcdefgh" * 9,) * 2), "eleven bytes are read"
    drawn = few_of(made(), Text(tuple("a" * length for length in (5, 3, 9, 1, 7))))
    assert isinstance(drawn, Text) and [len(text) for text in drawn.texts] == [1, 3, 5, 9]


def test_the_same_bits_and_how_far_apart() -> None:
    first = torch.tensor([1.0, math.nan, 200.0])
    assert same_bits(first, first.clone()) and not same_bits(first, first + 1) and not same_bits(first, first.double())
    assert apart(first, first + torch.tensor([0.5, 0.0, 20.0])) == pytest.approx(0.5)
    assert apart(first, torch.tensor([1.0, 1.0, 200.0])) == math.inf
    assert apart(torch.zeros(0), torch.zeros(0)) == 0.0
