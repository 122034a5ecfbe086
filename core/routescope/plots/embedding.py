"""Figures of maps of types, for notebooks."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from routescope.plots.steps import title as step_title
from routescope.routing.maps.embedding import Embedding
from routescope.routing.maps.methods import TITLES
from routescope.routing.maps.points import LABELLINGS

NAMES_OF = {
    "step": "steps",
    "sample": "sample_ids",
    "token": "tokens",
    "unit": "units",
    "label": "labels",
    "domain": "domains",
}
#: More groups than this get no legend.
MOST_NAMED = 20


def plot(embedding: Embedding, colour: str = "unit", axes: np.ndarray | None = None) -> np.ndarray:
    """One panel a step with shared axes; signatures are crosses. Returns the matplotlib axes, of shape (steps, ).

    Raises:
        ValueError: a colour that is none of ``LABELLINGS``, or fewer axes than steps.
    """
    if colour not in LABELLINGS:
        raise ValueError(f"colour must be one of {', '.join(LABELLINGS)}, not {colour!r}")
    points = embedding.points
    steps = sorted(set(points.step.tolist()))
    if axes is None:
        axes = plt.subplots(1, len(steps), figsize=(2.6 * len(steps), 3), sharex=True, sharey=True, squeeze=False)[1][0]
    panels: list[Axes] = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(panels) < len(steps):
        raise ValueError(f"{len(steps)} steps need as many axes, not {len(panels)}")
    values = getattr(points, colour)
    groups = np.unique(values)
    for panel, step in zip(panels, steps, strict=False):
        for k, group in enumerate(groups):
            rows = (points.step == step) & (values == group)
            shade = f"C{k % 10}" if group >= 0 else "0.6"
            x, y = embedding.xy[rows].T
            panel.scatter(x, y, s=3, color=shade, label=_name(embedding, colour, int(group)))
        x, y = embedding.signatures_xy.T
        panel.scatter(x, y, marker="x", color="black", s=40)
        signed = points.units if len(embedding.signatures_xy) else ()
        for unit, point in zip(signed, embedding.signatures_xy, strict=True):
            panel.annotate(unit, point.tolist(), xytext=(3, 3), textcoords="offset points")
        panel.set_title(step_title(points.steps[step]))
    trust = embedding.trustworthiness
    title = f"{TITLES[embedding.method]}, seed {embedding.seed}"
    panels[0].set_xlabel(f"{title}\ntrustworthiness {trust.value:.3f} (on {trust.points} points)")
    if len(groups) <= MOST_NAMED:
        panels[len(steps) - 1].legend(title=colour, markerscale=3, fontsize="small")
    return np.array(panels, dtype=object)


def _name(embedding: Embedding, colour: str, group: int) -> str:
    if group < 0:
        return "none"
    if colour == "correct":
        return "correct" if group else "wrong"
    return str(getattr(embedding.points, NAMES_OF[colour])[group])
