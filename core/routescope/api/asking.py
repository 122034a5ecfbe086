"""Analyses of a network, each in one call: record, score, load, observe, map, importance, check, compare, prune."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from routescope.api.data import AnySamples, Data, Progress, dataset, datasets_of, inputs_of, without_words
from routescope.api.interventions import intervention_of
from routescope.api.models import Model, open
from routescope.api.results import Pruned, Score
from routescope.data import known_datasets
from routescope.data.samples import DataError, Samples
from routescope.nn.network import Network
from routescope.routing.caused.distributions import Distribution
from routescope.routing.caused.importance import Importance
from routescope.routing.caused.importance import importance as measure_importance
from routescope.routing.caused.pruning import (
    ORDERS,
    SCOPES,
    Order,
    PruningError,
    Scope,
    find_order,
    kept_of,
    layers_of,
)
from routescope.routing.caused.scores import evaluate
from routescope.routing.check.checking import check as check_invariants
from routescope.routing.check.finding import Report
from routescope.routing.compare.comparing import Comparison
from routescope.routing.compare.comparing import compare as compare_logs
from routescope.routing.compare.recorded import record_log
from routescope.routing.intervention import Intervention
from routescope.routing.logs import Reading, RoutingLog, from_trace, read_log
from routescope.routing.maps.embedding import Embedding, embed
from routescope.routing.maps.methods import Method
from routescope.routing.maps.points import type_points
from routescope.routing.observed.load import Load
from routescope.routing.observed.load import observe_load as observe_experts
from routescope.routing.observed.observer import observe as observe_routing
from routescope.routing.observed.result import Observation
from routescope.routing.options import InterventionOptions, Kind
from routescope.routing.recording import record as record_inputs
from routescope.routing.trace import Trace

#: One side of a comparison.
Side = Model | RoutingLog | Trace


def record(
    model: Model,
    samples: AnySamples,
    *,
    intervention: Intervention | None = None,
    split: str = "validation",
    limit: int | None = None,
    fields: Sequence[str] | None = None,
    sample_ids: Sequence[str] | None = None,
    seed: int | None = None,
    **options: Unpack[InterventionOptions],
) -> Trace:
    """Record how samples are routed, step by step, as named axes of an xarray.Dataset.

    ::

        trace = rs.record("moe-bytes", "def f(x):\\n    return x", drop="l1.e2")
        trace["top_experts"]  # (sample, step, token, slot), counted from 0

    Args:
        model: an open network, or what ``rs.open`` opens.
        samples: the name of a data set; a file; a text, or a list of texts; pictures, arrays or tensors with the
            samples first; the ``inputs`` of a data set. A text that is the name of a data set or a file goes in a list.
        intervention: changes to the routing; None: ``options`` name them, such as ``drop="l1.e2"`` or ``drop="l3.*"``.
        split, limit: of a data set; without a limit, its first 8 samples.
        fields: names of the fields to record; None: the routing of tokens.
        sample_ids: names of the samples; None: their names in the data set, or their positions.
        seed: of the random samples of ``resample``.

    Raises:
        DataError: samples of another kind than the network reads; the message says what is accepted.
        InterventionError: units or options that the network does not have.
    """
    network = open(model)
    inputs, chosen = inputs_of(network, samples, split, limit)
    change = intervention_of(network, intervention, options, split)
    if sample_ids is None and chosen is not None:
        sample_ids = [f"{chosen.name}.{chosen.split}.{row}" for row in range(len(chosen))]
    return record_inputs(network, inputs, fields, change, sample_ids, seed, chosen)


def score(
    model: Model,
    data: Data | None = None,
    *,
    intervention: Intervention | None = None,
    split: str = "validation",
    limit: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[InterventionOptions],
) -> Score:
    """Score a network on a data set or on your own texts; with an intervention, compare it with the whole network.

    ::

        rs.score("moe-bytes", "python", limit=8, drop="l1.e2").change
        rs.score("ni-digits", "mnist", mute=["f1"]).figure

    Args:
        model: an open network, or what ``rs.open`` opens.
        data: a data set or its name, a file or folder (see ``rs.dataset``), or a list of texts. None: the network's
            first domain.
        intervention: changes to the routing; None: ``options`` name them, such as ``mute=["f1", "f3"]``.
        split, limit: of the data set; None: all of its samples.
        progress: called with (samples scored, samples in all).

    Raises:
        DataError: no such data set or file, or a data set without a head; the message says what is accepted.
        InterventionError: units or options that the network does not have.
    """
    network = open(model)
    change = intervention_of(network, intervention, options, split)
    sets = datasets_of(network, data, split, limit, first=True)
    if len(sets) > 1:
        domains = ", ".join(samples.domain for samples in sets)
        raise DataError(f"one data set is scored at a time; {data} is {domains}: name one, or FILE?only=DOMAIN")
    samples = sets[0]
    whole = change == Intervention()

    def part(before: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, total: progress(before + done, total if whole else 2 * total)

    scores = evaluate(network, samples, change, progress=part(0))
    baseline = None if whole else evaluate(network, samples, progress=part(len(samples)))
    return Score(network.id, samples, change, scores, baseline, network)


def load_of(
    model: Model,
    data: Data | Sequence[Data] | None = None,
    *,
    intervention: Intervention | None = None,
    split: str = "validation",
    limit: int | None = None,
    shuffles: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[InterventionOptions],
) -> Load:
    """Observe how the tokens of texts spread over the experts of every layer.

    ::

        load = rs.load_of("moe-bytes", "python", limit=8)
        load.plot()  # experts by layer
        load.dead  # experts without a token, by layer

    Args:
        model: an open mixture of experts, or what ``rs.open`` opens.
        data: data sets or their names, a file of texts or a list of texts; None: all domains of the network.
        split, limit: of each data set; None: all of its samples.
        shuffles: random shuffles of domains and tokens, for the chance level.
        progress: called with (texts done, texts in all).

    Raises:
        ValueError: a network without experts. DataError, InterventionError: as ``score``.
    """
    network = open(model)
    change = intervention_of(network, intervention, options, split)
    sets = datasets_of(network, data, split, limit)
    report = without_words(progress)
    return observe_experts(network, sets, intervention=change, shuffles=shuffles, seed=seed, progress=report)


def observe(
    model: Model,
    data: Data | Sequence[Data] | None = None,
    *,
    intervention: Intervention | None = None,
    split: str = "validation",
    limit: int | None = None,
    shuffles: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[InterventionOptions],
) -> Observation:
    """Observe which units are used for which labels: use, entropy, and specialisation against shuffled labels.

    ::

        rs.observe("ni-digits", "mnist", limit=50).plot("joint")

    Args:
        data: data sets or their names; None: the network's first domain.
        split, limit, shuffles, seed, progress: as in ``load_of``, which is for mixtures of experts.

    Raises:
        ValueError: a network that reports no use of units. DataError, InterventionError: as ``score``.
    """
    network = open(model)
    change = intervention_of(network, intervention, options, split)
    sets = datasets_of(network, data, split, limit, first=True)
    report = without_words(progress)
    return observe_routing(network, sets, intervention=change, shuffles=shuffles, seed=seed, progress=report)


def type_map(
    model: Model,
    data: Data | Sequence[Data] | None = None,
    method: Method = "tsne",
    *,
    samples: int = 50,
    split: str = "validation",
    seed: int = 0,
) -> Embedding:
    """Map the types of tokens to two dimensions, for every step of some samples, with one fit over all steps.

    ::

        rs.type_map("ni-digits", "mnist", "pca", samples=20).plot(colour="unit")

    Args:
        data: data sets or their names; None: the network's first domain.
        method: "tsne", "umap" or "pca".
        samples: number of samples, the same for each data set.

    Raises:
        ValueError: a network without types, or too few samples. DataError: as ``score``.
    """
    network = open(model)
    return embed(type_points(network, datasets_of(network, data, split, None, first=True), samples), method, seed=seed)


def importance(
    model: Model,
    data: Data | Sequence[Data] | None = None,
    *,
    kind: Kind = "drop",
    layer: str | None = None,
    intervention: Intervention | None = None,
    split: str = "validation",
    limit: int | None = None,
    permutations: int | None = None,
    pairs: bool | None = None,
    draws: int | None = None,
    distribution: Distribution | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Unpack[InterventionOptions],
) -> Importance:
    """Measure the effect of each unit on the score: Shapley values, drop effects, interactions, retention curves.

    ::

        rs.importance("ni-digits", "mnist", limit=20).shapley
        rs.importance("moe-bytes", "python", limit=2, layer="l1", kind="mute").plot()

    Args:
        model: an open network, or what ``rs.open`` opens.
        data: data sets or their names, a file of texts or a list of texts; None: the network's first domain.
        kind: how units are ablated: "drop", "mute", "mean" or "resample".
        layer: layer of a mixture whose experts are ablated together; None: one ablation for each expert.
        intervention: further changes in every score; None: ``options`` name them, such as ``top_k=1``. It must not
            ablate units.
        split, limit: of each data set; None: all of its samples.
        permutations, pairs, draws, distribution, seed: as in ``routescope.routing.caused.importance.importance``.
        progress: called with (subsets scored, subsets to score).

    Raises:
        NoPlan: no such layer, or units that cannot be ablated in this way. DataError: as ``score``,
            or a network without units.
    """
    network = open(model)
    if not network.units:
        raise DataError(
            f"{network.id} has no units to ablate; `rs.models()` and `routescope models` list those of every model"
        )
    base = intervention_of(network, intervention, options, split)
    base.ablating(kind, network.units[:1]).validate(network)
    return measure_importance(
        network,
        datasets_of(network, data, split, limit, first=True),
        kind=kind,
        base=base,
        permutations=permutations,
        pairs=pairs,
        draws=draws,
        layer=layer,
        distribution=distribution,
        seed=seed,
        progress=without_words(progress),
    )


def check(
    model: Model,
    data: Data | Sequence[Data] | None = None,
    *,
    split: str = "validation",
    limit: int = 16,
    progress: Progress | None = None,
) -> Report:
    """Check what must hold before figures of a network are trusted, in seconds on a CPU; raises DataError.

    ::

        rs.check("moe-bytes", "sums").held

    Args:
        model: an open network, or what ``rs.open`` opens.
        data: data sets or their names, a file of texts or a list of texts; None: all domains of the network.
        limit: samples of each data set at most.
        progress: called with (properties checked, properties in all).
    """
    network = open(model)
    batches = [network.as_inputs(chosen.inputs(slice(0, limit))) for chosen in datasets_of(network, data, split, limit)]
    return check_invariants(network, batches, progress)


def compare(
    a: Side,
    b: Side,
    data: Data | Sequence[Data] | None = None,
    *,
    split: str = "validation",
    limit: int | None = 32,
    interventions: tuple[Intervention | None, Intervention | None] = (None, None),
    precisions: tuple[str | None, str | None] = (None, None),
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare the experts of the same tokens in two models, logs or traces: by layer, token and margin.

    ::

        rs.compare("moe-bytes", "moe-bytes", "sums", limit=2, precisions=("float32", "bfloat16")).by_layer()

    Args:
        a, b: mixtures of experts, open or as ``rs.open`` opens them; routing logs or their files; traces.
        data: texts for the models: data sets, a file of texts or a list of texts; None: all domains of the model.
        split, limit: of each data set.
        interventions, precisions: of the models; a precision is one of float64, float32, bfloat16 and float16.
        reading: facts that are missing from files of logs, such as ``rs.Reading(top_k=2)``.
        progress: called with (texts run, texts in all), for each model.

    Returns:
        The comparison; for two models it also has the bits of every token (``bits``).

    Raises:
        LogError: sides without common tokens, or a model without experts. DataError: as ``score``,
            or an intervention or a precision of a log.
    """
    opened = [side if isinstance(side, RoutingLog | Trace) or is_log(side) else open(side) for side in (a, b)]
    if data is None:  # of two models, the texts of the first
        domains = [side.config.domains for side in opened if isinstance(side, Network)]
        data = list(domains[0]) if domains else None
    logs, names, nats = list[RoutingLog](), list[str](), list[Any]()
    for side, intervention, precision in zip(opened, interventions, precisions, strict=True):
        if not isinstance(side, Network):
            log = _log(side, reading)
            if intervention is not None or precision is not None:
                raise DataError(
                    f"{log.source.file} is a log: precisions and interventions are for models, leave them out"
                )
            logs.append(log)
            names.append(f"{log.source.file}, {log.source.format}")
            continue
        change = intervention_of(side, intervention, {}, split)
        recorded = record_log(side, datasets_of(side, data, split, limit), change, precision, progress)
        logs.append(recorded.log)
        nats.append(recorded.nats)
        names.append(recorded.log.source.version + (f", {change.words}" if change != Intervention() else ""))
    return compare_logs(logs[0], logs[1], (names[0], names[1]), (nats[0], nats[1]) if len(nats) == 2 else None)


