"""Uploaded pictures and drawings become what the networks take."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from routescope.data.pictures.digits import shown_digits
from routescope.data.pictures.sizing import fitted, from_drawing, from_picture, upsample

MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "I", "F", "YCbCr", "HSV")


def stroke(place: tuple[int, int] = (100, 60), scale: float = 1.0, field: int = 280) -> Image.Image:
    """A hooked line, no symmetry, anti-aliased by nothing."""
    drawing = Image.new("L", (field, field))
    points = [(0, 0), (60, 5), (30, 60), (65, 110), (20, 130)]
    line = [(place[0] + x * scale, place[1] + y * scale) for x, y in points]
    ImageDraw.Draw(drawing).line(line, fill=255, width=max(1, round(16 * scale)), joint="curve")
    return drawing


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_gives_rgb(mode: str) -> None:
    if mode.startswith("I") or mode == "F":
        picture = Image.fromarray(np.linspace(0, 65535, 900).reshape(30, 30).astype(np.uint16))
        picture = picture if mode == "I;16" else picture.convert(mode)
    else:
        picture = Image.linear_gradient("L").convert("RGB").convert(mode)
    for image, side in ((from_picture(picture), 32), (torch.tensor(fitted(picture, 18, "black")), 18)):
        assert image.shape == (3, side, side) and image.dtype == torch.uint8
        spread = image.float().mean(0).mean(1)
        assert abs(float(spread[-1]) - float(spread[0])) > 150, "the gradient is still there"


def test_a_picture_of_the_right_size_is_taken_as_it_is_and_turned_as_its_camera_says() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    picture = Image.fromarray(pixels)
    assert np.array_equal(from_picture(picture).numpy().transpose(1, 2, 0), pixels)
    picture.getexif()[0x0112] = 3  # upside down
    assert np.array_equal(from_picture(picture).numpy().transpose(1, 2, 0), pixels[::-1, ::-1])


@given(st.integers(1, 400), st.integers(1, 400))
@settings(max_examples=40, deadline=None)
def test_any_proportion_is_fitted_whole(width: int, height: int) -> None:
    image = from_picture(Image.new("RGB", (width, height), (10, 200, 30)))
    assert (image == torch.tensor([10, 200, 30], dtype=torch.uint8)[:, None, None]).all()


def test_what_is_transparent_shows_a_contrasting_ground() -> None:
    for ink in (0, 255):
        layer = Image.new("RGBA", (64, 64), (ink, ink, ink, 0))
        ImageDraw.Draw(layer).rectangle((28, 8, 36, 56), fill=(ink, ink, ink, 255))
        image = from_picture(layer)
        assert abs(int(image[0, 16, 16]) - int(image[0, 16, 2])) == 255


@given(st.integers(0, 190), st.integers(0, 120))
@settings(max_examples=25, deadline=None)
def test_a_shifted_drawing_gives_the_same(x: int, y: int) -> None:
    reference = from_drawing(stroke((100, 60)))
    assert torch.equal(from_drawing(stroke((x + 8, y + 8))), reference)


def test_drawings_lie_as_mnists_digits_do() -> None:
    image = from_drawing(stroke((3, 5), 0.7))[0].float()
    steps = torch.arange(32) + 0.5
    for axis in (0, 1):
        centre = float((image.sum(1 - axis) * steps).sum() / image.sum())
        assert abs(centre - 14.5 * 32 / 28) < 0.6  # the middle of pixel 14 of 28
    rows = torch.nonzero(image.amax(1) > 40)
    assert 20 <= int(rows[-1] - rows[0]) + 1 <= 25  # 20 of 28, enlarged to 32
    assert float(image[:3].max()) == 0


def test_mnists_own_digits_change_little_when_drawn() -> None:
    images, _ = shown_digits()
    similarities = []
    for digit in images[::250]:
        drawn = from_drawing(Image.fromarray(digit).resize((280, 280), Image.Resampling.BICUBIC))[0].float().flatten()
        plain = torch.from_numpy(upsample(digit[None])[0]).float().flatten()
        similarities.append(float(torch.corrcoef(torch.stack([drawn, plain]))[0, 1]))
    assert np.median(similarities) > 0.9


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "1"])
@pytest.mark.parametrize("level", [0, 255])
def test_a_blank_drawing_is_refused(mode: str, level: int) -> None:
    blank = Image.new("L", (280, 280), level).convert(mode)
    with pytest.raises(ValueError, match="blank"):
        from_drawing(blank)


def test_strokes_on_nothing_are_strokes_on_black() -> None:
    opaque = stroke()
    layer = Image.new("RGBA", opaque.size, (255, 255, 255, 0))
    layer.putalpha(opaque)
    assert torch.equal(from_drawing(layer), from_drawing(opaque))
    dot = Image.new("L", (280, 280))
    dot.putpixel((17, 200), 255)
    assert int(from_drawing(dot).max()) == 255


def test_a_picture_is_fitted_into_a_square_with_its_edges() -> None:
    wide = np.zeros((20, 60, 4), np.uint8)
    wide[:, :10], wide[:, -10:] = (255, 0, 0, 255), (0, 0, 255, 255)
    whole = fitted(Image.fromarray(wide), 60, "#102030")
    assert whole[:, 30, [2, 57]].T.tolist() == [[255, 0, 0], [0, 0, 255]], "its ends are seen"
    assert whole[:, [0, 30, 59], 30].T.tolist() == [[16, 32, 48]] * 3, "above, behind what is transparent, below"
    turned = Image.fromarray(wide[..., :3])
    turned.getexif()[0x0112] = 6  # to be turned by 90 degrees
    assert fitted(turned, 60, "#102030")[:, [2, 57], 30].T.tolist() == [[255, 0, 0], [0, 0, 255]]
