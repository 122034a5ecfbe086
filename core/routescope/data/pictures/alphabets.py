"""Sets of letters that are drawn one by one: what those of several writing systems have in common."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8

from routescope.data.cache import Arrays, cached
from routescope.data.dataset import SIDE

#: Letters of which so many are drawn anew instead of kept.
FEW = 256


@dataclass(frozen=True)
class Alphabet:
    """Letters, and how one of them is drawn.

    Attributes:
        name: of its pictures in the cache.
        classes: the letters, in the order of their labels.
        seeds: of every split.
        layout: is raised when the pictures change: older ones are then never taken from the cache.
        draw: a letter as a picture, from numbers that are drawn for it alone.
    """

    name: str
    classes: tuple[str, ...]
    seeds: Mapping[str, int]
    layout: int
    draw: Callable[[str, np.random.Generator], UInt8[np.ndarray, "3 side side"]]

    def of(self, split: str, size: int, limit: int | None) -> Arrays:
        """A split of so many letters, or its first ones: images (N, 3, 32, 32), labels (N,), hashes (N,)."""
        count, seed = size if limit is None else min(limit, size), self.seeds[split]
        key = {"layout": self.layout, "seed": seed, "count": size, "classes": "".join(self.classes)}
        whole = count > FEW
        arrays = cached(self.name, key, lambda: self.render(size, seed)) if whole else self.render(count, seed)
        arrays = {name: values[:count] for name, values in arrays.items()}
        arrays["hashes"] = np.array([hashlib.sha256(image.tobytes()).hexdigest() for image in arrays["images"]])
        return arrays

    def render(self, count: int, seed: int) -> Arrays:
        """``count`` letters; sample i depends on ``seed`` and i alone, and classes take turns, each once a round.

        Images are (count, 3, 32, 32), labels (count,).
        """
        rounds = len(self.classes)
        images, labels = np.empty((count, 3, SIDE, SIDE), np.uint8), np.empty(count, np.int64)
        for i in range(count):
            order = np.random.default_rng((seed, i // rounds)).permutation(rounds)
            labels[i] = order[i % rounds]
            images[i] = self.draw(self.classes[labels[i]], np.random.default_rng((seed, 1, i)))
        return {"images": images, "labels": labels}
