"""Networks of blocks: iterations, answers, views and names; and the networks they are compared with."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.baselines.transformer import BlockTransformer
from routescope.nn.blocks.config import BlockFNNConfig, BlockTransformerConfig, SMFRConfig
from routescope.nn.blocks.network import BlockModel, BlockNetwork
from routescope.nn.blocks.operations import Passed
from routescope.nn.inputs.blocks import Blocks
from routescope.zoo import checkpoint

SMALL = SMFRConfig(width=3, hidden=12)
ONCE = SMFRConfig("double", ("a1", "b1", "a2", "b2"), ("answer",), iterations=1, repeats=False, depth=1, width=3)
MODELS = [
    (BlockNetwork, SMALL),
    (BlockFNN, BlockFNNConfig(hidden=12)),
    (BlockTransformer, BlockTransformerConfig(internal=24, layers=1)),
]


def blocks(count: int = 6, T: int = 2, K: int = 5) -> Blocks:
    generator = torch.Generator().manual_seed(1)
    values, tasks = torch.rand(count, K, 10, generator=generator), torch.rand(count, T, 10, generator=generator)
    return Blocks(values, tasks, torch.arange(count) % K)


def made(cls: Any = BlockNetwork, config: Any = SMALL) -> Any:
    torch.manual_seed(0)
    return cls(config).eval()


@pytest.fixture(params=MODELS, ids=lambda each: each[0].__name__)
def model(request: pytest.FixtureRequest) -> BlockModel:
    return made(*request.param)


def test_an_iteration_reads_what_the_last_one_made(model: BlockModel) -> None:
    given = blocks()
    first = model.run(given, 1)
    later = Blocks(first, given.tasks[:, 1:], given.asked)
    torch.testing.assert_close(model.run(given, 2), model.run(later, 1))
    torch.testing.assert_close(model.run(given, 3), model.run(Blocks(first, given.tasks.flip(1), given.asked), 2))
    assert torch.equal(model.run(given, 0), given.values)


def test_the_answer_is_the_block_that_is_asked_for(model: BlockModel) -> None:
    given = blocks()
    answers, whole = model(given), model.run(given)
    for row, asked in enumerate(given.asked.tolist()):
        torch.testing.assert_close(answers[row, 0], model.config.logit_scale * whole[row, asked])


def test_a_shuffled_network_reads_shuffled_values(model: BlockModel) -> None:
    noisy = type(model)(replace(model.config, shuffle_seed=3)).eval()  # type: ignore[call-arg]
    noisy.load_state_dict({**model.state_dict(), "shuffle": noisy.shuffle})
    given = blocks()
    turned = given.values.flatten(1)[:, noisy.shuffle].unflatten(1, (5, 10))
    torch.testing.assert_close(noisy.run(given, 1), model.run(Blocks(turned, given.tasks, given.asked), 1))
    assert sorted(noisy.shuffle.tolist()) == list(range(50)) and noisy.shuffle.tolist() != list(range(50))


def test_a_checkpoint_keeps_the_shuffle(tmp_path: Path) -> None:
    model, given = made(config=replace(SMALL, shuffle_seed=3)), blocks()
    loaded = checkpoint.load(checkpoint.save(model, tmp_path / "model.safetensors"))
    torch.testing.assert_close(loaded(given), model(given), rtol=0, atol=0)


def test_a_network_that_cannot_be_run_again_says_so() -> None:
    model, given = made(config=ONCE), blocks(T=1, K=4)
    assert model.most_iterations == 1 and model.run(given).shape == (6, 1, 10)
    with pytest.raises(ValueError, match="one iteration"):
        model.run(given, 2)


def test_a_bias_moves_the_first_multiplexer_alone() -> None:
    model, plain, moved = made(config=ONCE), list[Passed](), list[Passed]()
    given, bias = blocks(T=1, K=4), torch.zeros(6, 5, 3)
    bias[:, 2, 1] = 50.0
    model.run(given, seen=plain)
    model.run(given, bias=bias, seen=moved)
    assert (moved[0].weights[:, 2, 1] > 0.999).all()
    assert torch.equal(moved[0].weight_logits, plain[0].weight_logits), "the bias is regularised with the logits"
    assert torch.equal(moved[0].weights[..., 0], plain[0].weights[..., 0])


# -- names and views ---------------------------------------------------------------------------------------


def test_names_of_levels_units_routes_and_steps() -> None:
    model = made()
    assert model.levels[0] == ("A", "B", "C", "D", "E", "task") and model.levels[-1] == ("A", "B", "C", "D", "E")
    assert model.units == ("1.1", "1.2", "1.3", "2.1", "2.2", "2.3") == model.all_units
    assert len(model.route_names) == 6 * 3 + 3 * 3 + 3 * 5 and {"A>1.1", "1.3>2.2", "2.1>E"} <= set(model.route_names)
    assert model.steps == ("i1.l1", "i1.l2", "i1.l3", "i2.l1", "i2.l2", "i2.l3")
    assert made(config=ONCE).steps == ("l1", "l2")
    assert made(config=replace(SMALL, depth=0)).units == ()


def test_views_in_any_order_are_one() -> None:
    model, given = made(), blocks()
    kept = ["2.1", "1.2", "1.3"]
    one = model.keep(kept).reroute(["A>1.2"], ["1.1>2.1"], [("E", 0.5)]).mute(["1.3"])
    other = model.mute(["1.3"]).reroute([], ["1.1>2.1"]).reroute(["A>1.2"], gates=[("E", 0.5)]).keep(kept[::-1])
    assert torch.equal(one(given), other(given))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mute_routes": ["A>2.1"]}, "neighbouring levels"),
        ({"copy_routes": ["Z>1.1"]}, "unknown route"),
        ({"copy_routes": ["A>1.1", "B>1.1"]}, "two copies"),
        ({"gates": [("task", 0.5)]}, "unknown block"),
        ({"gates": [("1.1", 1.5)]}, "from 0 to 1"),
        ({"gates": [("1.1", float("nan"))]}, "from 0 to 1"),
        ({"gates": [("1.1", 0.5), ("1.1", 0.6)]}, "two gates"),
    ],
)
def test_what_cannot_be_rerouted_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made().reroute(**change)


# -- what they are compared with ---------------------------------------------------------------------------


def test_the_feed_forward_network_is_a_plain_one() -> None:
    model = made(BlockFNN, BlockFNNConfig(hidden=12, layers=2))
    first, second, last = model.fnn.linear
    plain = nn.Sequential(first, nn.LeakyReLU(0.01), second, nn.LeakyReLU(0.01), last)
    x = torch.cat((blocks().values, blocks().tasks[:, :1]), dim=1).flatten(1)
    torch.testing.assert_close(model.run(blocks(), 1).flatten(1), plain(x))


def test_the_transformer_attends_to_every_block() -> None:
    model, given = made(BlockTransformer, BlockTransformerConfig(internal=24, layers=1)), blocks()
    given.values.requires_grad_()
    model.run(given, 1)[:, 0].sum().backward()
    assert given.values.grad is not None and given.values.grad.abs().amax(dim=2).gt(0).all()
