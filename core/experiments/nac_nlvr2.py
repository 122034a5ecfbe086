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

from core.data import DataError, options_for
from core.data.dataset import LabelledSamples
from core.experiments import circuits
from core.experiments.frame import Context, Experiment, Figure, Outcome, PaperFigure
from core.routing.intervals import wilson_interval
from core.zoo import UnknownModel

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

    models: Mapping[str, Any]
    splits: Mapping[str, LabelledSamples]


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
            for name in part.models:
                right = scored[name, split]
                figures += summarise(name, split, data, right, None if right is first else first)
                rows += by_kind(name, split, data, right)
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


def _splits(context: Context, name: str, model: Any) -> dict[str, LabelledSamples]:
    """The splits that there are; the first one has to be."""
    chosen: Settings = context.settings
    options, found = options_for(model.config, name), {}
    for split in chosen.splits:
        try:
            found[split] = context.data(name, split, chosen.limit, **options)
        except DataError:
            if not found:
                raise
    return found


def measure(context: Context, name: str, model: Any, split: str, data: LabelledSamples) -> np.ndarray:
    """1 or 0 for every statement of a split: whether a model judges it right."""
    found = context.measure(f"{name}, {data.name} {split}", lambda: circuits.score(model, [data]))
    return circuits.answers(found, [data])


def summarise(name: str, split: str, data: Any, right: np.ndarray, first: np.ndarray | None) -> Iterator[Figure]:
    """Accuracy over all and by kind of statement, consistency, and how much more the first model is right.

    Wilson's intervals take statements as drawn one by one, though those of a quadruple share words and pictures.
    """
    where: dict[str, str | int] = {"model": TITLES.get(name, name), "split": split}
    own = name == OWN["nlvr2"] and data.name == "nlvr2" and not data.stand_in and split == "validation"
    yield circuits.accuracy_figure("accuracy", where, right, [data], PRINTED if own else None, SAYS)
    for number, kind in enumerate(data.kinds):
        of_kind = right[data.kind.numpy() == number]
        if len(of_kind):
            yield circuits.accuracy_figure("accuracy", {**where, "kind": kind}, of_kind, [data], None, SAYS)
    consistent = consistency(data.sentences, right)
    yield circuits.share_figure(
        "consistency",
        where,
        (float(consistent.mean()), *wilson_interval(int(consistent.sum()), len(consistent))),
        len(consistent),
        [data],
        unit="share of sentences",
        paper_says="a sentence counts where it is judged right of all its pictures (as NLVR2 defines it)",
    )
    if first is not None:
        yield circuits.difference_figure(
            f"{TITLES[CIRCUIT]}: more than this model", where, first, right, [data], None, SAYS
        )


def consistency(sentences: Sequence[str], right: np.ndarray) -> np.ndarray:
    """For each different sentence whether all statements with it are judged right."""
    _, sentence = np.unique(np.array(sentences, dtype=np.str_), return_inverse=True)
    return np.bincount(sentence, weights=right) == np.bincount(sentence)


def by_kind(name: str, split: str, data: Any, right: np.ndarray) -> Iterator[dict[str, Any]]:
    """A row for each kind of statement that there is."""
    for number, kind in enumerate(data.kinds):
        own = right[data.kind.numpy() == number]
        if len(own):
            low, high = wilson_interval(int(own.sum()), len(own))
            yield {
                "model": name,
                "data": data.name,
                "split": split,
                "kind": kind,
                "accuracy": float(own.mean()),
                "low": low,
                "high": high,
                "count": len(own),
            }


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
