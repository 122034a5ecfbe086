"""Matrices as panels, as a table, and as a small picture."""

import numpy as np
import torch
from jaxtyping import UInt8

from routescope.data.kinds.kind import Panels, Table
from routescope.nn.inputs.matrices import ANSWERS, COLUMNS, CONTEXT, Matrices, panel_names

#: Pixels between the panels of a thumbnail, and their colour: red, green, blue and opacity.
SPACE, BETWEEN = 2, (128, 128, 128, 128)


def panels(matrices: Matrices) -> Panels:
    """Return the panels: eight of nine, and eight answers for the last."""
    greys = (matrices.values[0].cpu().float() * 255).round().to(torch.uint8).numpy()
    return Panels(greys, panel_names(), COLUMNS, ANSWERS)


def table(matrices: Matrices) -> Table:
    """Return the mean darkness of each panel, 0 for white."""
    darkness = (1 - matrices.values[0].float()).flatten(1).mean(dim=1)
    return Table(("panel", "darkness"), tuple(zip(panel_names(), map(float, darkness), strict=True)))


def thumbnail(matrices: Matrices, side: int) -> UInt8[np.ndarray, "side side 4"]:
    """Return the eight panels with grey between them; the gap is transparent."""
    space = min(SPACE, side // 16)
    edge = (side - (COLUMNS - 1) * space) // COLUMNS
    values = torch.nn.functional.interpolate(matrices.values[:1].cpu().float(), (edge, edge), mode="area")[0]
    greys = (values * 255).round().to(torch.uint8).numpy()
    whole = COLUMNS * edge + (COLUMNS - 1) * space
    picture = np.zeros((side, side, 4), np.uint8)
    picture[:whole, :whole] = BETWEEN
    for index in range(CONTEXT + 1):
        top, left = (at * (edge + space) for at in divmod(index, COLUMNS))
        cell = picture[top : top + edge, left : left + edge]
        if index < CONTEXT:
            cell[..., :3], cell[..., 3] = greys[index][..., None], 255
        else:
            cell[...] = 0
    return picture
