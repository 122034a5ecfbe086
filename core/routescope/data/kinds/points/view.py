"""Clouds of points as a table and as a small picture."""

import numpy as np
from jaxtyping import Float, UInt8

from routescope.data.kinds.kind import Table
from routescope.nn.inputs.points import Points

COORDINATES = ("x", "y", "z")
#: Directions of a thumbnail: right, up, and towards the viewer; colours of far and near points.
VIEW = np.array(((0.8, -0.6, 0.0), (0.3, 0.4, 0.8660254), (-0.5196152, -0.6928203, 0.5)))
FAR, NEAR = np.array((38.0, 70.0, 130.0)), np.array((128.0, 190.0, 250.0))


def _points_of(clouds: Points) -> Float[np.ndarray, "point 3"]:
    """Return the points of the first cloud, without its padding."""
    cloud = clouds.values[0]
    points: np.ndarray = cloud[cloud.isfinite().all(dim=-1)].cpu().float().numpy()
    return points


def table(clouds: Points) -> Table:
    """Return the points, one a row."""
    rows = tuple((row, *point) for row, point in enumerate(_points_of(clouds).tolist(), start=1))
    return Table(("point", *COORDINATES), rows, COORDINATES)


def thumbnail(clouds: Points, side: int) -> UInt8[np.ndarray, "side side 4"]:
    """Return the cloud from above at a slant: a dot a point, near points lighter."""
    right, up, near = (_points_of(clouds) @ VIEW.T).T
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
