"""smfr-double on small networks and few steps: splits, curves, shares, and architectures beside Table 6."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from routescope.data.blocks.tasks import DOUBLE
from routescope.experiments.smfr_double import (
    OOD,
    PART,
    PRINTED,
    SHARE,
    SPLITS,
    TABLE_6,
    WIDE,
    in_table_6,
    summarise,
)
from tests.core.experiments.small import Made

#: Table 6 as printed: alternate split, attention, depth, width, FNN layers, model size.
PRINTED_TABLE = """
True soft 1 9 2 95364
True soft 1 5 1 36096
False soft 1 9 1 54964
False soft 1 8 1 50247
False soft 1 10 1 59681
False soft 1 7 1 45530
False gumbel 1 8 1 50249
False soft 1 6 1 40813
True soft 1 10 1 59681
True soft 1 9 1 54964
True soft 1 8 1 50247
True soft 1 7 1 45530
True soft 1 6 1 40813
False gumbel 1 10 1 59683
True soft 2 10 1 111091
True gumbel 1 6 1 40815
False gumbel 1 7 1 45532
False gumbel 1 6 1 40815
True soft 1 6 2 81213
True soft 1 8 2 90647
True gumbel 1 9 1 54966
True soft 1 10 2 100081
True soft 2 9 2 160944
True soft 2 5 2 119976
False gumbel 1 9 1 54966
"""


def test_the_architectures_of_table_6_are_in_the_printed_grid_with_their_sizes() -> None:
    trials = [trial for sizes in PRINTED.smfr for trial in sizes.trials(options=SPLITS)]
    assert len(trials) == 240
    assert len(PRINTED.fnn.trials(options=SPLITS)) == 18
    found = {}
    for trial in trials:
        if in_table_6(trial):
            row = trial.row
            size = sum(p.numel() for p in trial.network("double").parameters())
            attention = {"softmax": "soft", "gumbel": "gumbel"}[row["attention"]]
            found[" ".join(map(str, (row["alternate"], attention, row["depth"], row["width"], row["layers"])))] = size
    assert found == {
        line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in PRINTED_TABLE.split("\n") if line
    }
    assert len(TABLE_6) == 25


def test_the_part_has_the_12_runs_that_the_share_is_about_of_which_table_6_has_9() -> None:
    trials = [trial for sizes in PART.smfr for trial in sizes.trials(options=SPLITS)]
    assert len({trial.name for trial in trials}) == 12
    assert all(dict(trial.sizes)["width"] >= 8 for trial in trials)
    assert Counter(map(in_table_6, trials)) == {True: 9, False: 3}


@pytest.mark.slow
def test_a_record_follows_every_trial_on_its_own_split(made: Callable[[str], Made]) -> None:
    found = made("smfr-double")
    rows = found.rows("trials")
    assert [row["alternate"] for row in rows] == [False, True, False, True, False] * 2
    assert [row["width"] for row in rows[:4]] == [1, 1, 8, 8]
    assert sorted(row["seed"] for row in rows) == list(range(10)), "no two trials learn from the same samples"
    for row in rows:
        curve = found.rows("curves", trial=row["trial"])
        assert [point["step"] for point in curve] == [2, 4, 6]
        assert row["ood_accuracy"] == curve[-1]["ood_accuracy"]
        assert all(0 <= point["ood_accuracy"] <= 1 for point in curve)
    share = found.figure(SHARE, network=WIDE)
    assert (share["count"], share["paper"]) == (4, 0.75)
    for name in (SHARE, OOD):
        assert found.figure(name, network="all SMFRs of the run")["paper"] is None, "4 trials are no 240"
    one = found.figure(OOD, network="SMFR", width=8, **{"alternate split": "True"})
    assert one["count"] == 2 and one["value"] == np.mean(
        [row["ood_accuracy"] for row in rows if row.get("width") == 8 and row["alternate"]]
    )
    assert found.record["data"][0]["count"] == len(DOUBLE.left_out().digits)


def test_shares_count_runs_with_everything_right() -> None:
    rows = [
        {"kind": "SMFR softmax", "attention": "softmax", "depth": 1, "width": 8, "layers": 1, "alternate": False,
         "ood_accuracy": 1.0 if run < 9 else 0.9998, "in_table_6": True}
        for run in range(12)
    ]  # fmt: skip
    share = next(figure for figure in summarise(rows, "data", whole=False) if figure.name == SHARE)
    assert (share.value, share.count, share.paper) == (0.75, 12, 0.75)
    assert share.low < 0.5 < 0.9 < share.high
