"""nac-drop: accuracy, throughput and operations as modules are dropped (paper: Figures 5 and 15, Appendix F).

Modules are dropped by q_i = sum_j P_ij (Equation 10), least connected first; at random, several draws; and strongest
first. A Perceiver IO links everything to everything, so that its latents, of which none is less connected, are dropped
at random only. To drop is to slice: signature, code and state are gone, and with them their compute. Throughput is
measured as the paper does it, at 64 samples a batch, on this machine's processor instead of an A100.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from routescope.data.pictures.sets import PictureSet
from routescope.experiments.results.circuits import PIO, PRIORS, RUNGS
from routescope.experiments.shared import circuits
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of
from routescope.nn.network import LinkedNetwork, Network
from routescope.routing.compute import flops_per_sample
from routescope.routing.intervention import Intervention
from routescope.zoo.catalogue import with_seed

BATCH = 64

CLAIM = "more than 80 % of the modules dropped at less than 3 points lost, about 8 times faster (A100, batches of 64)"


@dataclass(frozen=True)
class Settings:
    """``shares`` of the modules are dropped; ``draws`` random orders; ``limit`` samples of each validation set.

    ``seeds``: trainings of each model. Their answers are averaged sample by sample; the first one is timed.
    ``seconds`` are spent on each measurement of throughput, in ``rounds`` that alternate with the full model.
    """

    rungs: tuple[str, ...] = (*PRIORS, PIO)
    shares: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
    draws: int = 3
    seeds: int = 1
    seed: int = 0
    limit: int | None = 500
    seconds: float = 1.0
    rounds: int = 4


def run(context: Context) -> Outcome:
    """Score and time every model with every share of its modules dropped, in every order."""
    chosen: Settings = context.settings
    context.seeds["draws"] = chosen.seed
    trained = circuits.load_trainings(context, chosen.rungs, chosen.seeds)
    within, outside = circuits.load_sets(context, next(iter(trained[0].values())), chosen.limit)
    plans = {rung: [dict(orders(models[rung], chosen)) for models in trained] for rung in chosen.rungs}
    context.expect(sum(len(chosen.shares) * (1 + sum(map(len, plan))) for plan in plans.values()))
    figures: list[Figure] = []
    tables: dict[str, list[dict[str, Any]]] = {"accuracies": [], "largest": [], "costs": [], "connectivity": []}
    for rung, plan in plans.items():
        trainings: list[Scored] = [
            {
                order: [
                    measure(context, seed, rung, models[rung], [*within, *outside], order, units, share)
                    for share in chosen.shares
                ]
                for order, units in plan[seed].items()
            }
            for seed, models in enumerate(trained)
        ]
        first_order = next(iter(plan[0].values()))
        timed = [measure_cost(context, rung, trained[0][rung], first_order, share) for share in chosen.shares]
        for seed, scored in enumerate(trainings):
            tables["accuracies"] += table(rung, seed, scored, chosen.shares, within, outside)
            tables["largest"] += [
                {"model": rung, "seed": seed, "order": kind, "dropped": chosen.shares[circuits.little_lost(right)]}
                for kind, right in by_kind([scored], within).items()
            ]
            tables["connectivity"] += connectivities(rung, seed, trained[seed][rung])
        tables["costs"] += [
            {"model": rung, "dropped": share, **cost} for share, cost in zip(chosen.shares, timed, strict=True)
        ]
        figures += summarise(context, rung, trainings, timed, within, "IID")
        if outside:
            figures += summarise(context, rung, trainings, timed, outside, "OOD")
        figures += cost_figures(rung, chosen.shares, timed, within)
    return Outcome(figures, tables)


def orders(model: Network, chosen: Settings) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the orders in which modules are dropped: least connected first, strongest first, random."""
    units = model.all_units
    if isinstance(model, LinkedNetwork) and model.has_links:
        q = model.connectivity().cpu().numpy()
        rising = [units[i] for i in np.argsort(q, kind="stable")]
        yield "least connected first", tuple(rising)
        yield "strongest first", tuple(reversed(rising))
    for draw in range(chosen.draws):
        random = np.random.default_rng((chosen.seed, draw))
        yield f"random {draw + 1}", tuple(units[i] for i in random.permutation(len(units)))


