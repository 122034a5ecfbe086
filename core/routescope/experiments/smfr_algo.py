"""smfr-algo: conditional assignments, learned on two iterations and run for one to nine (paper: section 5.3, A.2.3).

Every trial is trained here, from scratch, on programs of two subtasks. Even numbers of iterations ask for more of the
same; odd ones can only be right where a network has learned what a single iteration does. Accuracy is the share of
variables that are right, over all five of all samples: a network whose state is no digits is at chance, 0.1, as the
paper's baselines are.

The paper's grid has 99 SMFRs, 15 feed-forward networks and 54 Transformers; without ``--full`` a part of it is
trained, which the record names. At depth 0 the width says nothing: such a network is trained and counted once. Trials
of one seed learn from the same samples. Neither steps nor batch sizes are printed. As in the paper, the best trials
are those of the highest accuracy at four iterations; here it is taken of the very samples that the accuracies are
reported on. In the noisy variant all numbers of the state are permuted before every iteration, in a fixed way.
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
#: The accuracy by which the best trials of a family are chosen is after this many iterations.
CRITERION = 4
BEST = 5
FAMILIES = ("SMFR", "FNN", "Transformer")
#: Sizes are low below the first and high from the second on (A.2.1; for this task the paper does not say).
LOW, HIGH = 50_000, 200_000
SHARE = "share of trials"
#: From here on a table with three digits prints 1.000.
ROUNDS_TO_ONE = 0.9995


@dataclass(frozen=True)
class Settings:
    """A grid, and how its trials are trained.

    Attributes:
        widths, depths, layers: of SMFRs; every combination is a trial. Of depth 0 there is one for all widths.
        fnn_hidden, fnn_layers: of feed-forward networks.
        heads, internal, transformer_layers: of Transformers.
        noisy_widths, noisy_depths, shuffle_seeds: of SMFRs whose numbers are permuted before each iteration.
        seeds: of each architecture.
        samples: of the test split that are run.
        together: trials that are trained at once, at most.
    """

    widths: tuple[int, ...] = (6, 8, 10)
    depths: tuple[int, ...] = (0, 1, 2)
    layers: tuple[int, ...] = (1,)
    fnn_hidden: tuple[int, ...] = (100, 200, 300)
    fnn_layers: tuple[int, ...] = (3,)
    heads: tuple[int, ...] = (4,)
    internal: tuple[int, ...] = (400,)
    transformer_layers: tuple[int, ...] = (1,)
    noisy_widths: tuple[int, ...] = (6, 8, 10)
    noisy_depths: tuple[int, ...] = (1,)
    shuffle_seeds: tuple[int, ...] = (0,)
    seeds: tuple[int, ...] = (0,)
    steps: int = 15_000
    batch_size: int = 32
    samples: int = 1_000
    together: int = 12


def trials(chosen: Settings) -> dict[str, list[Trial]]:
    """Return all trials by family; noisy SMFRs are a family of their own."""
    smfr: dict[str, tuple[int | str, ...]]
    smfr = {"attention": ("softmax",), "depth": chosen.depths, "width": chosen.widths, "layers": chosen.layers}
    noisy = {**smfr, "depth": chosen.noisy_depths, "width": chosen.noisy_widths, "layers": chosen.layers[:1]}
    transformer = {
        "features": (32,),
        "heads": chosen.heads,
        "internal": chosen.internal,
        "layers": chosen.transformer_layers,
    }
    return {
        "SMFR": [trial for trial in trials_of("smfr", smfr, chosen.seeds) if is_distinct(trial, chosen)],
        "SMFR, noisy": trials_of("smfr", {**noisy, "shuffle_seed": chosen.shuffle_seeds}, chosen.seeds),
        "FNN": trials_of("block_fnn", {"hidden": chosen.fnn_hidden, "layers": chosen.fnn_layers}, chosen.seeds),
        "Transformer": trials_of("block_transformer", transformer, chosen.seeds),
    }


def is_distinct(trial: Trial, chosen: Settings) -> bool:
    """Return whether an SMFR's trial differs from all others: those of depth 0 have no width."""
    sizes = dict(trial.sizes)
    return sizes["depth"] != 0 or sizes["width"] == chosen.widths[0]


