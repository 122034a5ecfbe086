"""Groups that are branched, joined, left and gone on with."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.blocks.config import BlockFNNConfig
from routescope.training.grids.many import Group
from routescope.training.grids.state import StateError, read, write
from tests.core.training.grids.test_many import ADDITION, ALGO, Alone, advance, drawn, smfr


def trained(group: Group, steps: int, first: int = 0) -> Group:
    """The same group, some steps later."""
    config = group.layout.template.config
    for at in range(first, first + steps):
        group.step(*drawn(len(group), 5, config, at))
    return group


def same(one: Group, other: Group) -> None:
    """Bit for bit."""
    a, b = one.state(), other.state()
    assert a.keys() == b.keys()
    for name, tensor in a.items():
        assert torch.equal(tensor, b[name]), name


@pytest.mark.parametrize("attention", ["softmax", "gumbel"])
@pytest.mark.parametrize("precision", [torch.float32, torch.float64])
def test_a_training_goes_on_bit_for_bit(tmp_path: Path, attention: Any, precision: torch.dtype) -> None:
    models = [smfr(w, w, attention=attention).to(precision) for w in (1, 3, 2)]
    whole = trained(Group(models, seed=5, clip=0.2), 8)
    half = trained(Group(models, seed=5, clip=0.2), 4)
    path = write(half, tmp_path / "folder" / "group.safetensors")
    again = read(path)
    assert again.clip == 0.2 and again.steps == [4] * 3
    torch.rand(7)  # what others draw changes nothing
    same(trained(again, 4, first=4), whole)
    assert [file.name for file in path.parent.iterdir()] == ["group.safetensors"]


def test_shuffled_numbers_and_feed_forward_networks_go_on(tmp_path: Path) -> None:
    shuffled = [smfr(2, seed, **{**ALGO, "iterations": 2, "repeats": True}, shuffle_seed=seed) for seed in range(2)]
    feed_forward = [BlockFNN(BlockFNNConfig(**ADDITION, hidden=5, layers=1)).double() for _ in range(2)]
    for models in (shuffled, feed_forward):
        group = trained(Group(models), 3)
        again = read(write(group, tmp_path / "group"))
        same(trained(again, 2, 3), trained(group, 2, 3))


def test_a_file_that_is_no_group_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("{}")
    with pytest.raises(StateError, match="no readable"):
        read(tmp_path / "text")
    with pytest.raises(StateError, match="no readable"):
        read(tmp_path / "missing")
    save_file({"weights": torch.zeros(1, 1)}, tmp_path / "other")
    with pytest.raises(StateError, match="no group"):
        read(tmp_path / "other")
    group = Group([smfr()])
    facts = {"architecture": "smfr", "configs": group.layout.configs, "settings": {"clip": 1.0}}
    state = group.state() | {"weights": torch.zeros(1, 3)}
    save_file(state, tmp_path / "torn", metadata={"group": json.dumps(facts)})
    with pytest.raises(StateError, match="no group"):
        read(tmp_path / "torn")
    with pytest.raises(ValueError, match=r"a state of \(1, 3\)"):
        group.load_state(state)


def test_branches_go_on_as_the_networks_that_they_are_of() -> None:
    """Taken out, taken twice, padded to less: with Adam's moments and the number of steps."""
    models = [smfr(w, w) for w in (4, 1, 2)]
    group, alone = Group(models), [Alone(model) for model in models]
    advance(group, alone, 0, 3)
    branch, before = group.take([2, 1, 2]), group.state()
    assert branch.weights.shape[1] < group.weights.shape[1] and branch.steps == [3, 3, 3]
    advance(branch, [alone[2], alone[1], copy.deepcopy(alone[2])], 3, 3)
    assert not torch.equal(branch.weights[0], branch.weights[2])  # its samples were others
    assert all(torch.equal(tensor, before[name]) for name, tensor in group.state().items())


def test_joined_branches_of_different_ages_go_on_each_with_its_own_bias_correction() -> None:
    models = [smfr(w, w) for w in (1, 3)]
    alone, groups = [Alone(model) for model in models], [Group([model]) for model in models]
    for which, steps in ((0, 4), (1, 1)):
        advance(groups[which], [alone[which]], 10 * which, steps)
    joined = groups[0].join(groups[1])
    assert joined.steps == [4, 1]
    advance(joined, alone, 50, 3)


def test_only_networks_that_there_are_can_be_taken() -> None:
    group = Group([smfr(), smfr(1)])
    for indices in ([2], [-1], []):
        with pytest.raises(ValueError, match="group of 2"):
            group.take(indices)
    with pytest.raises(ValueError, match="differ in depth"):
        group.join(Group([smfr(depth=1)]))


@pytest.mark.parametrize("attention", ["softmax", "gumbel"])
@pytest.mark.parametrize("widths", [(1, 3, 2), (2, 2)])
def test_written_out_passes_are_those_of_autograd(
    attention: Any, widths: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same noise: discrete picks cannot be compared with networks alone, which draw other numbers."""
    models = [smfr(w, i, attention=attention, **ALGO, repeats=True, iterations=2) for i, w in enumerate(widths)]
    for model in models:
        with torch.no_grad():
            for mfnnr in model.smfr.mfnnr:
                mfnnr.multiplexer.fnn.linear[-1].bias.mul_(60)
    inputs, digits = drawn(len(models), 5, models[0].config, 0)
    written, by_autograd = Group(models, seed=3), Group(models, seed=3)
    monkeypatch.setattr(by_autograd, "_kernels", None)
    mine, theirs = written.gradients(inputs, digits), by_autograd.gradients(inputs, digits)
    torch.testing.assert_close(mine[0], theirs[0], rtol=1e-10, atol=1e-12)
    for a, b in zip(mine[1], theirs[1], strict=True):
        for name in a:
            assert a[name].isfinite().all(), name
            # autograd has no finite gradient of the temperature that a masked logit, which is infinite, is divided by
            wanted = torch.where(b[name].isnan(), a[name], b[name]) if "temperature" in name else b[name]
            torch.testing.assert_close(a[name], wanted, rtol=1e-8, atol=1e-12, msg=lambda text, n=name: f"{n}: {text}")
    torch.testing.assert_close(written.run(inputs, 5), by_autograd.run(inputs, 5))
    if attention == "gumbel":
        assert all(own["smfr.mfnnr.0.multiplexer.log_temperature"].abs() > 0 for own in mine[1])
