"""Shared parts of experiments with Neural Attentive Circuits: trainings of the ladder, their data, comparisons."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from routescope.data import DataError, options_for
from routescope.data.pictures.sets import PictureSet
from routescope.data.samples import Samples
from routescope.experiments.shared.frame import Context, Figure, answers_in, figure_of, text_of
from routescope.nn.network import Network
from routescope.routing.caused.intervals import bootstrap_interval, wilson_interval
from routescope.routing.caused.scores import evaluate
from routescope.routing.intervention import Intervention
from routescope.zoo.catalogue import UnknownModel, with_seed

REFERENCE = "Neural Attentive Circuits (NeurIPS 2022)"

#: What follows an id where a model was trained on pictures of a user's own, the first that is there being taken.
PRINTED_SUFFIX = "-printed"
IMAGE_SUFFIXES = (PRINTED_SUFFIX, "-images")
TRAIN = "routescope train nac-images-printed --data images=FOLDER"

#: Loss of accuracy that counts as little: the paper loses less than 3 points.
LITTLE = 0.03
#: Classes of Tiny-ImageNet, and of networks that are tried on Tiny-ImageNet-R.
PAPERS_CLASSES = 200


def load_trainings(context: Context, rungs: Sequence[str], seeds: int = 1) -> list[dict[str, Network]]:
    """Return the models of some rungs for every seed: those of digits, or with ``--data images=...`` of pictures.

    All models are of one size: the printed one where the first rung has it, else that for two cores.

    Raises:
        UnknownModel: a model is missing; the message says how to train it.
        DataError: pictures out of distribution without those in distribution.
    """
    if "images" in context.sources:
        suffix = _image_suffix(context, rungs[0])
    elif "images-ood" in context.sources:
        raise DataError("images-ood is held out from images of the same classes: give images=FOLDER too")
    else:
        suffix = ""
    trainings = []
    for seed in range(seeds):
        try:
            trainings.append({rung: context.model(with_seed(rung + suffix, seed)) for rung in rungs})
        except UnknownModel as problem:
            if not seed:
                raise
            raise UnknownModel(
                f"{problem}. Train the ladder with another seed: routescope train ... --seed {seed}"
            ) from None
    return trainings


def _image_suffix(context: Context, rung: str) -> str:
    """Return the first of ``IMAGE_SUFFIXES`` with which a rung has a model; raises UnknownModel if none has."""
    for suffix in IMAGE_SUFFIXES:
        with suppress(UnknownModel):
            context.load_model(rung + suffix)
            return suffix
    raise UnknownModel(f"there is no {rung}-printed and no {rung}-images; train them with: {TRAIN}")


def load_sets(context: Context, model: Network, limit: int | None) -> tuple[list[PictureSet], list[PictureSet]]:
    """Return the validation sets that a model was trained on (IID), and the held-out ones (OOD).

    A user's pictures that have not the number of classes of the paper's count as a stand-in for these.

    Raises:
        DataError: pictures of classes that the model was not trained on.
    """
    config, held_out = model.config, model.config.held_out
    sets = {
        name: context.data(name, "validation", limit, _standing_in, **options_for(config, name))
        for name in config.domains
    }
    return [sets[name] for name in sets if name not in held_out], [sets[name] for name in held_out]


def _standing_in(data: PictureSet) -> PictureSet:
    """Return a user's pictures as a stand-in for the paper's, unless they have its number of classes."""
    if data.info.shown or len(data.classes) == PAPERS_CLASSES:
        return data
    return replace(data, info=replace(data.info, real_stand_in_for=data.info.stand_in_for))


def score(model: Network, sets: Sequence[Samples], intervention: Intervention | None = None) -> dict[str, str]:
    """Return which samples of each data set are labelled right, as texts for the journal."""
    answers_by_set = {}
    for data in sets:
        correct = evaluate(model, data, intervention).correct
        answers_by_set[data.name] = text_of(correct)
    return answers_by_set


def answers(scored: Mapping[str, str], sets: Sequence[Samples]) -> np.ndarray:
    """Return 1 or 0 for every sample of the sets, one set after the other: (sample,)."""
    return np.concatenate([answers_in(scored[data.name]) for data in sets])


def mean_answers(trainings: Sequence[Mapping[str, str]], sets: Sequence[Samples]) -> np.ndarray:
    """Return the share of trainings that are right for every sample of the sets: (sample,)."""
    return np.mean([answers(scored, sets) for scored in trainings], axis=0)


def little_lost(right: Sequence[np.ndarray]) -> int:
    """Return the index of the largest share up to which every share loses less than ``LITTLE``.

    ``right`` has an array (sample,) for each share, of which the first removes nothing.
    """
    losses = [float((right[0] - answers).mean()) for answers in right]
    return next((index for index, loss in enumerate(losses) if loss >= LITTLE), len(losses)) - 1


def accuracy_figure(
    name: str,
    where: Mapping[str, str | int],
    right: np.ndarray,
    sets: Sequence[Samples],
    paper: float | None = None,
    paper_says: str = "",
) -> Figure:
    """Return a share of right samples: ``right`` is (sample,), 1 or 0, or the share of several trainings.

    The interval is over samples: Wilson's for one training, else the bootstrap's.
    """
    value = bootstrap_interval(right)
    if np.isin(right, (0, 1)).all():
        value = (float(right.mean()), *wilson_interval(int(right.sum()), len(right)))
    return figure_of(name, where, value, len(right), sets, paper, paper_says)


def difference_figure(
    name: str,
    where: Mapping[str, str | int],
    right: np.ndarray,
    other: np.ndarray,
    sets: Sequence[Samples],
    paper: float | None = None,
    paper_says: str = "",
) -> Figure:
    """Return the paired difference of two shares of right samples, with the bootstrap's interval over samples.

    ``right`` and ``other`` are (sample,), 1 or 0, or shares of several trainings.
    """
    return figure_of(name, where, bootstrap_interval(right - other), len(right), sets, paper, paper_says)


def is_papers(context: Context, sets: Sequence[Samples]) -> bool:
    """Return whether the paper's numbers may stand beside those of some sets as the same quantity.

    They may where all models have the sizes of Table 4 and are scored on a user's own pictures, not on a stand-in.
    """
    printed = all(PRINTED_SUFFIX in model["id"] for model in context.models_used)
    return printed and not any(data.info.in_gallery or data.stand_in for data in sets)
