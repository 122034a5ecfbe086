"""Claims of *Block-Operations*."""

from routescope.experiments.results.claims import (
    BLOCKS,
    Cell,
    Claim,
    Difference,
    Link,
    PaperClaims,
    Repeats,
    Rows,
    Sampled,
)
from routescope.experiments.shared.tables import (
    BLOCKS_TABLE_1,
    BLOCKS_TABLE_2,
    BLOCKS_TABLE_3,
    BPMNIST_TITLES,
    FNN,
    GUMBEL,
    SOFTMAX,
)

WIDE: Rows = {"kind": SOFTMAX, "depth": 1, "width": (8, 9, 10)}


def _interference(kind: str, threshold: float) -> Claim:
    rows: dict[str, Cell] = {"kind": kind, "threshold": threshold}
    return Claim(
        f"accuracy on the preparation data, {kind}, threshold {threshold:g}",
        "Table 1",
        BLOCKS_TABLE_1[threshold][kind][0],
        "addition, then multiplication",
        ("addmul",),
        repeats=Repeats("trials", "preparation_data", rows, by=()),
    )


def _less_interference(kind: str, threshold: float) -> Claim:
    rows: dict[str, Cell] = {"kind": kind, "threshold": threshold}
    return Claim(
        f"{kind} minus FNN, threshold {threshold:g}",
        "Table 1",
        round(BLOCKS_TABLE_1[threshold][kind][0] - BLOCKS_TABLE_1[threshold][FNN][0], 3),
        "addition, then multiplication",
        ("addmul",),
        test="above 0",
        repeats=Repeats("trials", "preparation_data", rows, by=(), minus={**rows, "kind": FNN}),
        any_size=True,
    )


def _iterations(family: str, column: str, printed: float) -> Claim:
    return Claim(
        f"accuracy at {column} numbers of iterations, the five best {family}s",
        "Table 2",
        printed,
        "conditional assignments",
        ("algo",),
        repeats=Repeats("trials", column, {"family": family}, by=(), best=("validation", 5)),
    )


def _odd_above(family: str) -> Claim:
    best = ("validation", 5)
    return Claim(
        f"accuracy at odd numbers of iterations, SMFR minus {family}",
        "Table 2",
        round(1.0 - BLOCKS_TABLE_2[family][1], 3),
        "conditional assignments",
        ("algo",),
        test="above 0",
        repeats=Repeats("trials", "odd", {"family": "SMFR"}, by=(), minus={"family": family}, best=best),
        any_size=True,
    )


