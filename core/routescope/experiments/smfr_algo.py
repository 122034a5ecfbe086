"""smfr-algo: conditional assignments, learned on two iterations and run for one to nine (paper: section 5.3, A.2.3).

Every trial is trained here, from scratch, on programs of two subtasks. Even numbers of iterations ask for more of the
same; odd ones can only be right where a network has learned what a single iteration does. The paper does not say
whether the two subtasks of a program are drawn each or are the same: here each is drawn, as with the same one SMFRs
fail after odd numbers of iterations, which print does not have.

Accuracy is the share of variables that are right, over all five of all samples: a network whose state is no digits is
at chance, 0.1, as the paper's baselines are. *Exact* is the share of samples with all five right.

The paper's grid has 99 SMFRs, 15 feed-forward networks and 54 Transformers; without ``--full`` a part of it is
trained, which the record names. Families are parts that run alone. At depth 0 the width says nothing: such a network is
trained and counted once. Trials of one seed learn from the same samples. Neither steps nor batch sizes are printed. The
best trials are those of the highest accuracy at four iterations, as in the paper, on validation samples. In the noisy
variant all numbers of the state are permuted before every iteration, in a way that is fixed for each trial.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from routescope.data.blocks.sets import BlockSet
from routescope.data.blocks.tasks import ALGO
from routescope.experiments.shared.block_grids import REFERENCE, mean_figure
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure
from routescope.experiments.shared.tables import BLOCKS_TABLE_2, BLOCKS_TABLE_7
from routescope.routing.caused.intervals import wilson_interval
from routescope.training.grids.many import Group
from routescope.training.grids.trials import Lessons, Trial, group_of, in_groups, train, trials_of

#: The paper's measure of generalisation to longer programs, and of having learned a single iteration.
EVEN, ODD = (4, 6, 8), (1, 3, 5, 7, 9)
MOST = 9
#: The accuracy by which the best trials of a family are chosen is after this many iterations, on validation samples.
CRITERION = 4
BEST = 5
FAMILIES = ("SMFR", "FNN", "Transformer")
NOISY = "SMFR, noisy"
#: Parts that run alone -> the family that each trains.
PARTS = {"smfr": "SMFR", "noisy": NOISY, "fnn": "FNN", "transformer": "Transformer"}
#: Sizes are low below the first and high from the second on (A.2.1; for this task the paper does not say).
LOW, HIGH = 50_000, 200_000
SHARE = "share of trials"
ALL_RIGHT = "share of samples, mean over trials"
#: From here on a table with three digits prints 1.000.
ROUNDS_TO_ONE = 0.9995


@dataclass(frozen=True)
class Settings:
    """A grid, and how its trials are trained.

    Attributes:
        widths, depths, layers: of SMFRs; every combination is a trial. Of depth 0 there is one for all widths.
        fnn_hidden, fnn_layers: of feed-forward networks.
        heads, internal, transformer_layers: of Transformers.
        noisy_widths, noisy_depths: of SMFRs whose numbers are permuted before each iteration; each has a permutation of
            its own.
        seeds: how many, of each architecture.
        samples: of the test split that are run, and of the validation split.
        families: that are trained.
        together: trials that are trained at once, at most.
    """

    widths: tuple[int, ...] = (6, 8, 10)
    depths: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    layers: tuple[int, ...] = (1,)
    fnn_hidden: tuple[int, ...] = (100, 200, 300)
    fnn_layers: tuple[int, ...] = (2, 3, 4, 5, 6)
    heads: tuple[int, ...] = (1, 4, 8)
    internal: tuple[int, ...] = (400, 1200, 2000)
    transformer_layers: tuple[int, ...] = (1,)
    noisy_widths: tuple[int, ...] = (6, 8, 10)
    noisy_depths: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    seeds: int = 1
    steps: int = 50_000
    batch_size: int = 32
    samples: int = 1_000
    together: int = 12
    families: tuple[str, ...] = tuple(PARTS.values())


def trials(chosen: Settings) -> dict[str, list[Trial]]:
    """Return all trials of the chosen families; noisy SMFRs are a family of their own."""
    smfr: dict[str, tuple[int | str, ...]]
    smfr = {"attention": ("softmax",), "depth": chosen.depths, "width": chosen.widths, "layers": chosen.layers}
    noisy = {**smfr, "depth": chosen.noisy_depths, "width": chosen.noisy_widths, "layers": chosen.layers[:1]}
    transformer = {
        "features": (32,),
        "heads": chosen.heads,
        "internal": chosen.internal,
        "layers": chosen.transformer_layers,
    }
    seeds = range(chosen.seeds)
    shuffled = [
        replace(trial, sizes=(*trial.sizes, ("shuffle_seed", at)))
        for at, trial in enumerate(trials_of("smfr", noisy, seeds))
    ]
    by_family = {
        "SMFR": [trial for trial in trials_of("smfr", smfr, seeds) if is_distinct(trial, chosen)],
        NOISY: shuffled,
        "FNN": trials_of("block_fnn", {"hidden": chosen.fnn_hidden, "layers": chosen.fnn_layers}, seeds),
        "Transformer": trials_of("block_transformer", transformer, seeds),
    }
    return {family: by_family[family] for family in chosen.families}


def is_distinct(trial: Trial, chosen: Settings) -> bool:
    """Return whether an SMFR's trial differs from all others: those of depth 0 have no width."""
    sizes = dict(trial.sizes)
    return sizes["depth"] != 0 or sizes["width"] == chosen.widths[0]


