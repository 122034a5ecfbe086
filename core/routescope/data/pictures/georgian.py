"""Ten Georgian letters as if written by hand, white on black: what trained networks adapt to in place of K-MNIST.

They are rendered from the fonts that matplotlib carries, bent and made thicker or thinner at random.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from jaxtyping import Float
from PIL import Image, ImageDraw, ImageFont

from routescope.assets import require
from routescope.data.catalogue import dataset
from routescope.data.pictures.alphabets import letters_of
from routescope.data.pictures.sets import FONTS_LICENCE, PictureSet
from routescope.data.samples import SIDE, DatasetInfo, SampleRequest

#: The first ten letters of the alphabet.
CLASSES = tuple("აბგდევზთიკ")
FACES = tuple(
    f"DejaVu{family}{style}"
    for family, styles in (
        ("Sans", ("", "-Bold", "-Oblique", "-BoldOblique")),
        ("Serif", ("", "-Bold", "-Italic", "-BoldItalic")),
        ("SansMono", ("", "-Bold", "-Oblique", "-BoldOblique")),
    )
    for style in styles
)
SEEDS = {"train": 961, "validation": 962}

#: Raise it when the pictures change: older ones are then never taken from the cache.
LAYOUT = 1

_CELL = 64
#: Pixels of the cell around which strokes are bent, by how much, and over how many pixels alike.
_BENT, _SMOOTH = 60.0, 9.0


@lru_cache(maxsize=256)
def _glyph(face: str, letter: str) -> Float[np.ndarray, "cell cell"]:
    """A letter in the middle of its cell, 0 to 1."""
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    cell = Image.new("L", (_CELL, _CELL))
    middle = (_CELL / 2, _CELL / 2)
    ImageDraw.Draw(cell).text(middle, letter, 255, ImageFont.truetype(folder / f"{face}.ttf", 54), anchor="mm")
    return np.asarray(cell, np.float64) / 255


def _letter(letter: str, random: np.random.Generator) -> np.ndarray:
    require("scipy")
    from scipy.ndimage import gaussian_filter, map_coordinates

    glyph = _glyph(FACES[random.integers(len(FACES))], letter)
    # where each pixel is taken from: turned, sheared, scaled and moved as a whole, and bent smoothly
    turn, shear, scale = random.uniform(-0.25, 0.25), random.uniform(-0.25, 0.25), random.uniform(0.85, 1.15, 2)
    rows, columns = np.mgrid[:_CELL, :_CELL] - (_CELL - 1) / 2
    bent = [gaussian_filter(random.normal(0, 1, (_CELL, _CELL)), _SMOOTH) * _BENT for _ in range(2)]
    moved = random.uniform(-3, 3, 2)
    at_row = (rows * np.cos(turn) - columns * np.sin(turn)) / scale[0] + moved[0] + bent[0]
    at_column = (rows * np.sin(turn) + columns * np.cos(turn) + shear * rows) / scale[1] + moved[1] + bent[1]
    middle = (_CELL - 1) / 2
    drawn = map_coordinates(glyph, (at_row + middle, at_column + middle), order=1)
    # a threshold on what is blurred makes strokes thicker or thinner
    ink = 1 / (1 + np.exp(-12 * (gaussian_filter(drawn, random.uniform(1.0, 2.0)) - random.uniform(0.25, 0.5))))
    ink = ((ink - 0.05) / 0.95).clip(0, 1)
    small = np.asarray(Image.fromarray((255 * ink).astype(np.uint8)).resize((SIDE, SIDE), Image.Resampling.BOX))
    return np.repeat(small[None], 3, axis=0)


@dataset(
    DatasetInfo(
        name="kmnist",
        title="Georgian letters (rendered; K-MNIST stand-in)",
        licence=FONTS_LICENCE,
        splits={"train": 8192, "validation": 2000},
        classes=CLASSES,
        stand_in_for="K-MNIST",
        real_title="K-MNIST",
        real_licence='"KMNIST Dataset" (created by CODH), adapted from "Kuzushiji Dataset" (created by NIJL and'
        " others), doi:10.20676/00000341; CC BY-SA 4.0",
        held=1904,
        shown=False,
    ),
    order=3,
)
def georgian(request: SampleRequest) -> PictureSet:
    """Return Georgian letters, or pictures of a user."""
    return letters_of(request, "georgian", SEEDS[request.split], LAYOUT, _letter)
