"""Any stored picture becomes a light digit on black, of 28 x 28 pixels, as MNIST has them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from routescope.data.pictures.digits import shown_digits, split_indices
from routescope.data.pictures.sizing import mnist_digit
from routescope_app.services.samples.grey_digits import as_digit, digit_of
from tests.app.serving import client_of, drawing, running, settings, upload


def stroke(size: tuple[int, int], box: tuple[int, int, int, int], ink: int, ground: int) -> Image.Image:
    picture = Image.new("L", size, ground)
    picture.paste(ink, box)
    return picture


async def test_mnist_is_as_it_was_published_and_drawings_as_mnist(tmp_path: Path) -> None:
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        samples = app.state.services.samples
        published = shown_digits()[0][split_indices("validation")]
        for index in (0, 3, 999):
            np.testing.assert_array_equal(digit_of(samples, f"mnist.validation.{index}"), published[index])
        drawn = (await upload(client, drawing(), origin="drawing")).json()["id"]
        digit = digit_of(samples, drawn)
        assert digit.shape == (28, 28) and digit.max() == 255 and digit[4:24].max() == digit.max()
        assert not digit[:3].any() and not digit[25:].any()
        other = digit_of(samples, "street-digits.validation.2")
        assert other.shape == (28, 28) and other.dtype == np.uint8


@pytest.mark.parametrize(("ink", "ground"), [(255, 0), (0, 255), (10, 230), (250, 90)])
@pytest.mark.parametrize("size", [(28 * 7, 28 * 7), (300, 120), (31, 90)])
def test_ink_is_light_whatever_the_paper(ink: int, ground: int, size: tuple[int, int]) -> None:
    """Where the edge is of one level, only the shape of the strokes counts."""
    box = (size[0] // 3, size[1] // 4, size[0] // 2, 3 * size[1] // 4)
    digit = as_digit(stroke(size, box, ink, ground))
    plain = mnist_digit(stroke(size, box, 255, 0))
    assert digit[0].max() == 0 and digit.max() > 127
    np.testing.assert_array_equal(digit > 60, plain > 60)


def test_even_pictures_are_black_small_digits_stay_and_texture_is_made_smaller() -> None:
    for level in (0, 128, 255):
        assert not as_digit(Image.new("RGB", (50, 40), (level, level, level))).any()
    digit = shown_digits()[0][5]
    np.testing.assert_array_equal(as_digit(Image.fromarray(digit)), digit)
    np.testing.assert_array_equal(as_digit(Image.fromarray(255 - digit)), digit)
    for ink in (0, 255):  # on nothing both are ink
        picture = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
        picture.paste((ink, ink, ink, 255), (45, 20, 55, 80))
        assert as_digit(picture)[14].max() == 255
    noise = np.random.default_rng(0).integers(150, 255, (56, 56), dtype=np.uint8)
    digit = as_digit(Image.fromarray(noise))
    assert digit.shape == (28, 28) and digit.mean() < 128