CLAIMS = (
    PaperClaims(
        "smfr-addmul",
        "Negative interference: addition, then multiplication",
        BLOCKS,
        "Tables 1, 4 and 5",
        (
            *(_interference(kind, threshold) for threshold in BLOCKS_TABLE_1 for kind in (FNN, GUMBEL, SOFTMAX)),
            *(_less_interference(kind, threshold) for threshold in BLOCKS_TABLE_1 for kind in (GUMBEL, SOFTMAX)),
        ),
        (
            Difference(
                "networks of the grid",
                "",
                "90 FNN; 63 SMFR Gumbel; 63 SMFR softmax",
                of="count trials.kind",
            ),
        ),
        (Link("Blocks of smfr-addmul", "blocks", "smfr-addmul"),),
    ),
    PaperClaims(
        "smfr-double",
        "Reuse of what was learned for one pair of digits on another",
        BLOCKS,
        "section 5.2 and A.2.2, Table 6 and Figure 3",
        (
            Claim(
                "share of runs at 100 % out of distribution: softmax, depth 1, width 8 or more",
                "section 5.2",
                0.75,
                "double addition",
                ("double",),
                repeats=Repeats("trials", "ood_accuracy", WIDE, by=(), reaches=1.0),
                any_size=True,
                digits=2,
            ),
            Claim(
                "share of runs at 100 % out of distribution: all SMFRs of the grid",
                "section 5.2",
                0.104,
                "double addition",
                ("double",),
                repeats=Repeats("trials", "ood_accuracy", {"kind": (SOFTMAX, GUMBEL)}, by=(), reaches=1.0),
            ),
            Claim(
                "share of SMFRs at 100 % out of distribution that stay there",
                "A.2.2",
                1.0,
                "double addition",
                ("double",),
                repeats=Repeats("trials", "lowest_since_1", {"kind": (SOFTMAX, GUMBEL)}, by=(), reaches=1.0),
                any_size=True,
            ),
            Claim(
                "accuracy out of distribution: all SMFRs of the grid",
                "section 5.2",
                0.205,
                "double addition",
                ("double",),
                repeats=Repeats("trials", "ood_accuracy", {"kind": (SOFTMAX, GUMBEL)}, by=()),
            ),
            Claim(
                "accuracy out of distribution: FNNs",
                "section 5.2",
                0.0,
                "double addition",
                ("double",),
                repeats=Repeats("trials", "ood_accuracy", {"kind": FNN}, by=()),
                digits=1,
            ),
        ),
        (Difference("networks of the grid", "", "18 FNN; 120 SMFR Gumbel; 120 SMFR softmax", of="count trials.kind"),),
        (Link("Blocks of smfr-double", "blocks", "smfr-double"),),
    ),
    PaperClaims(
        "smfr-algo",
        "Conditional assignments, run for other numbers of iterations than were trained",
        BLOCKS,
        "section 5.3 and A.2.3, Tables 2 and 7, Figure 4",
        (
            *(
                _iterations(family, column, printed)
                for family, both in BLOCKS_TABLE_2.items()
                for column, printed in zip(("even", "odd"), both, strict=True)
            ),
            *(_odd_above(family) for family in ("FNN", "Transformer")),
        ),
        (
            Difference(
                "networks of the grid",
                "",
                "15 FNN; 99 SMFR; 30 SMFR, noisy; 54 Transformer",
                {"depths": tuple(range(11))},
                "count trials.family",
            ),
        ),
        (Link("Blocks of smfr-algo", "blocks", "smfr-algo"),),
    ),
    PaperClaims(
        "smfr-bpmnist",
        "Digits in strips under eight permutations",
        BLOCKS,
        "section 5.4 and A.2.4, Table 3",
        tuple(
            Claim(
                f"test accuracy of the {title} after 25,000 steps",
                "Table 3",
                BLOCKS_TABLE_3[model][0],
                "block-permuted MNIST",
                ("bpmnist",),
                repeats=Repeats("permutations", "accuracy", {"model": model, "split": "test"}),
                sampled=Sampled("accuracy", {"model": title, "split": "test"}),
            )
            for model, title in BPMNIST_TITLES.items()
        ),
        (Difference("networks of each kind", "1", "the 5 best of a grid"),),
        (Link("Blocks of smfr-bpmnist", "blocks", "smfr-bpmnist"),),
    ),
    PaperClaims(
        "smfr-inspect",
        "Attention, permutations and gates over training",
        BLOCKS,
        "A.2.4 and A.4",
        (
            Claim(
                "attention becomes sharp in training",
                "A.2.4",
                None,
                "block-permuted MNIST",
                test=None,
                sampled=Sampled("sharpness.l1", {"model": "smfr-bpmnist", "at": "the network as it is"}),
                unit="",
            ),
            Claim(
                "the first layer gives every permutation the same mapping",
                "A.2.4",
                None,
                "block-permuted MNIST",
                test=None,
                sampled=Sampled("difference", {"model": "smfr-bpmnist", "at": "the network as it is"}),
                unit="",
            ),
        ),
        (Difference("networks of each kind", "1", "the 5 best of a grid"),),
        (Link("Blocks of smfr-bpmnist", "blocks", "smfr-bpmnist"),),
    ),
)