def run(context: Context) -> Outcome:
    """Train every trial, and run it for one to nine iterations on the same samples."""
    chosen: Settings = context.settings
    context.seeds["first trials"] = 0
    validation, data = (context.data(ALGO.name, split, chosen.samples) for split in ("validation", "test"))
    groups = [
        (kind, group) for kind, own_trials in trials(chosen).items() for group in in_groups(own_trials, chosen.together)
    ]
    context.expect(len(groups))
    rows = [{"family": kind, **row} for kind, group in groups for row in measure(context, group, validation, data)]
    whole = replace(chosen, seeds=1) == context.experiment.full
    figures = [*best(rows, data), *by_size(rows, data, whole), *curves(rows, data), *converged(rows, data)]
    return Outcome(figures, {"trials": rows})


def measure(context: Context, group: Sequence[Trial], validation: BlockSet, data: BlockSet) -> list[dict[str, Any]]:
    """Train trials of one shape together; return each one's accuracy by number of iterations, and its criterion."""
    chosen: Settings = context.settings
    words = f"{len(group)} trials from {group[0].name}"

    def make() -> dict[str, Any]:
        networks = group_of(group, ALGO.name)
        counts = [sum(p.numel() for p in model.parameters()) for model in networks.models()]

        def look(step: int, losses: Any) -> bool:
            context.underway(f"{words}: step {step:,} of {chosen.steps:,}, loss {float(losses.mean()):.4f}")
            return False

        train(networks, Lessons(ALGO, group, chosen.batch_size), chosen.steps, max(1, chosen.steps // 50), look)
        ((criteria, _),) = run_for(networks, validation, [CRITERION])
        accuracies = np.array(run_for(networks, data))
        return {
            "rows": [
                {
                    **trial.row,
                    "parameters": counts[at],
                    "steps": chosen.steps,
                    "validation": criteria[at],
                    **accuracy_columns(accuracies[:, 0, at]),
                    **{f"{name}, exact": share for name, share in accuracy_columns(accuracies[:, 1, at]).items()},
                }
                for at, trial in enumerate(group)
            ]
        }

    rows: list[dict[str, Any]] = context.measure(words, make)["rows"]
    return rows


def run_for(
    networks: Group, data: BlockSet, iterations: Sequence[int] = range(1, MOST + 1)
) -> list[tuple[list[float], list[float]]]:
    """Return after each number of iterations every network's share of right variables, and of samples all right."""
    assert data.digits is not None
    inputs = data.inputs(range(len(data)))
    states = ALGO.states(data.digits, data.program[:, :MOST])
    right = (networks.right(inputs, states[:, n], n) for n in iterations)
    return [(at.double().mean(dim=(1, 2)).tolist(), at.all(dim=2).double().mean(dim=1).tolist()) for at in right]


def accuracy_columns(accuracy: np.ndarray) -> dict[str, float]:
    """Return columns of a table from accuracies (iterations,), and their means over even and odd numbers."""
    columns = {f"{n} iterations": float(accuracy[n - 1]) for n in range(1, MOST + 1)}
    even, odd = (float(np.mean([columns[f"{n} iterations"] for n in some])) for some in (EVEN, ODD))
    return {**columns, "even": even, "odd": odd}


def figure(
    name: str,
    where: Mapping[str, str | int],
    values: Sequence[float],
    data: BlockSet,
    paper: float | None,
    says: str,
    unit: str = "share of variables, mean over trials",
) -> Figure:
    """Return a mean over ``count`` trials with its interval; a share of trials has Wilson's."""
    result = replace(mean_figure(name, where, values, data.title, paper, says), unit=unit)
    if unit == SHARE:
        low, high = wilson_interval(round(sum(values)), len(values))
        result = replace(result, low=low, high=high)
    return result


def best(rows: Sequence[Mapping[str, Any]], data: BlockSet) -> Iterator[Figure]:
    """Yield Table 2: the five best trials of each family by accuracy at four iterations on validation samples."""
    for family in FAMILIES:
        top = sorted((r for r in rows if r["family"] == family), key=lambda r: -r["validation"])[:BEST]
        for column, printed in zip(("even", "odd"), BLOCKS_TABLE_2[family], strict=True) if top else ():
            says = f"Table 2, five best trials of its whole grid: {printed:.3f}"
            name, where = f"at {column} iterations, the best {len(top)} trials", {"family": family}
            yield figure(f"accuracy {name}", where, [row[column] for row in top], data, printed, says)
            exact = [row[f"{column}, exact"] for row in top]
            yield figure(f"all variables right {name}", where, exact, data, None, "not printed", ALL_RIGHT)


def size_of(parameters: int) -> str:
    """Return Table 7's size class of a network."""
    return "low" if parameters < LOW else "high" if parameters >= HIGH else "mid"


def by_size(rows: Sequence[Mapping[str, Any]], data: BlockSet, whole: bool) -> Iterator[Figure]:
    """Yield Table 7: means over all trials of a family by size; the paper's numbers if the grid is ``whole``."""
    for (family, size), printed in BLOCKS_TABLE_7.items():
        size_rows = [row for row in rows if row["family"] == family and size_of(row["parameters"]) == size]
        for column, paper in zip(("even", "odd"), printed, strict=True):
            if size_rows:
                yield figure(
                    f"accuracy at {column} iterations, all trials of a size",
                    {"family": family, "size": size},
                    [row[column] for row in size_rows],
                    data,
                    paper if whole else None,
                    f"Table 7, over its whole grid: {paper:.3f}",
                )


def curves(rows: Sequence[Mapping[str, Any]], data: BlockSet) -> Iterator[Figure]:
    """Yield Figure 4: mean accuracy, and share of trials at 1.000, after each number of iterations."""
    for family in dict.fromkeys(row["family"] for row in rows):
        for n in range(1, MOST + 1):
            values = [row[f"{n} iterations"] for row in rows if row["family"] == family]
            where: dict[str, str | int] = {"family": family, "iterations": n}
            says = "Figure 4, no number: only SMFRs are right after odd numbers of iterations"
            yield figure("accuracy, all trials", where, values, data, None, says)
            right = [float(value >= ROUNDS_TO_ONE) for value in values]
            yield figure("trials with an accuracy of 1.000", where, right, data, None, says, SHARE)


def converged(rows: Sequence[Mapping[str, Any]], data: BlockSet) -> Iterator[Figure]:
    """Yield claims of the text: SMFRs of depth 1 to 5 reach 1.000 at any number of iterations; noisy ones rarely do."""
    deep = [row for row in rows if row["family"] == "SMFR" and 1 <= row["depth"] <= 5]
    noisy = [row for row in rows if row["family"] == NOISY]
    for group, paper, says in (
        (deep, 1.0, "all SMFRs of depth 1 to 5 are"),
        (noisy, 1 / 30, "one of 30 trials is"),
    ):
        if group:
            depths = ", ".join(str(depth) for depth in sorted({row["depth"] for row in group}))
            every = [float(all(row[f"{n} iterations"] >= ROUNDS_TO_ONE for n in range(1, MOST + 1))) for row in group]
            where: dict[str, str | int] = {"family": group[0]["family"], "depth": depths}
            yield figure("trials at 1.000 after every number", where, every, data, paper, says, SHARE)
    if noisy:
        yield figure(
            "accuracy at odd iterations, all trials",
            {"family": NOISY},
            [row["odd"] for row in noisy],
            data,
            None,
            "no number: lower than without noise, and better than feed-forward networks on average",
        )


def part(whole: Settings, parts: tuple[str, ...]) -> Settings:
    """Return the settings of some families alone."""
    return replace(whole, families=tuple(PARTS[name] for name in parts))


EXPERIMENT = Experiment(
    id="smfr-algo",
    title="Conditional assignments, run for other numbers of iterations than were trained",
    paper_reference=f"{REFERENCE}, section 5.3 and A.2.3",
    paper_figures=(
        PaperFigure("OOD even and odd, SMFR", 1.0, "1.000 ± 0.000 and 1.000 ± 0.000 (Table 2)"),
        PaperFigure("OOD even and odd, FNN", 0.187, "1.000 ± 0.000 and 0.187 ± 0.052 (Table 2)"),
        PaperFigure("OOD even and odd, Transformer", 0.099, "0.984 ± 0.003 and 0.099 ± 0.094 (Table 2)"),
        PaperFigure("SMFRs of depth 1 to 5", 1.0, "all converged with 100 % on all iterations"),
        PaperFigure("noisy SMFRs", None, "one of 30 trials reached 100 % out of distribution"),
    ),
    settings=Settings(),
    quick=Settings(
        widths=(6,),
        depths=(1,),
        fnn_hidden=(100,),
        fnn_layers=(2,),
        heads=(1,),
        internal=(400,),
        noisy_widths=(6,),
        noisy_depths=(1,),
        steps=200,
        samples=200,
    ),
    run=run,
    full=Settings(depths=tuple(range(11)), layers=(1, 2, 3), transformer_layers=(1, 2, 3, 4, 5, 6)),
    parts=tuple(PARTS),
    part=part,
)
