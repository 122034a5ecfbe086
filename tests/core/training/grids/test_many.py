"""Networks of a group get what they would get alone: losses, gradients, steps of Adam, outputs."""

from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.baselines.transformer import BlockTransformer
from routescope.nn.blocks.config import BlockFNNConfig, BlockTransformerConfig, SMFRConfig
from routescope.nn.blocks.network import BlockModel, BlockNetwork
from routescope.nn.blocks.operations import Passed, regularisation
from routescope.nn.inputs.blocks import Blocks
from routescope.training.grids.many import Group

ADDITION: dict[str, Any] = {
    "task": "addmul",
    "values": ("a", "b"),
    "outputs": ("answer",),
    "iterations": 1,
    "repeats": False,
}
ALGO: dict[str, Any] = {"values": ("A", "B", "C"), "outputs": ("A", "B", "C"), "block_size": 10}


def smfr(width: int = 3, seed: int = 0, **changes: Any) -> BlockNetwork:
    """A small SMFR in double precision."""
    torch.manual_seed(seed)
    sizes = {**ADDITION, "depth": 2, "width": width, "hidden": 7, "layers": 2, **changes}
    return BlockNetwork(SMFRConfig(**sizes)).double()


def drawn(models: int, batch: int, config: Any, seed: int) -> tuple[tuple[Tensor, Tensor], Tensor]:
    """Own samples for every network, with any digits as answers."""
    generator = torch.Generator().manual_seed(seed)
    K, N = len(config.values), len(config.outputs)
    digits = torch.randint(0, 10, (models, batch, K + config.iterations + N), generator=generator)
    blocks = F.one_hot(digits[..., : K + config.iterations], config.block_size).double()
    return (blocks[:, :, :K], blocks[:, :, K:]), digits[..., K + config.iterations :]


class Alone:
    """One network with its own optimiser, as PyTorch's tutorials train it."""

    def __init__(self, model: BlockModel, loss: str = "mse") -> None:
        self.model, self.loss = model.train(), loss
        self.optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)

    def step(self, values: Tensor, tasks: Tensor, digits: Tensor) -> float:
        config, seen = self.model.config, list[Passed]()
        made = self.model.run(Blocks(values, tasks, digits[:, 0]), seen=seen)
        if self.loss == "mse":
            loss = F.mse_loss(made, F.one_hot(digits, config.block_size).to(made.dtype))
        else:
            loss = F.cross_entropy(config.logit_scale * made[..., : config.classes].flatten(0, 1), digits.flatten())
        if seen:
            loss = loss + regularisation(seen)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
        self.optimizer.step()
        return loss.item()


def equal(one: BlockModel, other: BlockModel) -> None:
    """The same numbers, up to rounding."""
    assert one.config == other.config
    for (name, a), (_, b) in zip(one.named_parameters(), other.named_parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-11, msg=lambda text, name=name: f"{name}: {text}")


def advance(group: Group, alone: list[Alone], first: int, steps: int) -> None:
    """Train a group, and each of its networks alone, on the same samples; losses and networks are the same."""
    for at in range(first, first + steps):
        (values, tasks), digits = drawn(len(group), 6, group.layout.template.config, at)
        losses = group.step((values, tasks), digits)
        wanted = [each.step(*own) for each, *own in zip(alone, values, tasks, digits, strict=True)]
        torch.testing.assert_close(losses, torch.tensor(wanted, dtype=torch.float64), rtol=1e-10, atol=1e-12)
    for mine, theirs in zip(group.models(), alone, strict=True):
        equal(mine, theirs.model)


def compare(models: list[Any], steps: int = 10, loss: Any = "mse") -> None:
    advance(Group(models, loss=loss), [Alone(model, loss) for model in models], 0, steps)


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.integers(0, 2),
    st.integers(0, 2),
    st.booleans(),
    st.sampled_from(["mse", "cross_entropy"]),
)
@settings(max_examples=5, deadline=None)
def test_steps_of_any_widths_are_those_of_each_network_alone(
    widths: list[int], depth: int, layers: int, context: bool, loss: str
) -> None:
    compare([smfr(w, i, depth=depth, layers=layers, context=context) for i, w in enumerate(widths)], 10, loss)


