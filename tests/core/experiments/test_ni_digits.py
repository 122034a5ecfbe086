"""ni-digits: networks trained side by side, going on after an interruption, and figures that follow from the rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope.experiments import ni_digits, reproduce
from routescope.experiments.ni_digits import EXPERIMENT, Settings
from routescope.experiments.shared.frame import Extent
from routescope.experiments.shared.tables import NI_TABLES_4_5
from routescope.nn.baselines.vit import VisionTransformerConfig
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks.mixture import Mixture
from routescope.zoo import checkpoint
from tests.core.experiments.small import Interrupted, Made, small, small_digits

DOMAINS = ("mnist", "mnist-m", "street-digits")
KINDS = {"Neural Interpreter": 3, "Neural Interpreter, routing rewarded (0.08)": 3, "Vision Transformer": 2}


def count_batches(monkeypatch: pytest.MonkeyPatch, fails_at: int) -> list[int]:
    """Return the sizes of the batches that trainings take; taking the batch ``fails_at``, from 1, fails."""
    sizes: list[int] = []
    plain = Mixture.__getitems__

    def counted(self: Mixture, indices: list[int]) -> Any:
        sizes.append(len(indices))
        if len(sizes) == fails_at:
            raise Interrupted
        return plain(self, indices)

    monkeypatch.setattr(Mixture, "__getitems__", counted)
    return sizes


@pytest.mark.slow
def test_an_interrupted_training_ends_as_one_that_was_not(
    made: Callable[[str], Made], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step is made twice, and nothing is measured again."""
    whole = made("ni-digits")
    (folder,) = (whole.folder / "data" / "runs" / "ni-digits").iterdir()
    assert folder.is_dir() and not list(folder.glob("*/training")), "networks stay, the states of trainings do not"
    revisions: dict[str, set[str]] = {}
    for row in whole.rows("trainings"):
        model = checkpoint.load(folder / f"{row['recipe']}-{row['seed']}" / "model.safetensors")
        assert model.revision == row["revision"] and row["steps"] == 3
        assert sum(parameter.numel() for parameter in model.parameters()) == row["parameters"]
        revisions.setdefault(row["recipe"], set()).add(model.revision)
    assert [len(each) for each in revisions.values()] == [2, 2, 2], "seeds differ"
    assert len(set.union(*revisions.values())) == 6, "the reward is in the objective"
    small_digits(monkeypatch)
    experiment = small("ni-digits", networks=("ni-digits",))
    fetched = count_batches(monkeypatch, fails_at=5)  # the second of three in the second training
    with pytest.raises(Interrupted):
        reproduce(experiment, folder=tmp_path)
    again = Made(reproduce(experiment, folder=tmp_path)[0], [], tmp_path)
    assert again.record["measurements"] == {"all": 6, "from_an_interrupted_run": 3}
    assert len(fetched) == 6 + 1
    for table in again.record["tables"]:
        assert again.rows(table) == whole.rows(table, network="Neural Interpreter, routing rewarded (0.08)")


@pytest.mark.slow
def test_figures_are_means_over_seeds_of_what_the_tables_hold(made: Callable[[str], Made]) -> None:
    found = made("ni-digits")
    for (kind, units), domain in ((kind, domain) for kind in KINDS.items() for domain in DOMAINS):
        rows = found.rows("accuracies", network=kind, domain=domain)
        values = [row["accuracy"] for row in rows]
        figure = found.figure("accuracy", network=kind, domain=domain)
        assert len(values) == figure["where"]["seeds"] == 2 and figure["value"] == pytest.approx(np.mean(values))
        assert f"{NI_TABLES_4_5[rows[0]['architecture']][domain]:.1%}" in figure["paper_says"]
        deviation = found.figure("accuracy, standard deviation over seeds", network=kind, domain=domain)
        assert deviation["value"] == pytest.approx(np.std(values, ddof=1))
        for size in range(units + 1):
            by_seed = [
                [
                    row["accuracy"]
                    for row in found.rows("subsets", network=kind, domain=domain, seed=seed)
                    if len(row["dropped"]) == size
                ]
                for seed in (0, 1)
            ]
            for name, choose in (("mean", np.mean), ("least", min), ("most", max)):
                where = {"network": kind, "domain": domain, "dropped": size, "of": units}
                figure = found.figure(f"{name} accuracy over subsets", **where)
                assert figure["value"] == pytest.approx(np.mean([choose(values) for values in by_seed]))
                assert figure["count"] == 12
    assert {row["network"] for row in found.rows("routing")} == set(KINDS) - {"Vision Transformer"}
    for name, most in (("entropy of a token's routing", 1), ("functions that a token is spread over", 3)):
        figures = found.figures(name)
        assert len(figures) == 2 and all(0 < each["value"] <= most * (1 + 1e-6) for each in figures)


def test_a_record_names_its_training_data_and_its_stand_ins(made: Callable[[str], Made]) -> None:
    record = made("ni-digits").record
    (training,) = [each for each in record["data"] if each["split"] == "train"]
    assert training["count"] == 8030 and training["stand_in"] and "SVHN" in training["stand_in_for"]
    assert "Street digits (rendered; SVHN stand-in)" in training["title"]
    assert {each["name"] for each in record["data"] if each["split"] == "validation"} == set(DOMAINS)
    printed = {each["what"]: each["value"] for each in record["paper_figures"]}
    assert (printed["SVHN, Neural Interpreter"], printed["MNIST, Vision Transformer"]) == (0.962, 0.996)
    assert printed["accuracy on the digit sets against dropped functions"] is None and len(printed) == 7


def test_nothing_is_kept_of_a_training_that_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_digits(monkeypatch)
    monkeypatch.setattr(ni_digits, "train", lambda *_, **__: None)
    with pytest.raises(RuntimeError, match="ni-digits-unrewarded, seed 0 was stopped; the same command goes on"):
        reproduce(small("ni-digits"), folder=tmp_path)
    assert not list(tmp_path.glob("*.json"))
    with pytest.raises(ValueError, match="same domains"):
        reproduce(small("ni-digits", networks=("ni-digits", "nac-frozen-images")), folder=tmp_path)


def test_full_settings_are_the_printed_sizes_and_quick_ones_few() -> None:
    full = EXPERIMENT.settings_of(Extent(full=True))
    assert full.steps is None and full.seeds == 3
    for name in full.networks:
        settings = RECIPES[name].settings
        assert (settings.steps, settings.batch_size, settings.learning_rate) == (150_000, 128, 8e-4)
        assert settings.routing_weight == 0
    assert RECIPES["ni-digits-printed"].config == NeuralInterpreterConfig()
    assert RECIPES["vit-digits-printed"].config == VisionTransformerConfig()
    assert EXPERIMENT.settings_of(Extent(quick=True)).steps < Settings().steps
