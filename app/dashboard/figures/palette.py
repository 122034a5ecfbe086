"""The colours of units. One palette, in which a unit keeps its colour on every page and in every picture."""

from collections.abc import Sequence

#: The colour-blind-safe colours of Okabe and Ito (2008), the most distinct first, then five of Paul Tol's muted scheme.
UNIT_COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9",
    "#f0e442", "#882255", "#999933", "#44aa99", "#aa4499", "#ddcc77",
)  # fmt: skip


def unit_colours(units: Sequence[str]) -> dict[str, str]:
    """The colour of every unit, by its place in the full model; with more units than colours they repeat."""
    return {unit: UNIT_COLOURS[index % len(UNIT_COLOURS)] for index, unit in enumerate(units)}


def as_css() -> str:
    """The palette as CSS variables ``--unit-1``, ``--unit-2``, ... for the page and its canvases."""
    variables = "".join(f"--unit-{n}:{colour};" for n, colour in enumerate(UNIT_COLOURS, start=1))
    return f":root{{{variables}}}"
