"""Pictures of letters that are drawn one by one."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from jaxtyping import UInt8

from routescope.data.cache import Arrays
from routescope.data.pictures import folders
from routescope.data.pictures.sets import PictureSet, rendered
from routescope.data.samples import SIDE, SampleRequest

#: Up to this many letters are drawn at each request; more are kept in the cache.
FEW = 256

Draw = Callable[[str, np.random.Generator], UInt8[np.ndarray, "3 side side"]]


def letters_of(request: SampleRequest, family: str, seed: int, layout: int, draw: Draw) -> PictureSet:
    """Return drawn letters, or pictures of a user.

    Args:
        family: the name of the letters in the cache.
        layout: raised when the pictures change: older ones are then never taken from the cache.
        draw: draws a letter as a picture; its random numbers serve that letter alone.
    """
    if request.source is not None:
        return folders.read(request)
    classes = request.info.classes
    key = {"layout": layout, "seed": seed, "classes": "".join(classes)}
    return rendered(request, family, key, partial(render, classes, seed, draw), FEW)


def render(classes: Sequence[str], seed: int, draw: Draw, count: int) -> Arrays:
    """Draw ``count`` letters: images (count, 3, 32, 32) and labels (count,).

    Sample i depends on ``seed`` and i alone; each class comes once in every round of all classes.
    """
    images, labels = np.empty((count, 3, SIDE, SIDE), np.uint8), np.empty(count, np.int64)
    for i in range(count):
        order = np.random.default_rng((seed, i // len(classes))).permutation(len(classes))
        labels[i] = order[i % len(classes)]
        images[i] = draw(classes[labels[i]], np.random.default_rng((seed, 1, i)))
    return {"images": images, "labels": labels}