def run(context: Context) -> Outcome:
    """Train every trial, and run it for one to nine iterations on the same samples."""
    chosen: Settings = context.settings
    context.seeds["trials"] = chosen.seeds[0]
    data = context.data(ALGO.name, "test", chosen.samples)
    groups = [
        (kind, group) for kind, own_trials in trials(chosen).items() for group in in_groups(own_trials, chosen.together)
    ]
    context.expect(len(groups))
    rows = [{"family": kind, **row} for kind, group in groups for row in measure(context, group, data)]
    whole = chosen == context.experiment.full
    figures = [*best(rows, data), *by_size(rows, data, whole), *curves(rows, data), *converged(rows, data)]
    return Outcome(figures, {"trials": rows})


def measure(context: Context, group: Sequence[Trial], data: BlockSet) -> list[dict[str, Any]]:
    """Train trials of one shape together; return each one's accuracy by number of iterations."""
    chosen: Settings = context.settings
    words = f"{len(group)} trials from {group[0].name}"

    def make() -> dict[str, Any]:
        networks = group_of(group, ALGO.name)
        counts = [sum(p.numel() for p in model.parameters()) for model in networks.models()]

        def look(step: int, losses: Any) -> bool:
            context.underway(f"{words}: step {step:,} of {chosen.steps:,}, loss {float(losses.mean()):.4f}")
            return False

        train(networks, Lessons(ALGO, group, chosen.batch_size), chosen.steps, max(1, chosen.steps // 50), look)
        accuracies = run_for(networks, data)
        return {
            "rows": [
                {**trial.row, "parameters": count, **accuracy_columns(accuracy)}
                for trial, count, accuracy in zip(group, counts, accuracies, strict=True)
            ]
        }

    rows: list[dict[str, Any]] = context.measure(words, make)["rows"]
    return rows


def run_for(networks: Group, data: BlockSet) -> np.ndarray:
    """Return the share of right variables of every network after 1 to 9 iterations: (network, iterations)."""
    assert data.digits is not None
    inputs = data.inputs(range(len(data)))
    states = ALGO.states(data.digits, data.program[:, :MOST])
    shares = [networks.right(inputs, states[:, n], n).double().mean(dim=(1, 2)).tolist() for n in range(1, MOST + 1)]
    return np.array(shares).T


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
    """Yield Table 2: the five best trials of each family by accuracy at four iterations."""
    for family in FAMILIES:
        top = sorted((r for r in rows if r["family"] == family), key=lambda r: -r[f"{CRITERION} iterations"])[:BEST]
        for column, printed in zip(("even", "odd"), BLOCKS_TABLE_2[family], strict=True):
            yield figure(
                f"accuracy at {column} iterations, the best {len(top)} trials",
                {"family": family},
                [row[column] for row in top],
                data,
                printed,
                f"Table 2, five best trials of its whole grid: {printed:.3f}",
            )


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
    noisy = [row for row in rows if row["family"] == "SMFR, noisy"]
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
            {"family": "SMFR, noisy"},
            [row["odd"] for row in noisy],
            data,
            None,
            "no number: lower than without noise, and better than feed-forward networks on average",
        )


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
        transformer_layers=(1,),
        noisy_widths=(6,),
        steps=200,
        samples=200,
    ),
    run=run,
    full=Settings(
        depths=tuple(range(11)),
        layers=(1, 2, 3),
        fnn_layers=(2, 3, 4, 5, 6),
        heads=(1, 4, 8),
        internal=(400, 1200, 2000),
        transformer_layers=(1, 2, 3, 4, 5, 6),
        noisy_depths=tuple(range(1, 11)),
        steps=30_000,
    ),
)
