"""smfr-algo, smfr-bpmnist and smfr-inspect, on tiny networks and on rows of which the figures are known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from routescope import zoo
from routescope.data import load
from routescope.data.blocks.tasks import ALGO
from routescope.experiments import reproduce, smfr_algo, smfr_inspect
from routescope.experiments.shared.frame import Extent
from routescope.experiments.shared.tables import BLOCKS_TABLE_3, BPMNIST_TITLES
from routescope.nn.blocks.config import SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.routing.blocks.indicators import indicators
from routescope.routing.caused.intervals import wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.training.grids.trials import in_groups
from routescope.training.recipes.blocks import sizes_of
from tests.core.experiments.small import Made, blocks, small

SAMPLES = 40
Get = Callable[[str], Made]

# -- smfr-algo --------------------------------------------------------------------------------------------------


def test_every_family_is_trained_and_run_for_one_to_nine_iterations(made: Get) -> None:
    rows = made("smfr-algo").rows("trials")
    assert {row["family"] for row in rows} == {"SMFR", "FNN", "Transformer", "SMFR, noisy"}
    assert [row["width"] for row in rows if row["family"] == "SMFR"] == [2, 3]
    for row in rows:
        own = [row[f"{n} iterations"] for n in range(1, 10)]
        assert all(0 <= value <= 1 for value in own)
        assert row["odd"] == pytest.approx(np.mean(own[0::2]))
        assert row["even"] == pytest.approx(np.mean([own[3], own[5], own[7]])), "two iterations were trained"
        assert row["odd, exact"] <= row["odd"], "all variables right is rarer than each"


def test_networks_are_compared_with_the_states_of_the_rule() -> None:
    data = load("algo", "test", limit=30)

    class ByTheRule:
        """Right wherever it is asked about the state after so many iterations; wrong after more than four."""

        def right(self, inputs: Any, digits: Tensor, iterations: int) -> Tensor:
            assert torch.equal(digits, ALGO.answer(data.digits, data.program[:, :iterations]))
            assert torch.equal(inputs.tasks.argmax(-1), data.program)
            return torch.full((1, *digits.shape), iterations <= 4)

    assert smfr_algo.run_for(ByTheRule(), data) == [([1.0], [1.0])] * 4 + [([0.0], [0.0])] * 5


def test_exact_counts_samples_with_all_variables_right() -> None:
    class AllButOne:
        """Right but for one variable of every second sample."""

        def right(self, inputs: Any, digits: Tensor, iterations: int) -> Tensor:
            right = torch.ones(1, *digits.shape, dtype=torch.bool)
            right[:, ::2, 1] = False
            return right

    assert smfr_algo.run_for(AllButOne(), load("algo", "validation", limit=20), [4]) == [([0.9], [0.5])]


def test_noisy_trials_have_permutations_of_their_own_and_are_trained_in_groups() -> None:
    noisy = smfr_algo.trials(smfr_algo.Settings(families=(smfr_algo.NOISY,)))[smfr_algo.NOISY]
    assert [dict(trial.sizes)["shuffle_seed"] for trial in noisy] == list(range(30))
    assert [len(group) for group in in_groups(noisy, 12)] == [3] * 10


def row_of(family: str, accuracy: float, parameters: int = 100_000, depth: int = 1) -> dict[str, Any]:
    own = smfr_algo.accuracy_columns(np.array([accuracy] * 9))
    exact = {f"{name}, exact": value / 2 for name, value in own.items()}
    return {"family": family, "parameters": parameters, "depth": depth, "validation": accuracy, **own, **exact}


def test_figures_are_of_the_best_trials_by_size_and_of_those_at_one() -> None:
    data = load("algo", "test", limit=5)
    rows = [row_of(family, share / 10) for family in smfr_algo.FAMILIES for share in range(8)]
    rows[0] |= {"validation": 1.0, "odd": 0.0}  # of an SMFR: chosen by its criterion alone
    figures = list(smfr_algo.best(rows, data))
    found = {(f.where["family"], f.name.split()[2]): f for f in figures if f.name.startswith("accuracy")}
    exact = {(f.where["family"], f.name.split()[4]): f for f in figures if f.name.startswith("all variables")}
    assert exact["FNN", "odd"].value == pytest.approx(np.mean([0.3, 0.4, 0.5, 0.6, 0.7]) / 2)
    assert found["FNN", "odd"].value == pytest.approx(np.mean([0.3, 0.4, 0.5, 0.6, 0.7]))
    assert found["SMFR", "odd"].value == pytest.approx(np.mean([0.0, 0.4, 0.5, 0.6, 0.7]))
    assert (found["FNN", "odd"].paper, found["SMFR", "odd"].paper, found["FNN", "odd"].count) == (0.187, 1.0, 5)

    assert [smfr_algo.size_of(count) for count in (49_999, 50_000, 199_999, 200_000)] == ["low", "mid", "mid", "high"]
    rows = [row_of("FNN", 0.2, 10), row_of("FNN", 0.4, 10), row_of("FNN", 0.9, 300_000)]
    sizes = [(f.where["size"], f.value, f.paper) for f in smfr_algo.by_size(rows, data, whole=True) if "odd" in f.name]
    assert sizes == [("high", pytest.approx(0.9), 0.241), ("low", pytest.approx(0.3), 0.164)]
    assert {f.paper for f in smfr_algo.by_size(rows, data, whole=False)} == {None}

    rows = [row_of("SMFR", 1.0), row_of("SMFR", 0.9996), row_of("SMFR", 1.0), row_of("SMFR", 0.0, depth=0)]
    rows[2]["9 iterations"] = 0.99
    (share,) = smfr_algo.converged(rows, data)
    assert (share.value, share.paper, share.count) == (pytest.approx(2 / 3), 1.0, 3)
    assert share.where["depth"] == "1" and (share.low, share.high) == wilson_interval(2, 3)


def test_the_full_grid_is_the_printed_one() -> None:
    whole, part = (smfr_algo.trials(smfr_algo.EXPERIMENT.full), smfr_algo.trials(smfr_algo.EXPERIMENT.settings))
    counts = {kind: len(found) for kind, found in whole.items()}
    alone = smfr_algo.EXPERIMENT.settings_of(Extent(full=True, parts=("fnn", "noisy")))
    assert smfr_algo.trials(alone) == {kind: whole[kind] for kind in ("SMFR, noisy", "FNN")}
    assert counts == {"SMFR": 99 - 2 * 3, "FNN": 15, "Transformer": 54, "SMFR, noisy": 30}  # of depth 0, no widths
    for kind, found in whole.items():
        assert {trial.name for trial in part[kind]} <= {trial.name for trial in found}


# -- smfr-bpmnist -----------------------------------------------------------------------------------------------


def test_accuracies_are_those_of_the_networks_in_all_and_on_what_was_left_out(made: Get) -> None:
    found, whole = made("smfr-bpmnist"), {}
    for split in ("validation", "test"):
        samples = load("bpmnist", split, limit=SAMPLES)
        for name, title in BPMNIST_TITLES.items():
            figure = found.figure("accuracy", model=title, split=split, combinations=None)
            assert figure["value"] == pytest.approx(evaluate(blocks(name), samples).accuracy)
            assert figure["paper"] == (BLOCKS_TABLE_3[name][0] if split == "test" else None)
            whole[title] = figure["value"]
    assert not found.figures("accuracy", split="validation", combinations="left out of training")
    left_out = int(samples.held_out.sum())
    assert 0 < left_out < SAMPLES
    for part, count in (("left out of training", left_out), ("shown in training", SAMPLES - left_out)):
        own = found.figures("accuracy", combinations=part)
        assert len(own) == len(BPMNIST_TITLES) and {figure["count"] for figure in own} == {count}
    rows = found.rows("permutations", model="fnn-bpmnist", split="test")
    assert [row["permutation"] for row in rows] == ["1 3 4 2", "2 4 3 1", "3 1 2 4", "4 2 1 3"]
    assert sum(row["count"] for row in rows) == SAMPLES and sum(row["left_out_count"] for row in rows) == left_out
    more = found.figures("SMFR: more than this model")
    assert len(more) == 4
    for figure in more:
        assert figure["value"] == pytest.approx(whole["SMFR"] - whole[figure["where"]["model"]])


def test_a_missing_network_is_left_out_and_the_record_says_so(tmp_path: Path) -> None:
    def without(*missing: str) -> Callable[[str], Any]:
        def load_model(name: str) -> Any:
            if name in missing:
                raise zoo.UnknownModel(f"unknown model {name!r}")
            return blocks(name)

        return load_model

    experiment = small("smfr-bpmnist", limit=4)
    found, _ = reproduce(experiment, folder=tmp_path, load_model=without("fnn-bpmnist"))
    assert {row["model"] for row in found["tables"]["permutations"]} == set(BPMNIST_TITLES) - {"fnn-bpmnist"}
    assert found["notes"] == ["fnn-bpmnist is not there and was left out; train it with: routescope train fnn-bpmnist"]
    with pytest.raises(zoo.UnknownModel, match="train it with"):
        reproduce(experiment, folder=tmp_path, load_model=without(*BPMNIST_TITLES), resume=False)


# -- smfr-inspect -----------------------------------------------------------------------------------------------


def test_indicators_are_those_of_the_card_and_of_the_network(made: Get) -> None:
    found = made("smfr-inspect")
    for name in smfr_inspect.Settings().models:
        model = blocks(name)
        data = load(model.config.task, "validation", limit=SAMPLES)
        own = {figure["where"]["at"]: figure["value"] for figure in found.figures("sharpness.l1", model=name)}
        now = indicators(model, data, SAMPLES)["sharpness"]["l1"]
        assert own == {"step 0": 0.2, "step 9": 0.8, "the network as it is": pytest.approx(now)}
    assert [row["gates.l1.mean"] for row in found.rows("course", model="smfr-algo")] == [0.5, 0.1]
    own = {figure["where"]["permutations"]: figure for figure in found.figures("difference", model="smfr-bpmnist")}
    assert set(own) == {"the first four", "the last four"}
    for words, split in (("the first four", "validation"), ("the last four", "test")):
        data = load("bpmnist", split, limit=SAMPLES)
        expected = indicators(blocks("smfr-bpmnist"), data, SAMPLES)["difference"]
        assert own[words]["value"] == pytest.approx(expected)


def test_a_card_without_a_course_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zoo, "info", lambda _: type("Info", (), {"card": {}}))
    assert list(smfr_inspect.history_of("any")) == []
    data, now = load("algo", "test", limit=5), {"sharpness.l1": 0.5, "shares.A": 0.2, "difference": None}
    found = list(smfr_inspect.over_training("any", [], now, [data]))
    assert [(f.name, f.where["at"], f.value) for f in found] == [("sharpness.l1", "the network as it is", 0.5)]


def silent(task: str, **sizes: int) -> BlockNetwork:
    """Return an SMFR without hidden layers, all of whose logits are zero."""
    model = BlockNetwork(SMFRConfig(**sizes_of(task), layers=0, **sizes)).eval()
    for parameter in model.parameters():
        parameter.data.zero_()
    return model


def test_the_weight_on_the_asked_pair_is_all_or_half_where_that_is_known() -> None:
    data, model = load("double", "validation", limit=50), silent("double", depth=0)
    assert smfr_inspect.asked_pair(model, data) == pytest.approx(np.full(50, 0.5))
    logits = model.smfr.mfnnr[0].multiplexer.fnn.linear[0].weight.data  # (5 sources x 1 block, 5 blocks x 10 numbers)
    logits[0:2, 40] = logits[2:4, 41] = 50.0  # the task block says which pair
    assert smfr_inspect.asked_pair(model, data) == pytest.approx(np.ones(50))
    assert len(set(data.subtask.tolist())) == 2


def test_the_assigned_variable_is_told_from_the_others() -> None:
    data, model = load("algo", "validation", limit=50), silent("algo", depth=0)
    made = model.smfr.mfnnr[0].fnnr.fnn.linear[0]
    gates = slice(50, 55)  # after the numbers of five new blocks
    made.bias.data[gates] = -50.0
    made.weight.data[gates, 100:105] = 100.0 * torch.eye(5)  # the task block, after five routed blocks and five values
    found = smfr_inspect.made_of(model, data)
    for source, unaltered, assigned in (("own value", 1 / 6, 0), ("others", 5 / 6, 0), ("computed", 0, 1)):
        assert found["unaltered"][source] == pytest.approx(np.full(50, unaltered), abs=1e-6), "all weights are alike"
        assert found["assigned"][source] == pytest.approx(np.full(50, assigned), abs=1e-6)


def test_a_copy_of_what_a_hidden_block_computed_is_computed() -> None:
    """All gates of the last MFNNR are closed; hidden block 1 computes, the others copy variables of their own."""
    data, model = load("algo", "validation", limit=20), silent("algo", depth=1, width=5)
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
