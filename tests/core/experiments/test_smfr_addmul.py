"""smfr-addmul on few small networks and few steps: branches, what is counted, and figures beside the paper's."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from routescope.data.blocks.tasks import ADDMUL
from routescope.experiments import experiments
from routescope.experiments.shared.block_grids import Progressing
from routescope.experiments.shared.frame import Extent
from routescope.experiments.smfr_addmul import FNN, GUMBEL, PRINTED, SOFTMAX, Settings, measure, size_class, summarise
from routescope.nn.blocks.operations import regularisation
from routescope.nn.inputs.blocks import Blocks
from routescope.training.grids.trials import Lessons, Trial, samples
from tests.core.experiments.small import Made, small

CHOSEN = small("smfr-addmul").settings


class Unheard(Progressing):
    def __init__(self) -> None: ...

    def say(self, stage: str, step: int, of: int) -> None: ...


@pytest.mark.slow
def test_the_printed_grid_has_63_architectures_of_each_kind_and_90_feed_forward_networks() -> None:
    trials = [trial for sizes in PRINTED.smfr for trial in sizes.trials()] + PRINTED.fnn.trials(PRINTED.fnn_trials)
    assert Counter(trial.kind for trial in trials) == {SOFTMAX: 63, GUMBEL: 63, FNN: 90}
    assert experiments()["smfr-addmul"].settings_of(Extent(full=True)) == PRINTED
    sizes = [sum(p.numel() for p in trial.network("addmul").parameters()) for trial in trials]
    # "model sizes in the range of roughly 13k to 280k parameters for both" (A.2.1)
    assert 12_000 < min(sizes) < 14_500
    assert 275_000 < max(sizes) < 290_000


def test_a_record_has_every_trial_at_every_threshold(made: Callable[[str], Made]) -> None:
    found = made("smfr-addmul")
    rows = found.rows("trials")
    assert sorted({row["seed"] for row in rows}) == list(range(12)) and len(rows) == 2 * (4 + 2) * 3
    for row in rows:
        assert row["size"] == size_class(row["parameters"])
        if row["preparation_data"] is None:
            assert row["threshold"] > 0.0
        else:
            assert row["prepared_for"] in range(CHOSEN.window, 41)
            assert row["preparation_data"] * 50 == pytest.approx(round(row["preparation_data"] * 50))
    for line in found.rows("table 1"):
        own = found.rows("trials", kind=line["kind"], threshold=line["threshold"])
        values = [row["preparation_data"] for row in own if row["preparation_data"] is not None]
        assert line["never_passed"] == len(own) - len(values)
        assert line["mean"] == pytest.approx(sum(values) / len(values))
    assert {line["kind"] for line in found.rows("table 1", threshold=0.0)} == {FNN, SOFTMAX, GUMBEL}
    (data,) = found.record["data"]
    assert (data["name"], data["count"]) == ("addmul", 50)


@pytest.mark.slow
def test_a_branch_is_trained_as_one_network_with_one_adam() -> None:
    chosen = replace(CHOSEN, thresholds=(0.1, 0.12), preparation=120, interference=12)
    sizes = (("attention", "softmax"), ("depth", 1), ("layers", 1), ("width", 2))
    trials = [Trial("smfr", sizes, seed) for seed in (3, 4)]
    expected = [literal(chosen, trial, threshold) for trial in trials for threshold in chosen.thresholds]
    for row, (steps, kept) in zip(measure(chosen, trials, Unheard()), expected, strict=True):
        assert row["prepared_for"] == steps
        assert row["preparation_data"] == pytest.approx(kept, abs=0.021)


def literal(chosen: Settings, trial: Trial, threshold: float) -> tuple[int, float]:
    """The definition: one network, one optimizer, until the threshold and then so many steps more."""
    model = trial.network("addmul").train()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)

    def step(batch: Any) -> None:
        (values, tasks), digits = batch
        model.train()
        made, passed = model.smfr(torch.cat((values[0], tasks[0]), dim=1))
        loss = F.mse_loss(made, F.one_hot(digits[0], 10).float()) + regularisation(passed)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()

    def right(inputs: Blocks, digits: Any) -> float:
        with torch.no_grad():
            return float((model.eval().run(inputs).argmax(-1) == digits).double().mean())

    preparation = Lessons(ADDMUL, [trial], chosen.training.batch_size, stage="preparation")
    batches: list[float] = []
    while len(batches) < chosen.window or sum(batches[-chosen.window :]) / chosen.window < threshold:
        (values, tasks), digits = batch = preparation.next()
        batches.append(right(Blocks(values[0], tasks[0], torch.zeros(len(values[0]), dtype=torch.int64)), digits[0]))
        step(batch)
    interference = Lessons(ADDMUL, [trial], chosen.training.batch_size, stream=1, stage="interference")
    for _ in range(chosen.interference):
        step(interference.next())
    return len(batches), right(*samples(ADDMUL, ADDMUL.left_out(stage="interference")))


def test_figures_are_means_beside_the_papers() -> None:
    rows = [
        {"kind": kind, "threshold": 0.7, "size": size, "layers": layers, "preparation_data": value}
        for kind, size, layers, value in (
            (SOFTMAX, "HIGH", 1, 0.1),
            (SOFTMAX, "LOW", 2, 0.3),
            (GUMBEL, "LOW", 2, 0.2),
            (GUMBEL, "LOW", 2, None),
            (FNN, "MID", 2, 0.1),
        )
    ]
    found = list(summarise(PRINTED, rows, "data"))

    def one(**where: Any) -> Any:
        (figure,) = [each for each in found if where.items() <= each.where.items()]
        return figure

    softmax = one(table=1, network=SOFTMAX)
    assert (softmax.value, softmax.count, softmax.paper) == (pytest.approx(0.2), 2, 0.142)
    assert softmax.low == 0.0 < softmax.value < softmax.high == 1.0  # Student's interval of two values is wide
    assert one(table=1, network=GUMBEL).count == 1
    (times,) = [each for each in found if each.unit == "times"]
    assert (times.value, times.paper) == (pytest.approx(2.0), 4.44)
    assert one(table=4, network=SOFTMAX, size="LOW").paper == 0.107
    layers_2 = one(table=5, **{"hidden layers": 2})
    assert (layers_2.value, layers_2.count, layers_2.paper) == (pytest.approx(0.25), 2, 0.134)
    assert list(summarise(replace(PRINTED, seeds=3), rows, "data")) == found
    for figure in summarise(replace(PRINTED, fnn_trials=1), rows, "data"):
        assert figure.paper is None
        assert "over its whole grid" in figure.paper_says
        assert "1 of each" in figure.where["grid"]
        assert figure.unit == "times" or ("One network alone" in figure.paper_says) == (figure.count == 1)
    rows = [
        {"kind": kind, "threshold": 1.0, "size": "MID", "layers": 1, "preparation_data": value}
        for kind, value in ((SOFTMAX, 0.5), (FNN, 0.8))
    ]
    (times,) = [each for each in summarise(PRINTED, rows, "data") if each.unit == "times"]
    assert times.value == pytest.approx(0.625) and "the FNNs keep more" in times.paper_says
