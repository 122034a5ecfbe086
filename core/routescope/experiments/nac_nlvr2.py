"""nac-nlvr2: statements about pictures, judged by circuits that the statements design (paper: section 4.4, Appendix G).

By default on generated scenes: the conditional circuit beside a Perceiver IO that reads words and pictures as one set,
and beside the same circuit that sees only the words or only the pictures. The scenes come in quadruples, so that
whatever looks at words alone, or at pictures alone, is right exactly half of the time. With ``--data nlvr=FOLDER`` the
circuit trained on NLVR is scored too, on its dev and test statements; with ``--data nlvr2=FOLDER``, which holds the
photographs, the one on frozen CLIP features, and CLIP itself without any training (zero-shot). The paper had GPT-J
negate each sentence for the latter; here the annotations may say a row's ``negated``, and what they do not say is
"It is not true that ..." of the sentence.

The paper's numbers are of NLVR2's photographs: they stand beside no other data as the same thing's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routescope.data import NoSplit, StatementSet, options_for
from routescope.data.statements.grammar import meanings_of
from routescope.data.statements.meanings import Related
from routescope.experiments.shared import circuits
from routescope.experiments.shared.frame import Context, Experiment, Figure, Outcome, PaperFigure, figure_of, text_of
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.frozen_weights import Frozen, FrozenWeightsError, frozen
from routescope.nn.network import Network
from routescope.nn.zero_shot import clip_logits, negation
from routescope.routing.caused.effects import by_kind
from routescope.routing.caused.intervals import bootstrap_interval, cluster_interval, share_interval, wilson_interval
from routescope.zoo.catalogue import UnknownModel

QUICK_LIMIT = 200
CIRCUIT, PERCEIVER = "nac-scenes", "pio-scenes"
TITLES = {
    CIRCUIT: "Conditional NAC",
    PERCEIVER: "Perceiver IO",
    "nac-scenes-words-only": "Conditional NAC, words only",
    "nac-scenes-pictures-only": "Conditional NAC, pictures only",
    "nac-nlvr": "Conditional NAC",
    "nac-nlvr2-clip": "Conditional NAC, CLIP features",
    "zero-shot-clip": "CLIP, zero-shot",
}
#: What a user's own data set is scored with.
OWN = {"nlvr": "nac-nlvr", "nlvr2": "nac-nlvr2-clip"}
SPATIAL = "spatial relationship"
QUADRUPLE = 4
ZERO_SHOT = "zero-shot-clip"
#: Statements that CLIP judges at once.
AT_ONCE = 16
#: Accuracy on NLVR2's validation statements.
PRINTED = {OWN["nlvr2"]: 0.64, ZERO_SHOT: 0.53}
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


@dataclass(frozen=True, eq=False)
class _Judge:
    """A model, or CLIP: the inputs that it sees, and a function that scores a set of statements."""

    sees: str
    score: Callable[[StatementSet], dict[str, str]]


@dataclass(frozen=True, eq=False)
class _Part:
    """Judges that are scored on the same splits of one data set."""

    judges: Mapping[str, _Judge]
    splits: Mapping[str, StatementSet]


def run(context: Context) -> Outcome:
    """Score every judge on every split; report accuracy by kind, consistency, and differences to the first judge."""
    notes: list[str] = []
    parts = list(_parts(context, notes))
    context.expect(sum(len(part.judges) * len(part.splits) for part in parts))
    figures: list[Figure] = []
    rows: list[dict[str, Any]] = []
    for part in parts:
        scored = {
            (name, split): measure(context, name, judge.score, split, data)
            for name, judge in part.judges.items()
            for split, data in part.splits.items()
        }
        for split, data in part.splits.items():
            first = scored[next(iter(part.judges)), split]
            for name, judge in part.judges.items():
                right = scored[name, split]
                figures += summarise(name, split, data, right, None if right is first else first, judge.sees)
                where = {"model": name, "data": data.name, "split": split}
                rows += [{**where, **row} for row in by_kind(data, right, grouped=True)]
            figures += together(split, data)
    return Outcome(figures, {"kinds": rows}, notes)


def _parts(context: Context, notes: list[str]) -> Iterator[_Part]:
    chosen: Settings = context.settings
    models = {name: context.model(name) for name in chosen.models}
    yield _Part(_judges(models), _splits(context, "scenes", options_for(next(iter(models.values())).config, "scenes")))
    for data, name in OWN.items():
        if data not in context.sources:
            continue
        clip = _clip(context, notes) if data == "nlvr2" else None
        how = f"train it with: routescope train {name} --data {data}=FOLDER"
        try:
            model = context.model(name)
        except UnknownModel as error:
            if clip is None:
                raise UnknownModel(f"there is no {name} to score on {data}; {how}") from error
            notes.append(f"{name} is not there and was left out; {how}")
            side = int(clip.pretrained.config.vision_config.image_size)
            yield _Part({ZERO_SHOT: _zero_shot(context, clip)}, _splits(context, data, {"side": side}))
            continue
        judges = _judges({name: model}) | ({} if clip is None else {ZERO_SHOT: _zero_shot(context, clip)})
        yield _Part(judges, _splits(context, data, options_for(model.config, data)))


def _judges(models: Mapping[str, Network]) -> dict[str, _Judge]:
    return {
        name: _Judge(
            model.config.sees if isinstance(model.config, ConditionalCircuitConfig) else "both",
            lambda data, model=model: circuits.score(model, [data]),  # type: ignore[misc]
        )
        for name, model in models.items()
    }


def _clip(context: Context, notes: list[str]) -> Frozen | None:
    """Return CLIP, and add its fingerprint to the record; None, with a note, if its weights are missing."""
    try:
        clip = frozen("clip")
    except FrozenWeightsError as error:
        notes.append(f"zero-shot CLIP was left out: {error}")
        return None
    context.models_used.append({"id": ZERO_SHOT, "revision": clip.fingerprint})
    return clip


def _zero_shot(context: Context, clip: Frozen) -> _Judge:
    def score(data: StatementSet) -> dict[str, str]:
        right = ""
        for start in range(0, len(data), AT_ONCE):
            context.underway(f"{TITLES[ZERO_SHOT]}: {start:,} of {len(data):,} statements of {data.split}")
            rows = slice(start, start + AT_ONCE)
            inputs = data.inputs(rows)
            given = ("",) * len(inputs) if data.negated is None else data.negated[rows]
            opposite = [
                known_negation or negation(sentence)
                for known_negation, sentence in zip(given, inputs.sentences, strict=True)
            ]
            held = clip_logits(inputs, opposite, clip.folder).argmax(dim=-1)
            right += text_of((held == data.labels[rows]).tolist())
        return {data.name: right}

    return _Judge("both", score)


def _splits(context: Context, name: str, options: Mapping[str, Any]) -> dict[str, StatementSet]:
    """Return the splits that exist; the first one must exist."""
    chosen: Settings = context.settings
    splits: dict[str, StatementSet] = {}
    for split in chosen.splits:
        try:
            splits[split] = context.data(name, split, chosen.limit, **options)
        except NoSplit:
            if not splits:
                raise
    return splits


def measure(
    context: Context, name: str, score: Callable[[StatementSet], dict[str, str]], split: str, data: StatementSet
) -> np.ndarray:
    """Return for every statement of a split whether it is judged right: 1 or 0, (statement,)."""
    scored = context.measure(f"{name}, {data.name} {split}", lambda: score(data))
    return circuits.answers(scored, [data])


def summarise(
    name: str, split: str, data: StatementSet, right: np.ndarray, first: np.ndarray | None, sees: str = "both"
) -> Iterator[Figure]:
    """Yield accuracy over all statements and by kind, consistency, and the first model's advantage.

    ``right`` and ``first`` are (statement,), 1 or 0.
    Intervals of accuracies and of their differences are of whole groups of statements, drawn together: those of a
    quadruple share words and pictures. Of consistency, sentences are taken as independent.
    """
    where: dict[str, str | int] = {"model": TITLES.get(name, name), "split": split}
    comparable = data.name == "nlvr2" and not data.stand_in and split == "validation"
    groups = None if data.groups is None else data.groups.numpy()
    says = f"{by_construction(data, sees)}; {SAYS}" if by_construction(data, sees) else SAYS
    value = (float(right.mean()), *share_interval(right, groups))
    yield figure_of("accuracy", where, value, len(right), [data], PRINTED.get(name) if comparable else None, says)
    for row in by_kind(data, right, grouped=True):
        value, condition = (row["accuracy"], row["low"], row["high"]), {**where, "kind": row["kind"]}
        yield figure_of("accuracy", condition, value, row["count"], [data], None, says)
    consistent = consistency(data.sentences, right)
    yield figure_of(
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
        yield figure_of(compared, where, value, len(right), [data], None, SAYS)


def by_construction(data: StatementSet, sees: str) -> str:
    """Return what holds by construction: a control is right on two of four statements of a quadruple; else ""."""
    if sees == "both" or data.name != "scenes" or data.groups is None:
        return ""
    if (data.groups.bincount() != QUADRUPLE).any():
        return ""
    alone = "words" if sees == "sentence" else "pictures"
    return f"50 % exactly, by construction: of each quadruple what sees {alone} alone is right of two in four"


def together(split: str, data: StatementSet) -> Iterator[Figure]:
    """Yield the share of false spatial statements that are false only by the positions of their objects."""
    number = data.kinds.index(SPATIAL) if SPATIAL in data.kinds else None
    rows, both = [], []
    for row in np.flatnonzero((data.kind.numpy() == number) & (data.labels.numpy() == 0)).tolist():
        scene, meaning = data.scenes[row], meanings_of(data.sentences[row])
        if scene is not None and isinstance(meaning, Related):
            rows.append(row)
            both.append(any(meaning.pairs(scene)))
    if not rows or data.groups is None:  # scenes are generated, in groups
        return
    shares = np.array(both)
    yield figure_of(
        "false although both things are in one picture",
        {"split": split, "kind": SPATIAL},
        (float(shares.mean()), *share_interval(shares, data.groups.numpy()[rows])),
        len(rows),
        [data],
        None,
        "of the other false statements of this kind one of the two things is missing: that decides, not their places",
        "share of false statements",
    )


def consistency(sentences: Sequence[str], right: np.ndarray) -> np.ndarray:
    """Return for each distinct sentence whether all its statements are judged right, (sentence,)."""
    _, sentence = np.unique(np.array(sentences, dtype=np.str_), return_inverse=True)
    return np.bincount(sentence, weights=right) == np.bincount(sentence)


EXPERIMENT = Experiment(
    id="nac-nlvr2",
    title="Statements about pictures, judged by circuits that they design",
    paper_reference=f"{circuits.REFERENCE}, section 4.4 and Appendix G",
    paper_figures=(
        PaperFigure("NLVR2 validation, conditional NAC on frozen CLIP features", 0.64, "about 64 %"),
        PaperFigure("NLVR2 validation, Perceiver IO on frozen CLIP features", 0.64, "64 %"),
        PaperFigure("NLVR2 validation, zero-shot CLIP", 0.53, "53 %, where chance is 50 %"),
        PaperFigure("NLVR2 leaderboard, VisualBERT", 0.67, "67 %"),
        PaperFigure("NLVR2 leaderboard, MaxEnt", 0.54, "54 %"),
    ),
    settings=Settings(),
    quick=Settings(splits=("validation",), limit=QUICK_LIMIT),
    run=run,
)
