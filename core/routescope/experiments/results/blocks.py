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

FNN, SOFTMAX, GUMBEL = "FNN", "SMFR softmax", "SMFR Gumbel"
#: Table 1: preparation-data accuracy by threshold and kind.
TABLE_1 = {
    0.7: {FNN: 0.032, SOFTMAX: 0.142, GUMBEL: 0.088},
    0.8: {FNN: 0.056, SOFTMAX: 0.184, GUMBEL: 0.119},
    0.9: {FNN: 0.123, SOFTMAX: 0.259, GUMBEL: 0.208},
    0.95: {FNN: 0.202, SOFTMAX: 0.326, GUMBEL: 0.292},
    1.0: {FNN: 0.350, SOFTMAX: 0.434, GUMBEL: 0.395},
}
#: Table 2: accuracy of the five best of each family after even and odd numbers of iterations.
TABLE_2 = {"SMFR": (1.0, 1.0), "FNN": (1.0, 0.187), "Transformer": (0.984, 0.099)}
#: Table 3: test accuracy after 25,000 steps.
TABLE_3 = {
    "fnn-bpmnist": ("FNN", 0.949),
    "transformer-bpmnist": ("Transformer", 0.975),
    "smfr-bpmnist": ("SMFR", 0.945),
    "smfr-bpmnist-bias": ("SMFR bias", 0.984),
    "smfr-bpmnist-no-context": ("SMFR no_context", 0.982),
}
WIDE: Rows = {"kind": SOFTMAX, "depth": 1, "width": (8, 9, 10)}


def _interference(kind: str, threshold: float) -> Claim:
    rows: dict[str, Cell] = {"kind": kind, "threshold": threshold}
    return Claim(
        f"accuracy on the preparation data, {kind}, threshold {threshold:g}",
        "Table 1",
        TABLE_1[threshold][kind],
        "addition, then multiplication",
        ("addmul",),
        repeats=Repeats("trials", "preparation_data", rows, by=()),
    )


def _less_interference(kind: str, threshold: float) -> Claim:
    rows: dict[str, Cell] = {"kind": kind, "threshold": threshold}
    return Claim(
        f"{kind} minus FNN, threshold {threshold:g}",
        "Table 1",
        round(TABLE_1[threshold][kind] - TABLE_1[threshold][FNN], 3),
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
        repeats=Repeats("trials", column, {"family": family}, by=(), best=("4 iterations", 5)),
    )


def _odd_above(family: str) -> Claim:
    best = ("4 iterations", 5)
    return Claim(
        f"accuracy at odd numbers of iterations, SMFR minus {family}",
        "Table 2",
        round(1.0 - TABLE_2[family][1], 3),
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
            *(_interference(kind, threshold) for threshold in TABLE_1 for kind in (FNN, GUMBEL, SOFTMAX)),
            *(_less_interference(kind, threshold) for threshold in TABLE_1 for kind in (GUMBEL, SOFTMAX)),
        ),
        (
            Difference(
                "networks of the grid",
                "9 FNNs, 9 SMFRs of each kind",
                "90 FNNs, 63 SMFRs of each kind",
                {"fnn_trials": 10},
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
        (Difference("networks of the grid", "12 SMFRs and 4 FNNs", "240 SMFRs and 18 FNNs", {"fnn_splits": 2}),),
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
                for family, both in TABLE_2.items()
                for column, printed in zip(("even", "odd"), both, strict=True)
            ),
            *(_odd_above(family) for family in ("FNN", "Transformer")),
        ),
        (
            Difference("SMFRs, FNNs and Transformers of the grid", "9, 3 and 1", "99, 15 and 54", {"steps": 30_000}),
            Difference("steps", "15,000", "not printed", {"steps": 30_000}),
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
                printed,
                "block-permuted MNIST",
                ("bpmnist",),
                repeats=Repeats("permutations", "accuracy", {"model": model, "split": "test"}),
                sampled=Sampled("accuracy", {"model": title, "split": "test"}),
            )
            for model, (title, printed) in TABLE_3.items()
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
