"""smfr-algo, smfr-bpmnist and smfr-inspect, on tiny networks and on rows of which the figures are known."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from routescope import assets, zoo
from routescope.data import load
from routescope.data.blocks.tasks import ALGO
from routescope.experiments import experiments, reproduce, smfr_algo, smfr_bpmnist, smfr_inspect
from routescope.nn.blocks.config import SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.nn.registry import ARCHITECTURES
from routescope.routing.blocks.indicators import indicators
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.training.recipes.blocks import BLOCK_RECIPES, sizes_of

SAMPLES = 40
SMALL: dict[str, Any] = {
    "smfr-algo": replace(smfr_algo.EXPERIMENT.quick, widths=(2, 3), steps=2, batch_size=4, samples=20),
    "smfr-bpmnist": smfr_bpmnist.Settings(limit=SAMPLES),
    "smfr-inspect": smfr_inspect.Settings(limit=SAMPLES),
}
COURSE = [
    {"step": step, "loss": loss, "sharpness": {"l1": sharp}, "gates": {"l1": {"mean": gate}}}
    for step, loss, sharp, gate in ((0, None, 0.2, 0.5), (9, 0.5, 0.8, 0.1))
]


def model_of(name: str) -> Any:
    """An untrained network with the task and architecture of a recipe, but small."""
    recipe = BLOCK_RECIPES[name]
    small: dict[str, Any] = {"hidden": 8, "layers": 1} if hasattr(recipe.config, "hidden") else {"internal": 8}
    torch.manual_seed(len(name))
    model = ARCHITECTURES[recipe.architecture][1](replace(recipe.config, **small)).eval()
    model.id, model.revision = name, "0" * 16
    return model


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    folder, made = tmp_path_factory.mktemp("smfr"), {}

    def get(name: str) -> dict[str, Any]:
        if name not in made:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(assets, "data_dir", lambda: folder / "data")
                patch.setattr(smfr_inspect, "history_of", lambda _: COURSE)
                experiment = replace(experiments()[name], settings=SMALL[name])
                made[name] = reproduce(experiment, folder=folder / "results", load_model=model_of)[0]
        return made[name]

    return get


def figures(record: dict[str, Any], name: str, **where: Any) -> list[dict[str, Any]]:
    return [f for f in record["figures"] if f["name"] == name and where.items() <= f["where"].items()]


@pytest.mark.parametrize("name", SMALL)
def test_every_figure_is_within_its_interval_and_says_what_it_is_of(record: Any, name: str) -> None:
    found = record(name)
    assert found["figures"] and found["paper_figures"]
    for figure in found["figures"]:
        assert figure["data"] and figure["unit"] and figure["paper_says"]
        if figure["low"] is not None:
            assert figure["low"] <= figure["value"] <= figure["high"]
    json.dumps(found, allow_nan=False)


# -- smfr-algo --------------------------------------------------------------------------------------------------


def test_every_family_is_trained_and_run_for_one_to_nine_iterations(record: Any) -> None:
    rows = record("smfr-algo")["tables"]["trials"]
    assert {row["family"] for row in rows} == {"SMFR", "FNN", "Transformer", "SMFR, noisy"}
    assert [row["width"] for row in rows if row["family"] == "SMFR"] == [2, 3]
    for row in rows:
        own = [row[f"{n} iterations"] for n in range(1, 10)]
        assert all(0 <= value <= 1 for value in own)
        assert row["odd"] == pytest.approx(np.mean(own[0::2]))
        assert row["even"] == pytest.approx(np.mean([own[3], own[5], own[7]]))  # two iterations were trained


def test_networks_are_compared_with_the_states_of_the_rule() -> None:
    data = load("algo", "test", limit=30)

    class ByTheRule:
        """Right wherever it is asked about the state after so many iterations; wrong after more than four."""

        def right(self, inputs: Any, digits: Tensor, iterations: int) -> Tensor:
            assert torch.equal(digits, ALGO.answer(data.digits, data.program[:, :iterations]))
            assert torch.equal(inputs.tasks.argmax(-1), data.program)
            return torch.full((1, *digits.shape), iterations <= 4)

    assert smfr_algo.run_for(ByTheRule(), data).tolist() == [[1] * 4 + [0] * 5]


def row_of(family: str, accuracy: float, parameters: int = 100_000, depth: int = 1) -> dict[str, Any]:
    own = smfr_algo.accuracy_columns(np.array([accuracy] * 9))
    return {"family": family, "parameters": parameters, "depth": depth, **own}


def test_the_best_are_chosen_by_accuracy_at_four_iterations() -> None:
    data = load("algo", "test", limit=5)
    rows = [row_of(family, share / 10) for family in smfr_algo.FAMILIES for share in range(8)]
    rows[0] |= {"4 iterations": 1.0, "odd": 0.0}  # of an SMFR: chosen by four iterations alone
    found = {(f.where["family"], f.name.split()[2]): f for f in smfr_algo.best(rows, data)}
    assert found["FNN", "odd"].value == pytest.approx(np.mean([0.3, 0.4, 0.5, 0.6, 0.7]))
    assert found["SMFR", "odd"].value == pytest.approx(np.mean([0.0, 0.4, 0.5, 0.6, 0.7]))
    assert (found["FNN", "odd"].paper, found["SMFR", "odd"].paper, found["FNN", "odd"].count) == (0.187, 1.0, 5)


def test_sizes_are_those_of_the_other_tables() -> None:
    assert [smfr_algo.size_of(count) for count in (49_999, 50_000, 199_999, 200_000)] == ["low", "mid", "mid", "high"]
    data = load("algo", "test", limit=5)
    rows = [row_of("FNN", 0.2, 10), row_of("FNN", 0.4, 10), row_of("FNN", 0.9, 300_000)]
    found = [(f.where["size"], f.value, f.paper) for f in smfr_algo.by_size(rows, data, whole=True) if "odd" in f.name]
    assert found == [("high", pytest.approx(0.9), 0.241), ("low", pytest.approx(0.3), 0.164)]
    assert {f.paper for f in smfr_algo.by_size(rows, data, whole=False)} == {None}


def test_a_trial_is_at_one_where_no_number_of_iterations_is_wrong() -> None:
    data = load("algo", "test", limit=5)
    rows = [row_of("SMFR", 1.0), row_of("SMFR", 0.9996), row_of("SMFR", 1.0), row_of("SMFR", 0.0, depth=0)]
    rows[2]["9 iterations"] = 0.99
    (found,) = smfr_algo.converged(rows, data)
    assert found.value == pytest.approx(2 / 3) and found.paper == 1.0 and found.count == 3
    assert found.where["depth"] == "1"
    assert (found.low, found.high) == wilson_interval(2, 3)


def test_the_full_grid_is_the_printed_one() -> None:
    counts = {kind: len(found) for kind, found in smfr_algo.trials(smfr_algo.EXPERIMENT.full).items()}
    assert counts == {"SMFR": 99 - 2 * 3, "FNN": 15, "Transformer": 54, "SMFR, noisy": 30}  # of depth 0, no widths
    part = smfr_algo.trials(smfr_algo.EXPERIMENT.settings)
    for kind, found in smfr_algo.trials(smfr_algo.EXPERIMENT.full).items():
        assert {trial.name for trial in part[kind]} <= {trial.name for trial in found}


# -- smfr-bpmnist -----------------------------------------------------------------------------------------------


def test_accuracies_are_those_of_the_networks(record: Any) -> None:
    found = record("smfr-bpmnist")
    data = {split: load("bpmnist", split, limit=SAMPLES) for split in ("validation", "test")}
    for name, title in smfr_bpmnist.TITLES.items():
        for split, samples in data.items():
            whole = next(
                f for f in figures(found, "accuracy", model=title, split=split) if "combinations" not in f["where"]
            )
            assert whole["value"] == pytest.approx(evaluate(model_of(name), samples).accuracy)
            assert whole["paper"] == (smfr_bpmnist.TABLE_3[name][0] if split == "test" else None)
    assert not figures(found, "accuracy", split="validation", combinations="left out of training")


def test_what_was_left_out_is_counted_apart(record: Any) -> None:
    found, data = record("smfr-bpmnist"), load("bpmnist", "test", limit=SAMPLES)
    left_out = int(data.held_out.sum())
    assert 0 < left_out < SAMPLES
    for part, count in (("left out of training", left_out), ("shown in training", SAMPLES - left_out)):
        own = figures(found, "accuracy", combinations=part)
        assert len(own) == len(smfr_bpmnist.TITLES) and {f["count"] for f in own} == {count}
    rows = [row for row in found["tables"]["permutations"] if row["model"] == "fnn-bpmnist" and row["split"] == "test"]
    assert [row["permutation"] for row in rows] == ["1 3 4 2", "2 4 3 1", "3 1 2 4", "4 2 1 3"]
    assert sum(row["count"] for row in rows) == SAMPLES and sum(row["left_out_count"] for row in rows) == left_out


def test_a_network_that_is_not_there_is_left_out_and_the_record_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    experiment = replace(experiments()["smfr-bpmnist"], settings=SMALL["smfr-bpmnist"])

    def some(name: str) -> Any:
        if name == "fnn-bpmnist":
            raise zoo.UnknownModel(f"unknown model {name!r}")
        return model_of(name)

    found, _ = reproduce(experiment, folder=tmp_path, load_model=some)
    assert {row["model"] for row in found["tables"]["permutations"]} == set(smfr_bpmnist.TITLES) - {"fnn-bpmnist"}
    assert found["notes"] == ["fnn-bpmnist is not there and was left out; train it with: routescope train fnn-bpmnist"]

    def none(name: str) -> Any:
        raise zoo.UnknownModel(f"unknown model {name!r}")

    with pytest.raises(zoo.UnknownModel, match="train it with"):
        reproduce(experiment, folder=tmp_path, load_model=none, resume=False)


def test_the_plain_smfr_is_compared_on_the_same_samples(record: Any) -> None:
    found = record("smfr-bpmnist")
    whole = {
        f["where"]["model"]: f["value"]
        for f in figures(found, "accuracy", split="test")
        if "combinations" not in f["where"]
    }
    more = figures(found, "SMFR: more than this model")
    assert len(more) == 4
    for figure in more:
        assert figure["value"] == pytest.approx(whole["SMFR"] - whole[figure["where"]["model"]])


# -- smfr-inspect -----------------------------------------------------------------------------------------------


def test_indicators_are_those_of_the_card_and_of_the_network(record: Any) -> None:
    found = record("smfr-inspect")
    for name in smfr_inspect.Settings().models:
        model = model_of(name)
        data = load(model.config.task, "validation", limit=SAMPLES)
        own = {f["where"]["at"]: f["value"] for f in figures(found, "sharpness.l1", model=name)}
        now = indicators(model, data, SAMPLES)["sharpness"]["l1"]
        assert own == {"step 0": 0.2, "step 9": 0.8, "the network as it is": pytest.approx(now)}
    course = found["tables"]["course"]
    assert [row["gates.l1.mean"] for row in course if row["model"] == "smfr-algo"] == [0.5, 0.1]


def test_differences_say_which_permutations_they_are_between(record: Any) -> None:
    found, model = record("smfr-inspect"), model_of("smfr-bpmnist")
    own = {f["where"]["permutations"]: f for f in figures(found, "difference", model="smfr-bpmnist")}
    assert set(own) == {"the first four", "the last four"}
    for words, split in (("the first four", "validation"), ("the last four", "test")):
        expected = indicators(model, load("bpmnist", split, limit=SAMPLES), SAMPLES)["difference"]
        assert own[words]["value"] == pytest.approx(expected) and "difference_test" not in own[words]["name"]


def test_a_card_without_a_course_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(zoo, "info", lambda _: type("Info", (), {"card": {}}))
    assert list(smfr_inspect.history_of("any")) == []
    data, now = load("algo", "test", limit=5), {"sharpness.l1": 0.5, "shares.A": 0.2, "difference": None}
    found = list(smfr_inspect.over_training("any", [], now, [data]))
    assert [(f.name, f.where["at"], f.value) for f in found] == [("sharpness.l1", "the network as it is", 0.5)]


def linear(task: str) -> BlockNetwork:
    """An SMFR of one MFNNR without hidden layers, all of whose logits are zero."""
    model = BlockNetwork(SMFRConfig(**sizes_of(task), depth=0, layers=0)).eval()
    for parameter in model.parameters():
        parameter.data.zero_()
    return model


def test_the_weight_on_the_asked_pair_is_all_or_half_where_that_is_known() -> None:
    data, model = load("double", "validation", limit=50), linear("double")
    assert smfr_inspect.asked_pair(model, data) == pytest.approx(np.full(50, 0.5))
    logits = model.smfr.mfnnr[0].multiplexer.fnn.linear[0].weight.data  # (5 sources x 1 block, 5 blocks x 10 numbers)
    logits[0:2, 40] = logits[2:4, 41] = 50.0  # the task block says which pair
    assert smfr_inspect.asked_pair(model, data) == pytest.approx(np.ones(50))
    assert len(set(data.subtask.tolist())) == 2


def test_the_assigned_variable_is_told_from_the_others() -> None:
    data, model = load("algo", "validation", limit=50), linear("algo")
    made = model.smfr.mfnnr[0].fnnr.fnn.linear[0]
    gates = slice(50, 55)  # after the numbers of five new blocks
    made.bias.data[gates] = -50.0
    made.weight.data[gates, 100:105] = 100.0 * torch.eye(5)  # the task block, after five routed blocks and five values
    found = smfr_inspect.made_of(model, data)
    for source, share in (("own value", 1 / 6), ("others", 5 / 6), ("computed", 0)):  # all weights are alike
        assert found["unaltered"][source] == pytest.approx(np.full(50, share), abs=1e-6)
    for source, share in (("own value", 0), ("others", 0), ("computed", 1)):
        assert found["assigned"][source] == pytest.approx(np.full(50, share), abs=1e-6)


def test_a_copy_of_what_a_hidden_block_computed_is_computed() -> None:
    """All gates of the last MFNNR are closed; hidden block 1 computes, the others copy variables of their own."""
    data = load("algo", "validation", limit=20)
    model = BlockNetwork(SMFRConfig(**sizes_of("algo"), depth=1, width=5, layers=0)).eval()
    for parameter in model.parameters():
        parameter.data.zero_()
    for mfnnr, sources in zip(model.smfr.mfnnr, (6, 5), strict=True):
        logits = torch.zeros(sources, 5)
        logits[:5] = 50.0 * torch.eye(5)
        mfnnr.multiplexer.fnn.linear[0].bias.data[:] = logits.flatten()
        mfnnr.fnnr.fnn.linear[0].bias.data[50:] = -50.0
    model.smfr.mfnnr[0].fnnr.fnn.linear[0].bias.data[50] = 50.0
    found, assigned = smfr_inspect.made_of(model, data), data.subtask.numpy()
    assert found["assigned"]["computed"] == pytest.approx((assigned == 0).astype(float), abs=1e-6)
    assert found["unaltered"]["computed"] == pytest.approx((assigned != 0) / 4, abs=1e-6)
    assert found["unaltered"]["own value"] == pytest.approx(1 - (assigned != 0) / 4, abs=1e-6)
    assert len(set(assigned.tolist())) > 1 and not found["unaltered"]["others"].round(6).any()
