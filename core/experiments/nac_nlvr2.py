"""nac-nlvr2: statements about pictures, judged by circuits that the statements design (paper: section 4.4, Appendix G).

By default on generated scenes: the conditional circuit beside a Perceiver IO that reads words and pictures as one set,
and beside the same circuit that sees only the words or only the pictures. The scenes come in quadruples, so that
whatever looks at words alone, or at pictures alone, is right exactly half of the time. With ``--data nlvr=FOLDER`` the
circuit trained on NLVR is scored too, on its dev and test statements; with ``--data nlvr2=FOLDER``, which holds the
photographs, the one on frozen CLIP features.

The paper's numbers are of NLVR2's photographs: they stand beside no other data as the same thing's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.data import NoSplit, StatementSet, options_for
from core.data.statements.grammar import meanings_of
from core.data.statements.meanings import Related
from core.experiments.frame import Context, Experiment, Figure, Outcome, PaperFigure
from core.experiments.shared import circuits
from core.nn.circuit.conditional_config import ConditionalCircuitConfig
from core.nn.network import Network
from core.routing.caused.effects import by_kind
from core.routing.caused.intervals import bootstrap_interval, cluster_interval, share_interval, wilson_interval
from core.zoo.catalogue import UnknownModel

QUICK_LIMIT = 200
CIRCUIT, PERCEIVER = "nac-scenes", "pio-scenes"
TITLES = {
    CIRCUIT: "Conditional NAC",
    PERCEIVER: "Perceiver IO",
    "nac-scenes-words-only": "Conditional NAC, words only",
    "nac-scenes-pictures-only": "Conditional NAC, pictures only",
    "nac-nlvr": "Conditional NAC",
    "nac-nlvr2-clip": "Conditional NAC, CLIP features",
}
#: What a user's own data set is scored with.
OWN = {"nlvr": "nac-nlvr", "nlvr2": "nac-nlvr2-clip"}
SPATIAL = "spatial relationship"
QUADRUPLE = 4
#: Accuracy on NLVR2's validation statements.
PRINTED = 0.64
SAYS = (
    "NLVR2, photographs, validation: conditional NAC about 64 %, zero-shot CLIP 53 %, chance 50 %;"
    " comparable with no other data"
)


@dataclass(frozen=True)
class Settings:
    """``limit``: how many samples of each split are scored; None for all of them."""

    models: tuple[str, ...] = (CIRCUIT, PERCEIVER, "nac-scenes-words-only", "nac-scenes-pictures-only")
    splits: tuple[str, ...] = ("validation", "test")
    limit: int | None = None


def settings(quick: bool) -> Settings:
    """All statements that no training learns from, or some of one split."""
    return Settings(splits=("validation",), limit=QUICK_LIMIT) if quick else Settings()


@dataclass(frozen=True, eq=False)
class _Part:
    """Models that are scored on the same splits of one data set."""

    models: Mapping[str, Network]
    splits: Mapping[str, StatementSet]


def run(context: Context) -> Outcome:
    """Score every model on every split; accuracy by kind, consistency, and paired differences to the first model."""
    parts = list(_parts(context))
    context.expect(sum(len(part.models) * len(part.splits) for part in parts))
    figures: list[Figure] = []
    rows: list[dict[str, Any]] = []
    for part in parts:
        scored = {
            (name, split): measure(context, name, model, split, data)
            for name, model in part.models.items()
            for split, data in part.splits.items()
        }
        for split, data in part.splits.items():
            first = scored[next(iter(part.models)), split]
            for name, model in part.models.items():
                right = scored[name, split]
                sees = model.config.sees if isinstance(model.config, ConditionalCircuitConfig) else "both"
                figures += summarise(name, split, data, right, None if right is first else first, sees)
                where = {"model": name, "data": data.name, "split": split}
                rows += [{**where, **row} for row in by_kind(data, right, grouped=True)]
            figures += together(split, data)
    return Outcome(figures, {"kinds": rows})


def _parts(context: Context) -> Iterator[_Part]:
    chosen: Settings = context.settings
    models = {name: context.model(name) for name in chosen.models}
    yield _Part(models, _splits(context, "scenes", next(iter(models.values()))))
    for data, name in OWN.items():
        if data not in context.sources:
            continue
        try:
            model = context.model(name)
        except UnknownModel as error:
            raise UnknownModel(
                f"there is no {name} to score on {data}; train it with: routescope train {name} --data {data}=FOLDER"
            ) from error
        yield _Part({name: model}, _splits(context, data, model))


def _splits(context: Context, name: str, model: Network) -> dict[str, StatementSet]:
    """The splits that there are; the first one has to be."""
    chosen: Settings = context.settings
    options, found = options_for(model.config, name), {}
    for split in chosen.splits:
        try:
            found[split] = context.data(name, split, chosen.limit, **options)
        except NoSplit:
            if not found:
                raise
    return found


def measure(context: Context, name: str, model: Network, split: str, data: StatementSet) -> np.ndarray:
    """(statement,): 1 or 0 for every statement of a split: whether a model judges it right."""
    found = context.measure(f"{name}, {data.name} {split}", lambda: circuits.score(model, [data]))
    return circuits.answers(found, [data])


def summarise(
    name: str, split: str, data: StatementSet, right: np.ndarray, first: np.ndarray | None, sees: str = "both"
) -> Iterator[Figure]:
    """Accuracy over all and by kind of statement, consistency, and how much more the first model is right.

    ``right`` and ``first`` are (statement,), 1 or 0.
    Intervals of accuracies and of their differences are of whole groups of statements, drawn together: those of a
    quadruple share words and pictures. Of consistency, sentences are taken as independent.
    """
    where: dict[str, str | int] = {"model": TITLES.get(name, name), "split": split}
    own = name == OWN["nlvr2"] and data.name == "nlvr2" and not data.stand_in and split == "validation"
    groups = None if data.groups is None else data.groups.numpy()
    says = f"{by_construction(data, sees)}; {SAYS}" if by_construction(data, sees) else SAYS
    value = (float(right.mean()), *share_interval(right, groups))
    yield circuits.share_figure("accuracy", where, value, len(right), [data], PRINTED if own else None, says)
    for row in by_kind(data, right, grouped=True):
        value, there = (row["accuracy"], row["low"], row["high"]), {**where, "kind": row["kind"]}
        yield circuits.share_figure("accuracy", there, value, row["count"], [data], None, says)
    consistent = consistency(data.sentences, right)
    yield circuits.share_figure(
        "consistency",
        where,
        (float(consistent.mean()), *wilson_interval(int(consistent.sum()), len(consistent))),
        len(consistent),
        [data],
        unit="share of sentences",
        paper_says="a sentence counts where it is judged right of all its pictures (as NLVR2 defines it); the interval "
        "takes sentences as independent",
    )
    if first is not None:
        more = first - right
        value = bootstrap_interval(more) if groups is None else cluster_interval(more, groups)
        compared = f"{TITLES[CIRCUIT]}: more than this model"
        yield circuits.share_figure(compared, where, value, len(right), [data], None, SAYS)


def by_construction(data: StatementSet, sees: str) -> str:
    """What is sure before anything is scored: a control on whole quadruples is right of two in four; "" elsewhere."""
    if sees == "both" or data.name != "scenes" or data.groups is None:
        return ""
    if (data.groups.bincount() != QUADRUPLE).any():
        return ""
    alone = "words" if sees == "sentence" else "pictures"
    return f"50 % exactly, by construction: of each quadruple what sees {alone} alone is right of two in four"


def together(split: str, data: StatementSet) -> Iterator[Figure]:
    """Of false statements of space, how many are false by the places of things alone; nothing where none can tell."""
    number = data.kinds.index(SPATIAL) if SPATIAL in data.kinds else None
    rows, both = [], []
    for row in np.flatnonzero((data.kind.numpy() == number) & (data.labels.numpy() == 0)).tolist():
        scene, meaning = data.scenes[row], meanings_of(data.sentences[row])
        if scene is not None and isinstance(meaning, Related):
            rows.append(row)
            both.append(any(meaning.pairs(scene)))
    if not rows or data.groups is None:  # scenes are generated, in groups
        return
    there = np.array(both)
    yield circuits.share_figure(
        "false although both things are in one picture",
        {"split": split, "kind": SPATIAL},
        (float(there.mean()), *share_interval(there, data.groups.numpy()[rows])),
        len(rows),
        [data],
        None,
        "of the other false statements of this kind one of the two things is missing: that decides, not their places",
        "share of false statements",
    )


def consistency(sentences: Sequence[str], right: np.ndarray) -> np.ndarray:
    """(sentence,): for each different one whether all statements with it are judged right."""
    _, sentence = np.unique(np.array(sentences, dtype=np.str_), return_inverse=True)
    return np.bincount(sentence, weights=right) == np.bincount(sentence)


EXPERIMENT = Experiment(
    id="nac-nlvr2",
    title="Statements about pictures, judged by circuits that they design",
    paper_reference=f"{circuits.REFERENCE}, section 4.4 and Appendix G",
    paper_figures=(
        PaperFigure("NLVR2 validation, conditional NAC on frozen CLIP features", PRINTED, "about 64 %"),
        PaperFigure("NLVR2 validation, Perceiver IO on frozen CLIP features", 0.64, "64 %"),
        PaperFigure("NLVR2 validation, zero-shot CLIP", 0.53, "53 %, where chance is 50 %"),
        PaperFigure("NLVR2 leaderboard, VisualBERT", 0.67, "67 %"),
        PaperFigure("NLVR2 leaderboard, MaxEnt", 0.54, "54 %"),
    ),
    settings=settings,
    run=run,
)
