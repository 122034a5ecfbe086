"""Letters of four scripts rendered from the fonts that matplotlib carries: 64 classes, few samples of each.

They are what trained networks are adapted to where there is no internet. Digits and look-alikes are left out.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from routescope.data.catalogue import dataset
from routescope.data.pictures import folders
from routescope.data.pictures.alphabets import letters_of
from routescope.data.pictures.sets import FONTS_LICENCE, PictureSet
from routescope.data.samples import SIDE, DatasetInfo, SampleRequest

#: In an order that mixes the scripts, so that any first classes hold letters of all four.
_LATIN = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_GREEK = "ΓΔΘΛΞΠΣΦΨΩαβδζηθλμξψ"
_CYRILLIC = "БДЖЗИЙЛУЦЧШЭЮЯб"
_ARMENIAN = "ԱԾՃՋՖ"
CLASSES = tuple(
    letter
    for place in range(len(_LATIN))
    for letter in (alphabet[place : place + 1] for alphabet in (_LATIN, _GREEK, _CYRILLIC, _ARMENIAN))
    if letter
)
FACES = (
    "DejaVuSans",
    "DejaVuSans-Bold",
    "DejaVuSerif",
    "DejaVuSerif-Bold",
    "DejaVuSans-Oblique",
    "DejaVuSans-BoldOblique",
)
SEEDS = {"train": 951, "validation": 952}

#: Raise it when the pictures change: older ones are then never taken from the cache.
LAYOUT = 1

_CELL = 64


@lru_cache(maxsize=64)
def _font(face: str, size: int) -> ImageFont.FreeTypeFont:
    import matplotlib

    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"{face}.ttf", size)


def _letter(letter: str, random: np.random.Generator) -> np.ndarray:
    font = _font(FACES[random.integers(len(FACES))], int(random.integers(38, 54)))
    mask = Image.new("L", (_CELL, _CELL))
    middle = tuple(_CELL / 2 + random.uniform(-4, 4, 2))
    ImageDraw.Draw(mask).text(middle, letter, 255, font, anchor="mm")
    shear, turn = random.uniform(-0.15, 0.15), random.uniform(-0.2, 0.2)
    row = (1.0, shear - turn, -_CELL / 2 * (shear - turn), turn, 1.0, -_CELL / 2 * turn)
    mask = mask.transform(mask.size, Image.Transform.AFFINE, row, Image.Resampling.BILINEAR)
    alpha = np.asarray(mask.resize((SIDE, SIDE), Image.Resampling.BOX), np.float64) / 255
    ground, ink = random.uniform(0, 255, 3), random.uniform(0, 255, 3)
    if abs(ground.mean() - ink.mean()) < 70:
        ink = (ground + 128) % 256
    picture = ground[:, None, None] * (1 - alpha) + ink[:, None, None] * alpha
    noisy = picture + random.normal(0, 6, (3, SIDE, SIDE))
    levels: np.ndarray = noisy.clip(0, 255).astype(np.uint8)
    return levels


@dataset(
    DatasetInfo(
        name="letters",
        title="Letters of four scripts (rendered; stand-in for CUB and CIFAR)",
        licence=FONTS_LICENCE,
        splits={"train": 64 * 40, "validation": 64 * 20},
        classes=CLASSES,
        stand_in_for="CUB-2011 and CIFAR",
        real_title="Images of other classes",
        real_licence=folders.LICENCE,
        shown=False,
    ),
    order=2,
)
def letters(request: SampleRequest) -> PictureSet:
    """Return letters of any colour on any ground, or pictures of a user."""
    return letters_of(request, "letters", SEEDS[request.split], LAYOUT, _letter)
