"""What training showed and what it left out: of which samples importance is, against literal slow versions."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from routescope.data import DataError, load
from routescope.data.text.sets import own_texts
from routescope.routing import Intervention, score
from routescope.routing.caused.distributions import choose_distribution, distribution_of
from routescope.routing.caused.importance import described, importance
from routescope.routing.caused.scoring import KeptUnits, all_subsets
from routescope.routing.caused.subsets import for_each_subset
from tests.core.routing.small import noise, small


def test_the_distribution_of_samples_is_what_the_card_says_or_unknown() -> None:
    circuit = small("neural_attentive_circuit")
    data = noise(circuit, 5)
    (domain,) = {data.domain}
    sums = replace(load("addmul", "validation", limit=4), held_out=torch.tensor([False, True, True, False]))
    for dataset, trained_on, held_out, limit, expected in (
        (data, (), (), None, ["unknown"] * 5),
        (data, ("other",), (), 9, ["unknown"] * 5),
        (data, (domain,), (), 3, ["in"] * 3),
        (data, (), (domain,), 3, ["out"] * 3),
        (sums, ("addmul",), (), 3, ["in", "out", "out"]),
        (sums, (), (), 3, ["unknown"] * 3),
        (sums, ("addmul",), ("addmul",), 3, ["out"] * 3),
        (own_texts("a text", "python"), ("python",), (), None, ["unknown"]),
    ):
        assert distribution_of(dataset, trained_on, held_out, limit).tolist() == expected


def test_one_distribution_is_chosen() -> None:
    mixed, whole, away = np.array(["in", "out", "in"]), np.full(2, "in"), np.full(2, "out")
    unknown = np.full(2, "unknown")

    def chosen(*arguments: object) -> tuple[str, list[int], list[bool] | None]:
        name, positions, taken = choose_distribution(*arguments)  # type: ignore[arg-type]
        return name, positions, None if taken is None else taken.tolist()

    assert chosen([mixed, whole, away]) == ("in", [0, 1], [True, False, True, True, True])
    assert chosen([mixed, whole, away], "out") == ("out", [0, 2], [False, True, False, True, True])
    assert chosen([whole]) == chosen([whole], "in") == ("in", [0], None)
    assert chosen([away]) == chosen([away], "out") == ("out", [0], None)
    assert chosen([]) == ("unknown", [], None)
    assert chosen([np.empty(0, "<U7")], "in") == ("in", [0], None)
    assert chosen([unknown]) == ("unknown", [0], None)
    assert chosen([unknown, whole]) == ("in", [1], None)
    with pytest.raises(DataError, match="is in distribution; all are distribution unknown"):
        choose_distribution([unknown], "in")
    with pytest.raises(DataError, match="no sample of these data sets is out of distribution; all are in distribution"):
        choose_distribution([whole], "out")


def test_importance_never_pools_a_domain_that_is_held_out() -> None:
    """Of both domains it is what it is of the one that training showed; of the other alone that is what it is of."""
    model = small("neural_attentive_circuit", modules=3, held_out=("there",))
    model.trained_on = ("here",)
    here, there = noise(model, 7, "here"), noise(model, 6, "there", seed=1)
    for asked, alone, name in ((None, here, "in"), ("in", here, "in"), ("out", there, "out")):
        result = importance(model, [here, there], 5, distribution=asked)  # type: ignore[arg-type]
        part = importance(model, [alone], 5)
        assert result.attrs["distribution"] == name == part.attrs["distribution"] and result.baseline.count == 5
        assert [(item["name"], item["count"]) for item in json.loads(result.attrs["data"])] == [(alone.name, 5)]
        for table in ("shapley", "single"):
            assert getattr(result, table).equals(getattr(part, table)), table
        timed = ["samples_per_second"]  # of another moment
        assert result.retention.drop(columns=timed).equals(part.retention.drop(columns=timed))
    with pytest.raises(DataError, match="out of distribution"):
        importance(model, [here], distribution="out")


def test_samples_that_are_taken_alone_count() -> None:
    """All subsets of the units are scored on some samples of a set."""
    model = small("neural_attentive_circuit", modules=3)
    data, taken = noise(model, 12), np.arange(12) % 3 == 0
    subsets = all_subsets(KeptUnits.of(model, [data], taken=taken), described(model, [data], None, None, taken))
    for kept in for_each_subset(model.units):
        gone = tuple(unit for unit in model.units if unit not in kept)
        right = score(model, data, Intervention(drop=gone)).correct
        assert subsets.value(kept).correct.tolist() == right[[0, 3, 6, 9]].tolist()
    assert [item["count"] for item in json.loads(subsets.dataset.attrs["data"])] == [4]
