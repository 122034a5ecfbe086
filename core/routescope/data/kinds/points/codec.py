"""Clouds of points from files and texts: checked, reduced to ``POINTS`` points, scaled to the unit ball."""

import math

import numpy as np
import torch
from jaxtyping import Float

from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.points.files import LEAST_STEPS, read_cloud, read_xyz
from routescope.nn.inputs.points import Points

#: Most points of a sample; larger clouds are sampled.
POINTS = 1024
#: Least points of a sample; fewer show no solid.
LEAST_POINTS = 16
#: Seed of the order of the points of an uploaded cloud.
ORDER_SEED = 17
WANTED = f"a cloud is at least {LEAST_POINTS} points, each three finite numbers x y z, not all of them in one place"
FILE_WORDS = ".npy arrays of the shape (points, 3), .xyz texts and .ply files"


def decode(content: str) -> Points:
    """Return a cloud of written points, a line each, scaled to the unit ball.

    The points come in a fixed random order, so that the first ones are spread over the whole cloud; at most ``POINTS``
    are kept.

    Raises:
        InvalidSample: a line that is not three finite numbers, too few points, or all points in one place.
    """
    try:
        cloud = checked(read_xyz(content))
    except InvalidSample as error:
        raise InvalidSample(f"{error}; {WANTED}") from None
    return Points(torch.from_numpy(in_unit_ball(_sampled(cloud)))[None])


def decode_file(name: str, content: bytes, most_rows: int) -> str:
    """Return the points of a .npy, .xyz or .ply file as text, a line each; at most ``POINTS``.

    A cloud that is farther from the origin than it is wide is moved to the origin, as few digits of its coordinates
    would tell its points apart.

    Raises:
        InvalidSample: another file, no cloud of three finite numbers a point, or more than ``most_rows`` points.
    """
    try:
        cloud = _sampled(checked(read_cloud(name, content, most_rows)))
    except InvalidSample as error:
        raise InvalidSample(f"{error}; {WANTED}, in one of {FILE_WORDS}") from None
    mean = cloud.mean(axis=0)
    if np.abs(mean).max() > np.ptp(cloud, axis=0).max():
        cloud = cloud - mean
    return "\n".join(" ".join(f"{value:.7g}" for value in point) for point in cloud.tolist())


def checked(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "point 3"]:
    """Return the cloud; raises InvalidSample for infinite numbers, too few points, or points in one place."""
    wrong = np.flatnonzero(~np.isfinite(cloud).all(axis=1))
    if len(wrong):
        some = ", ".join(str(row + 1) for row in wrong[:3])
        raise InvalidSample(
            f"{len(wrong):,} of {len(cloud):,} points have a coordinate that is not a finite number, the first of them"
            f" {'points' if len(wrong) > 1 else 'point'} {some}"
        )
    if len(cloud) < LEAST_POINTS:
        raise InvalidSample(f"the cloud has {len(cloud)} {'point' if len(cloud) == 1 else 'points'}")
    size = np.abs(cloud).max()
    if size > 1e30:
        raise InvalidSample("a coordinate is larger than 1e30")
    if np.ptp(cloud, axis=0).max() <= LEAST_STEPS * np.spacing(float(size)):
        raise InvalidSample(f"all {len(cloud):,} points are in one place")
    return cloud


def _sampled(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "kept 3"]:
    """Return at most ``POINTS`` points, in a random order that depends on their number alone."""
    order = np.random.default_rng((ORDER_SEED, len(cloud))).permutation(len(cloud))
    chosen: np.ndarray = cloud[order[:POINTS]]
    return chosen


def in_unit_ball(cloud: Float[np.ndarray, "point 3"]) -> Float[np.ndarray, "point 3"]:
    """Return the cloud with its mean at the origin and its farthest point at distance 1, in single precision."""
    centred = cloud.astype(np.float64) - cloud.mean(axis=0, dtype=np.float64)
    centred /= np.abs(centred).max()  # so that squares neither overflow nor vanish
    farthest = math.sqrt(float((centred**2).sum(axis=1).max()))
    scaled: np.ndarray = (centred / farthest).astype(np.float32)
    return scaled
