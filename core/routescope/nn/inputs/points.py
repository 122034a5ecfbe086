"""Clouds of points in space: what networks that read a solid by points of its surface take."""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import torch
from jaxtyping import Float, UInt8
from torch import Tensor

from routescope.nn.inputs.cloud_files import FILES, LEAST_STEPS, CloudError, read_cloud, read_xyz
from routescope.nn.inputs.kind import Files, NotFromWriting, OneTensor, Table, Written

#: Points of a sample: of larger clouds so many are taken.
POINTS = 1024
#: Fewer points show no solid.
LEAST_POINTS = 16
#: In which order the points of a cloud of one's own are taken, which have none.
ORDER_SEED = 17
COORDINATES = ("x", "y", "z")
#: Of a thumbnail: what is to the right, up, and towards who looks, and the colours of what is far and near.
VIEW = np.array(((0.8, -0.6, 0.0), (0.3, 0.4, 0.8660254), (-0.5196152, -0.6928203, 0.5)))
FAR, NEAR = np.array((38.0, 70.0, 130.0)), np.array((128.0, 190.0, 250.0))
WANTED = f"a cloud is at least {LEAST_POINTS} points, each three finite numbers x y z, not all of them in one place"


@dataclass(frozen=True, eq=False)
class Points(OneTensor):
    """A batch of clouds: x, y and z of V points each, in the unit ball; where a cloud has fewer, the last are NaN."""

    kind: ClassVar[str] = "points"
    words: ClassVar[str] = "a cloud of points"
    written: ClassVar[Written | None] = Written(
        f"at least {LEAST_POINTS} lines with x, y and z of a point each", "0.1 0.9 0.5\n0.2 0.8 0.4\n..."
    )
    files: ClassVar[Files | None] = FILES

    values: Float[Tensor, "B V 3"]

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """A cloud of the points that are written, a line each, brought to the unit ball; ``POINTS`` of them at most.

        Its points come in a fixed order of chance, so that the first ones of them are spread over all.

        Raises:
            NotFromWriting: a line that is no three finite numbers, too few points, or all in one place.
        """
        try:
            cloud = checked(read_xyz(content))
        except CloudError as error:
            raise NotFromWriting(f"{error}; {WANTED}") from None
        return cls(torch.from_numpy(in_unit_ball(drawn(cloud)))[None])

    @classmethod
    def writing_of(cls, name: str, content: bytes, most_rows: int) -> str:
        """The points of a .npy, .xyz or .ply file as they would be written, a line each; ``POINTS`` of them at most.

        Points of a cloud that is farther from the origin than it is wide are written from the cloud's mean.

        Raises:
            NotFromWriting: no such file, no cloud of points of three finite numbers, or more than ``most_rows``.
        """
        try:
            cloud = drawn(checked(read_cloud(name, content, most_rows)))
        except CloudError as error:
            raise NotFromWriting(f"{error}; {WANTED}, in one of {FILES.words}") from None
        return "\n".join(" ".join(f"{value:.7g}" for value in point) for point in _near(cloud).tolist())

    def table(self) -> Table:
        """The points of the first cloud, one a row."""
        there = self.values[0].isfinite().all(dim=-1)
        rows = self.values[0][there].tolist()
        return Table(
            ("point", *COORDINATES), tuple((place, *values) for place, values in enumerate(rows, start=1)), COORDINATES
        )

    def thumbnail(self, side: int) -> UInt8[np.ndarray, "side side 4"] | None:
        """The first cloud from above at a slant: a dot a point, the nearer the lighter."""
        there = self.values[0].isfinite().all(dim=-1)
        right, up, near = (self.values[0][there].cpu().float().numpy() @ VIEW.T).T
        order = np.argsort(near)  # the nearest last, over the others
        radius = max(1, side // 64)
        scale = side / 2 - radius - 1
        dots = np.mgrid[-radius : radius + 1, -radius : radius + 1].reshape(2, -1)
        dots = dots[:, (dots**2).sum(axis=0) <= radius**2 + 0.5]
        rows = np.rint(side / 2 - scale * up[order]).astype(int)[:, None] + dots[0]
        columns = np.rint(side / 2 + scale * right[order]).astype(int)[:, None] + dots[1]
        colours = FAR + (near[order, None] + 1) / 2 * (NEAR - FAR)
        picture = np.zeros((side, side, 4), np.uint8)
        picture[rows, columns, :3] = colours.clip(0, 255).astype(np.uint8)[:, None]
        picture[rows, columns, 3] = 255
        return picture


def checked(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "point 3"]:
    """The cloud, if it can be a sample; raises CloudError for too few points, no finite numbers, or one place alone."""
    wrong = np.flatnonzero(~np.isfinite(cloud).all(axis=1))
    if len(wrong):
        some = ", ".join(str(place + 1) for place in wrong[:3])
        raise CloudError(
            f"{len(wrong):,} of {len(cloud):,} points have a coordinate that is not a finite number, the first of them"
            f" {'points' if len(wrong) > 1 else 'point'} {some}"
        )
    if len(cloud) < LEAST_POINTS:
        raise CloudError(f"the cloud has {len(cloud)} {'point' if len(cloud) == 1 else 'points'}")
    size = np.abs(cloud).max()
    if size > 1e30:
        raise CloudError("a coordinate is larger than 1e30")
    if np.ptp(cloud, axis=0).max() <= LEAST_STEPS * np.spacing(float(size)):
        raise CloudError(f"all {len(cloud):,} points are in one place")
    return cloud


def _near(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "point 3"]:
    """The cloud, moved to the origin where few digits of its coordinates would tell its points apart."""
    mean = cloud.mean(axis=0)
    return cloud - mean if np.abs(mean).max() > np.ptp(cloud, axis=0).max() else cloud


def drawn(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "kept 3"]:
    """``POINTS`` of the points at most, in an order of chance that is the same for every cloud of as many points."""
    order = np.random.default_rng((ORDER_SEED, len(cloud))).permutation(len(cloud))
    chosen: np.ndarray = cloud[order[:POINTS]]
    return chosen


def in_unit_ball(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "point 3"]:
    """The cloud with its mean at the origin and its farthest point at the distance 1, in single precision."""
    centred = cloud.astype(np.float64) - cloud.mean(axis=0, dtype=np.float64)
    centred /= np.abs(centred).max()  # so that no square is too large or too small for a number
    farthest = math.sqrt(float((centred**2).sum(axis=1).max()))
    scaled: np.ndarray = (centred / farthest).astype(np.float32)
    return scaled


def as_many(points: Float[Tensor, "B V 3"], count: int) -> Float[Tensor, "B count 3"]:
    """The first ``count`` points of each cloud; NaN in place of those that are missing."""
    if points.shape[1] >= count:
        return points[:, :count]
    missing = points.new_full((len(points), count - points.shape[1], 3), math.nan)
    return torch.cat((points, missing), dim=1)