def connectivities(rung: str, seed: int, model: Network) -> Iterator[dict[str, Any]]:
    """Yield how much modules differ in q_i. Without differences, least connected first is an arbitrary order."""
    if isinstance(model, LinkedNetwork) and model.has_links:
        q = model.connectivity().cpu().double().numpy()
        yield {
            "model": rung,
            "seed": seed,
            "least": float(q.min()),
            "mean": float(q.mean()),
            "most": float(q.max()),
            "deviation": float(q.std()),
        }


def first(units: Sequence[str], share: float) -> tuple[str, ...]:
    """Return the first units up to a share of all; at least one unit is left."""
    return tuple(units[: min(round(share * len(units)), len(units) - 1)])


def measure(
    context: Context,
    seed: int,
    rung: str,
    model: Network,
    sets: Sequence[PictureSet],
    order: str,
    units: Sequence[str],
    share: float,
) -> dict[str, str]:
    """Return which samples a training labels right with a share of the modules dropped."""
    key = f"{with_seed(rung, seed)}, {order}, {share:.0%} dropped"
    return context.measure(key, lambda: circuits.score(model, sets, Intervention(drop=first(units, share))))


def measure_cost(context: Context, rung: str, model: Network, units: Sequence[str], share: float) -> dict[str, Any]:
    """Return operations and throughput with a share of the modules dropped; the choice of modules has no effect."""
    chosen: Settings = context.settings
    dropped = Intervention(drop=first(units, share))

    def make() -> dict[str, Any]:
        fast, full = throughputs(dropped.apply(model), model, chosen)
        ratios = fast / full
        return {
            "modules": len(units) - len(dropped.drop),
            "flops": flops_per_sample(model, dropped),
            "samples_per_second": float(np.median(fast[:, 0])),
            "slowest_round": float(fast[:, 0].min()),
            "fastest_round": float(fast[:, 0].max()),
            "full_samples_per_second": float(np.median(full[:, 0])),
            "speed_up": float(np.median(ratios[:, 0])),
            "speed_up_low": float(ratios[:, 0].min()),
            "speed_up_high": float(ratios[:, 0].max()),
            "processor_speed_up": float(np.median(ratios[:, 1])),
            "processor_speed_up_low": float(ratios[:, 1].min()),
            "processor_speed_up_high": float(ratios[:, 1].max()),
            "threads": torch.get_num_threads(),
        }

    return context.measure(f"{rung}, cost, {share:.0%} dropped", make)


def throughputs(view: Network, model: Network, chosen: Settings) -> tuple[np.ndarray, np.ndarray]:
    """Return samples per second of a view and of the full model, each (round, 2): by wall time and processor time.

    The two are measured in turn, so that both meet the same machine. Processor time counts all threads, and leaves out
    what other programs take: on a busy machine it is the fairer of the two.
    """
    images = model.example(BATCH)
    speeds: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    with torch.inference_mode():
        for network in (view, model):
            network(images)  # what depends on parameters alone is prepared once
        for _ in range(chosen.rounds):
            for network, speed in zip((view, model), speeds, strict=True):
                started, worked, batches = time.perf_counter(), time.process_time(), 0
                while not batches or time.perf_counter() - started < chosen.seconds / (2 * chosen.rounds):
                    network(images)
                    batches += 1
                passed, work = time.perf_counter() - started, time.process_time() - worked
                speed.append((BATCH * batches / passed, BATCH * batches / work))
    return np.array(speeds[0]), np.array(speeds[1])


Scored = Mapping[str, Sequence[dict[str, str]]]


def table(
    rung: str,
    seed: int,
    scored: Scored,
    shares: Sequence[float],
    within: Sequence[PictureSet],
    outside: Sequence[PictureSet],
) -> Iterator[dict[str, Any]]:
    """Yield a row for each order, share and data set."""
    for order, by_share in scored.items():
        for share, answers in zip(shares, by_share, strict=True):
            for data in (*within, *outside):
                right = circuits.answers(answers, [data])
                yield {
                    "model": rung,
                    "seed": seed,
                    "order": order,
                    "dropped": share,
                    "set": data.name,
                    "accuracy": float(right.mean()),
                    "count": len(right),
                }


