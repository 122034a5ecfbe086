"""Figures of maps of sentences, for notebooks."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from routescope.routing.maps.methods import TITLES
from routescope.routing.maps.sentences import SentenceMap

PANELS = {"circuits": "by circuit", "text": "by text encoder"}
#: More groups than this get no legend.
MOST_NAMED = 20


def plot(mapped: SentenceMap, colour: str = "kind", axes: np.ndarray | None = None) -> np.ndarray:
    """Both maps side by side, as Figures 6 and 16 of the paper. Returns the matplotlib axes, of shape (2, ).

    Raises:
        ValueError: a colour that is no column of the table, or other than two axes.
    """
    if colour not in mapped.table:
        raise ValueError(f"colour must be one of {', '.join(mapped.table.columns)}, not {colour!r}")
    if axes is None:
        axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")[1]
    panels: list[Axes] = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(panels) != len(PANELS):
        raise ValueError(f"the two maps need two axes, not {len(panels)}")
    names = mapped.table[colour].fillna("none").astype(str).to_numpy()
    groups = list(dict.fromkeys(names.tolist()))
    wheel, size = ("tab20", 20) if len(groups) > 10 else ("tab10", 10)
    shades = plt.get_cmap(wheel)
    for panel, (name, points) in zip(panels, mapped.maps.items(), strict=True):
        for k, group in enumerate(groups):
            x, y = points.xy[names == group].T
            panel.scatter(x, y, s=4, color=shades(k % size), label=group)
        trust = points.trustworthiness
        panel.set_title(PANELS[name])
        panel.set_xlabel(f"{TITLES[mapped.method]}, seed {mapped.seed}\ntrustworthiness {trust.value:.3f}")
    if len(groups) <= MOST_NAMED:
        panels[-1].legend(title=colour, markerscale=3, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    return np.array(panels, dtype=object)