def test_iterations_and_shuffled_numbers() -> None:
    sizes = {**ALGO, "iterations": 2, "repeats": True}
    compare([smfr(2 + seed, seed, **sizes, shuffle_seed=seed) for seed in range(3)])


@pytest.mark.parametrize("loss", ["mse", "cross_entropy"])
def test_networks_that_smfrs_are_compared_with(loss: str) -> None:
    torch.manual_seed(0)
    compare([BlockFNN(BlockFNNConfig(**ADDITION, hidden=6, layers=2)).double() for _ in range(3)], 10, loss)
    small = BlockTransformerConfig(**ADDITION, features=8, heads=2, internal=6, layers=1)
    compare([BlockTransformer(small).double() for _ in range(2)], 4, loss)


def test_logits_that_are_too_large_are_pushed_back_for_each_network_by_itself() -> None:
    models = [smfr(w, w) for w in (1, 3, 2)]
    with torch.no_grad():
        for model in models[1:]:
            for mfnnr in model.smfr.mfnnr:
                mfnnr.multiplexer.fnn.linear[-1].bias.copy_(torch.linspace(-40, 40, mfnnr.M * mfnnr.N))
    inputs, digits = drawn(3, 5, models[0].config, 0)
    with_loss, _ = Group(models).gradients(inputs, digits)
    without, _ = Group(models, weight_of_regularisation=0.0).gradients(inputs, digits)
    assert with_loss[0] == without[0] and (with_loss[1:] > without[1:] + 1).all()
    compare(models, 5)


def test_running_is_running_each_alone_in_parts_of_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    models = [smfr(w, w, attention=attention) for w in (1, 3) for attention in ("softmax",)]
    group, (inputs, digits) = Group(models), drawn(2, 11, models[0].config, 3)
    whole = group.run(inputs)
    for at, model in enumerate(models):
        wanted = model.eval().run(Blocks(inputs[0][at], inputs[1][at], digits[at, :, 0]))
        torch.testing.assert_close(whole[at], wanted)
    monkeypatch.setattr("routescope.training.grids.many.CHUNK", 6)
    torch.testing.assert_close(group.run(inputs), whole)
    same = Blocks(inputs[0][0], inputs[1][0], digits[0, :, 0])
    torch.testing.assert_close(group.run(same)[0], whole[0])
    assert torch.equal(group.right(same, digits[0])[0], whole[0].argmax(-1) == digits[0])


def test_refused_groups_name_what_differs() -> None:
    for models, words in (
        ([], "at least one"),
        ([smfr(), smfr(depth=1, layers=1)], "differ in depth, layers$"),
        ([smfr(), BlockFNN(BlockFNNConfig(**ADDITION)).double()], "kind"),
        ([smfr(), smfr().float()], "precision"),
        ([torch.nn.Linear(1, 1)], "not of Linear"),
    ):
        with pytest.raises(ValueError, match=words):
            Group(models)  # type: ignore[arg-type]
    group, (inputs, digits) = Group([smfr(), smfr(1)]), drawn(3, 4, smfr().config, 0)
    with pytest.raises(ValueError, match="inputs of 3 and 3 networks for a group of 2"):
        group.step(inputs, digits)
    with pytest.raises(ValueError, match="networks, samples, outputs"):
        group.step((inputs[0][:2], inputs[1][:2]), digits[0])


def test_the_models_given_are_not_changed() -> None:
    model = smfr()
    before = {name: each.clone() for name, each in model.state_dict().items()}
    group = Group([model, model])
    group.step(*drawn(2, 4, model.config, 0))
    assert all(torch.equal(each, before[name]) for name, each in model.state_dict().items())
    given_back = group.models()[0]
    with torch.no_grad():
        next(given_back.parameters()).zero_()
    assert group.weights[0].abs().min() > 0 or not torch.equal(group.weights[0], group.weights[1])
    assert replace(given_back.config) == model.config
