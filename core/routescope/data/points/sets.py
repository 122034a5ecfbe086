"""Sets of clouds of points with a class each: a generated family of solids, or the meshes of ModelNet40."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float32, Int64
from torch import Tensor

from routescope.data.cache import Arrays, cached
from routescope.data.dataset import DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.kinds.points.codec import POINTS, in_unit_ball
from routescope.data.points import modelnet, solids
from routescope.nn.inputs.points import Points
from routescope.nn.shown import short_repr

SIZES = {"train": 6000, "validation": 600, "test": 1200}
#: What the seed of a cloud starts from, beside the place of its split and its own number.
SEED = 830
#: Raise it when the clouds change: older ones are then never taken from the cache.
LAYOUT = 1
#: So few clouds are made faster than they are read.
UNCACHED = 200
#: Deviation of the normal noise on every coordinate, in radii of the unit ball.
NOISE = 0.02
#: The label of a cloud of somebody's own, of which nobody says what it is.
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class CloudSet:
    """Clouds of points with a label each, in memory.

    Attributes:
        points: in the unit ball, as many for every cloud.
        hashes: SHA-256 of the points.
        name, title, split, labels, stand_in, stand_in_for, licence, classes, source, left_out: as of ``Dataset``; the
            label of a cloud of somebody's own is ``UNKNOWN``.
    """

    name: str
    title: str
    split: str
    points: Float32[Tensor, "sample V 3"]
    labels: Int64[Tensor, " sample"]
    hashes: tuple[str, ...]
    stand_in: bool
    stand_in_for: str | None
    licence: str
    classes: tuple[str, ...]
    source: str | None = None
    left_out: int = 0

    __repr__ = short_repr

    @property
    def domain(self) -> str:
        """The head of a network that this set belongs to."""
        return self.name

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, indices: Rows) -> "CloudSet":
        """The samples at ``indices``, in that order, as a set of the same name."""
        chosen = torch.arange(len(self))[positions_of(indices)]
        hashes = tuple(self.hashes[i] for i in chosen.tolist())
        return replace(self, points=self.points[chosen], labels=self.labels[chosen], hashes=hashes)

    def inputs(self, rows: Rows) -> Points:
        """What a network takes of the samples at ``rows``, in that order: their clouds."""
        return Points(self.points[positions_of(rows)])

    def own(self, inputs: Points, digest: str) -> "CloudSet":
        """A cloud that somebody brings, of no known class."""
        values = inputs.values.float().cpu()
        return replace(
            self, split="own", points=values, labels=torch.full((1,), UNKNOWN), hashes=(digest,), source=None
        )

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, " row"]:
        """The labels of the samples at ``rows``, after however many iterations."""
        return self.labels[positions_of(rows)]


def cloud(split: str, number: int) -> Float32[np.ndarray, "V 3"]:
    """One cloud of the family: of class ``number`` modulo their count, turned by chance, noisy, in the unit ball."""
    random = np.random.default_rng((SEED, list(SIZES).index(split), number))
    solid = solids.SOLIDS[solids.CLASSES[number % len(solids.CLASSES)]]
    points = random.permutation(solid.points(solid.lengths(random), POINTS, random))
    points = in_unit_ball(points) @ solids.rotation(random).T
    return in_unit_ball(points + NOISE * random.standard_normal(points.shape))


def _made(split: str, count: int) -> Arrays:
    points = np.stack([cloud(split, number) for number in range(count)])
    labels = np.arange(count, dtype=np.int64) % len(solids.CLASSES)
    return {"points": points, "labels": labels, "hashes": modelnet.hashes_of(points)}


def load(
    info: DatasetInfo, split: str, source: str | None = None, limit: int | None = None, classes: tuple[str, ...] = ()
) -> CloudSet:
    """One split of the clouds.

    Args:
        source: folder of ModelNet40, as published (``modelnet``); None: the generated family.
        limit: only the first samples, of every class as many as of any other where there is no source.
        classes: names that a network was trained on, in the order of its labels; none: those of the set.

    Raises:
        NoSplit: no such split. DataError: a source that cannot be read, or one of other classes.
    """
    if source is not None:
        arrays, names = modelnet.read(split, source, classes)
    else:
        if split not in info.splits:
            raise NoSplit(f"{info.name} has no split {split!r}; there are {', '.join(info.splits)}")
        count = min(limit or SIZES[split], SIZES[split])
        key = {"layout": LAYOUT, "split": split, "count": count, "seed": SEED, "noise": NOISE, "points": POINTS}
        arrays = _made(split, count) if count <= UNCACHED else cached("clouds", key, lambda: _made(split, count))
        names = info.classes
    return CloudSet(
        name=info.name,
        title=info.title if source is None else info.real_title,
        split=split,
        points=torch.from_numpy(np.ascontiguousarray(arrays["points"][:limit])),
        labels=torch.from_numpy(np.ascontiguousarray(arrays["labels"][:limit])),
        hashes=tuple(arrays["hashes"][:limit].tolist()),
        stand_in=info.stand_in and source is None,
        stand_in_for=info.stand_in_for if source is None else None,
        licence=info.licence if source is None else info.real_licence,
        classes=names,
        source=source,
    )