def is_log(side: object) -> bool:
    """Return whether a side of a comparison is the path of a file, which is a routing log."""
    return isinstance(side, str | Path) and Path(side).is_file()


def _log(side: str | Path | RoutingLog | Trace, reading: Reading | None) -> RoutingLog:
    if isinstance(side, RoutingLog):
        return side
    return from_trace(side) if isinstance(side, Trace) else read_log(side, reading)


def prune(
    model: Model,
    data: Data | Sequence[Data] | None = None,
    *,
    keep: float = 0.75,
    by: Order = "tokens",
    scope: Scope = "layer",
    limit: int | None = 32,
    seed: int = 0,
    progress: Progress | None = None,
) -> Pruned:
    """Choose the experts of a mixture to keep; the result measures the cost and saves the smaller model.

    ::

        pruned = rs.prune("moe-bytes", "python", keep=0.5)
        pruned.save("half")  # rs.open("half") opens it
        pruned.cost()

    Args:
        model: an open mixture of experts, or what ``rs.open`` opens.
        data: data sets or their names, a file of texts or a list of texts; None: all domains. Experts are chosen on
            validation samples, and ``cost`` scores test samples if a data set has them. Your own texts serve for both,
            which makes their cost look too small.
        keep: share of the experts to keep; a layer keeps at least as many as a token takes.
        by: experts to drop first: "tokens" (fewest), "weight" (least routing weight), "effect" (least cost alone),
            "greedy" (least cost after every step) or "chance".
        scope: "layer": a share of each layer; "all": a share of all layers together.
        limit: samples of each data set at most; None: all.
        progress: called with (done, total) while the order is computed.

    Raises:
        PruningError: a network without experts, or another order, scope or share. DataError: as ``score``.
    """
    if by not in ORDERS or scope not in SCOPES:
        unknown = f"order {by[:40]!r}" if by not in ORDERS else f"scope {scope[:40]!r}"
        raise PruningError(
            f"unknown {unknown}: an order is one of {', '.join(ORDERS)}, and a scope is {' or '.join(SCOPES)}"
        )
    network = open(model)
    layers_of(network)
    chosen = datasets_of(network, data, "validation", limit)
    report = without_words(progress)
    going = find_order(network, chosen, by, keep=keep, scope=scope, seed=seed, progress=report)
    kept = kept_of(network, going, keep, scope, {"order": by, "seed": seed})
    measured = [_unseen(network, part, limit) for part in chosen]
    return Pruned(network, kept, going, measured)


def _unseen(network: Network, samples: Samples, limit: int | None) -> Samples:
    """Return the test split of a data set, on which no order was chosen; without one, the same samples."""
    info = known_datasets().get(samples.name)
    if samples.split != "validation" or info is None or "test" not in info.splits:
        return samples
    return dataset(samples.name, "test", limit, model=network)
