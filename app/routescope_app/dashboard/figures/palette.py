"""The colours of units. One palette, in which a unit keeps its colour on every page and in every picture."""

from collections import Counter
from collections.abc import Sequence

#: The colour-blind-safe colours of Okabe and Ito (2008), the most distinct first, then five of Paul Tol's muted scheme.
#: Every later colour is the one that is farthest from all before it in OKLab, between the lightness of both schemes.
UNIT_COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9",
    "#f0e442", "#882255", "#999933", "#44aa99", "#aa4499", "#ddcc77",
    "#604800", "#30f090", "#5424a8", "#9078fc", "#d8c0fc", "#005454", "#006c00", "#90e4cc", "#f084fc", "#fca89c",
    "#544878", "#d83c60", "#906060", "#9c2400", "#54b424", "#003cb4", "#780084", "#3084fc", "#607854", "#846cb4",
    "#9c6c18", "#90cc78", "#c0906c", "#9048cc", "#9c9ce4", "#00e4fc", "#5454d8", "#a8e43c", "#fc6cc0", "#008490",
    "#9cd8fc", "#fc7884", "#a8b490", "#0c4884", "#fc9ccc", "#6c3c3c", "#00cc9c", "#608400", "#c0c000", "#c060d8",
    "#305424", "#60789c", "#fc8448", "#c06060", "#b4186c", "#cca8c0", "#c090fc", "#783c84", "#cc3018", "#4854a8",
    "#84c0c0", "#0cf0cc", "#4890d8", "#009000", "#b4003c", "#9c6090", "#d8489c", "#904800", "#007854", "#90906c",
    "#549cb4", "#f05448", "#6ca860", "#00c0cc", "#fcb46c", "#f0a8fc", "#3c6078", "#0060d8", "#9cb4d8", "#b48490",
    "#6c78d8", "#9c3c48", "#c08400", "#78603c", "#f0c000", "#e4c0a8", "#00cc6c", "#c0d8a8", "#6c48a8", "#6c6c0c",
    "#b484cc", "#c0a860", "#6c3c60", "#90b430", "#7824a8", "#c05484", "#901878", "#609084", "#786084", "#7890c0",
    "#d878cc", "#789cfc", "#f0c0d8", "#00a854", "#b4480c", "#00a8fc", "#900c30", "#78e4a8", "#d88484", "#78300c",
    "#f06090", "#9c6cd8", "#c0d86c", "#78d860", "#78c09c", "#9c7860", "#d87854", "#48d8cc", "#90309c", "#9054a8",
    "#7860d8", "#90486c", "#00843c", "#3c6c60", "#e48400", "#90789c", "#0cccfc", "#c0a818", "#a8603c", "#303c9c",
    "#e49c6c", "#fc90e4", "#9cb46c", "#84843c", "#a890b4", "#90b4fc", "#0054a8", "#549054", "#d89cd8", "#cc78fc",
    "#c0a8fc", "#6c9c00", "#60609c", "#009ccc", "#54603c", "#d86c84", "#c060a8", "#78d8e4", "#3c3cc0", "#0078d8",
    "#c0ccf0", "#a88448", "#9c90fc", "#006090", "#3c6c30", "#f084a8", "#b43c60", "#486cc0", "#cca890", "#6c78fc",
    "#6c3cc0", "#a848c0", "#60c06c", "#006c78", "#48b484", "#3c84b4", "#b4000c", "#b46c84", "#c06c00", "#602490",
    "#ccc090", "#78a89c", "#e49ca8", "#a83c78", "#ccd800", "#783048", "#cc543c", "#fc9078", "#00a8b4", "#fc9c3c",
    "#486ce4", "#9084cc", "#006048", "#78246c", "#9ce484", "#9ccc30", "#a86cb4", "#487884", "#c048b4", "#d860cc",
    "#543c90", "#3c846c", "#b4a8d8", "#60b4cc", "#3c5484", "#006024", "#f0546c", "#e4b454", "#843030", "#784824",
    "#cc90b4", "#9cccb4", "#cc3c78", "#789c6c", "#b43c3c", "#fcb4e4", "#a8546c", "#9c0054", "#3cc0a8", "#f06024",
    "#0c546c", "#00789c", "#00e4a8", "#90483c", "#c0c060", "#785460", "#9c8400", "#84c0f0", "#c078d8", "#a82490",
    "#d8cc48", "#6054c0", "#c0786c", "#cc8448", "#3054c0", "#785490", "#d890f0", "#9cd89c", "#6ccc90", "#78f078",
    "#603078", "#fc7860", "#3c6c9c", "#903c84", "#e46ca8", "#78a8d8", "#cc546c", "#54d884", "#6c78b4", "#0cb4d8",
    "#a884e4", "#785400", "#847854", "#e4b484", "#e484c0", "#e46c6c", "#6c60b4", "#3c780c", "#b4c0fc", "#789030",
    "#545400", "#0090f0", "#fc909c", "#a878a8",
)  # fmt: skip
#: Units that are told apart by colour alone. Of more units with layers, the colour is that of the place in the layer.
DISTINCT = 20


def colour_places(units: Sequence[str]) -> dict[str, int]:
    """The place of every unit of the full model in the palette; ``colourPlaces`` of ``lib/units.js`` has the same rule.

    Up to ``DISTINCT`` units, and more without layers: the place in the model. More units with layers, such as
    ``l2.e3``: the place in the layer.
    """
    layers = [unit.rpartition(".")[0] for unit in units]
    if len(units) <= DISTINCT or not all(layers):
        return {unit: index for index, unit in enumerate(units)}
    sizes: Counter[str] = Counter()
    places = {}
    for unit, layer in zip(units, layers, strict=True):
        places[unit] = sizes[layer]
        sizes[layer] += 1
    return places


def unit_colours(units: Sequence[str]) -> dict[str, str]:
    """The colour of every unit of the full model; beyond the palette's end colours repeat."""
    return {unit: UNIT_COLOURS[colour_place % len(UNIT_COLOURS)] for unit, colour_place in colour_places(units).items()}


def unit_paint(units: Sequence[str], unit: str, percent: int | None = None) -> str:
    """The colour of a unit of the full model as the page writes it, with an opacity in percent."""
    number = colour_places(units)[unit] % len(UNIT_COLOURS) + 1
    return f"var(--unit-{number})" if percent is None else f"var(--unit-{number}/{percent})"


def as_css() -> str:
    """The palette as CSS variables ``--unit-1``, ``--unit-2``, ... for the page and its canvases."""
    variables = "".join(f"--unit-{n}:{colour};" for n, colour in enumerate(UNIT_COLOURS, start=1))
    return f":root{{{variables}}}"