def by_kind(trainings: Sequence[Scored], sets: Sequence[PictureSet]) -> dict[str, list[np.ndarray]]:
    """Return the mean correctness of each sample over draws and trainings, (sample,), by kind and for every share."""
    kinds: dict[str, list[list[np.ndarray]]] = {}
    for order, scores in ((order, scores) for scored in trainings for order, scores in scored.items()):
        kind = "random" if order.startswith("random") else order
        kinds.setdefault(kind, []).append([circuits.answers(share, sets).astype(np.float64) for share in scores])
    return {kind: [np.mean(share, axis=0) for share in zip(*draws, strict=True)] for kind, draws in kinds.items()}


def summarise(
    context: Context,
    rung: str,
    trainings: Sequence[Scored],
    timed: Sequence[dict[str, Any]],
    sets: Sequence[PictureSet],
    name: str,
) -> Iterator[Figure]:
    """Yield accuracy by share dropped, the loss, and the largest share that costs little accuracy."""
    shares = context.settings.shares
    for kind, right in by_kind(trainings, sets).items():
        where: dict[str, str | int] = {"model": RUNGS[rung], "distribution": name, "order": kind}
        for share, answers in zip(shares, right, strict=True):
            condition = {**where, "dropped": f"{share:.0%}"}
            yield circuits.accuracy_figure("accuracy", condition, answers, sets)
            if share:
                yield circuits.difference_figure("change of accuracy", condition, answers, right[0], sets)
        if name == "IID":
            index = circuits.little_lost(right)
            says = CLAIM if kind == "least connected first" and rung != PIO else ""
            share_value = float(shares[index])
            unit = "share of modules"
            yield figure_of(
                "largest share dropped at less than 3 points lost",
                where,
                share_value,
                len(right[0]),
                sets,
                None,
                says,
                unit,
            )
            speed = timed[index]
            for words, key in (("by the clock", "speed_up"), ("by processor time", "processor_speed_up")):
                value = (speed[key], speed[f"{key}_low"], speed[f"{key}_high"])
                yield figure_of(
                    f"speed-up at that share, {words}", where, value, context.settings.rounds, sets, None, says, "times"
                )
            flops = timed[0]["flops"] / speed["flops"]
            yield figure_of("fewer operations at that share", where, flops, 1, sets, None, says, "times")


def cost_figures(
    rung: str, shares: Sequence[float], timed: Sequence[dict[str, Any]], sets: Sequence[PictureSet]
) -> Iterator[Figure]:
    """Yield operations and throughput by share: the median of the rounds, with the slowest and the fastest."""
    for share, row in zip(shares, timed, strict=True):
        where: dict[str, str | int] = {"model": RUNGS[rung], "dropped": f"{share:.0%}", "modules": row["modules"]}
        speed = (row["samples_per_second"], row["slowest_round"], row["fastest_round"])
        yield figure_of("throughput", where, speed, BATCH, sets, None, "", "samples/s")
        yield figure_of("operations", where, row["flops"] / 1e6, 1, sets, None, "", "million a sample")


EXPERIMENT = Experiment(
    id="nac-drop",
    title="Accuracy, throughput and operations as modules are dropped",
    paper_reference=f"{circuits.REFERENCE}, Figures 5 and 15, section 4.1 and Appendix F",
    paper_figures=(
        PaperFigure("Tiny-ImageNet, share of modules dropped at little cost", 0.8, "more than 80 %"),
        PaperFigure("Tiny-ImageNet, speed-up there", 8.0, "about 8 times, on an A100 with batches of 64"),
        PaperFigure(
            "Tiny-ImageNet, accuracy lost at a fifth of the operations",
            None,
            "about 1 point with the ring-of-cliques prior; Perceiver IO loses 5.3 points",
        ),
    ),
    settings=Settings(),
    quick=Settings(shares=(0.0, 0.4, 0.7, 0.9), draws=1, limit=100, seconds=0.3, rounds=2),
    run=run,
)
