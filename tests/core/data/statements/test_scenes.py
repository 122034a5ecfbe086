"""Scenes as plain data, and as pictures."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from routescope.data.samples import DataError
from routescope.data.statements.scenes import (
    BACKGROUND,
    COLOURS,
    MOST_PICTURES,
    MOST_THINGS,
    RADII,
    SCENE_SIDE,
    SHAPES,
    SIZES,
    Scene,
    Thing,
    draw,
    outline,
    rgb,
)
from tests.core.data.statements.test_grammar import things

scenes = st.builds(Scene, st.lists(st.lists(things, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple))
plain = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from(SHAPES),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["pictures", "shape", "colour", "size", "x", "y"]), inner)
    ),
    max_leaves=12,
)
THING = {"shape": "star", "colour": "red", "size": "small", "x": 0.5, "y": 0.25}


@given(scenes)
def test_a_scene_comes_back_from_plain_data(scene: Scene) -> None:
    assert Scene.from_dict(scene.to_dict()) == scene
    assert Scene.from_dict(json.loads(scene.to_json())) == scene


@given(plain)
def test_whatever_is_no_scene_is_refused_in_a_line_of_words(content: Any) -> None:
    try:
        scene = Scene.from_dict(content)
    except DataError as error:
        assert len(str(error)) < 300
    else:
        assert draw(scene, 16).shape[1:] == (3, 16, 16)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "pictures"),
        ({"pictures": [], "more": 1}, "pictures"),
        ({"pictures": []}, f"1 to {MOST_PICTURES}"),
        ({"pictures": [[]] * (MOST_PICTURES + 1)}, f"1 to {MOST_PICTURES}"),
        ({"pictures": [[THING] * (MOST_THINGS + 1)]}, f"up to {MOST_THINGS}"),
        ({"pictures": ["star"]}, f"up to {MOST_THINGS}"),
        ({"pictures": [[{**THING, "shape": "moon"}]]}, "circle, square, triangle, star, cross"),
        ({"pictures": [[{**THING, "colour": ["red"]}]]}, "red, green"),
        ({"pictures": [[{**THING, "size": "huge"}]]}, "small, large"),
        ({"pictures": [[{**THING, "x": float("nan")}]]}, "0 to 1"),
        ({"pictures": [[{**THING, "x": 10**400}]]}, "0 to 1"),
        ({"pictures": [[{**THING, "y": 1.01}]]}, "0 to 1"),
        ({"pictures": [[{**THING, "y": True}]]}, "0 to 1"),
        ({"pictures": [[{**THING, "y": "0.5"}]]}, "0 to 1"),
        ({"pictures": [[{"shape": "star"}]]}, "shape, colour, size, x, y"),
        ({"pictures": [[THING] * 1_000_000]}, "1000000 of them"),
    ],
)
def test_errors_say_what_would_be_accepted(content: Any, said: str) -> None:
    with pytest.raises(DataError, match=said) as error:
        Scene.from_dict(content)
    assert len(str(error.value)) < 300


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return float(0.5 * (x * np.roll(y, -1) - y * np.roll(x, -1)).sum())


@pytest.mark.parametrize("shape", SHAPES)
def test_outlines_fill_their_square_and_turn_the_same_way(shape: str) -> None:
    corners = outline(shape)
    assert corners.shape == ((40, 2) if shape == "circle" else (len(corners), 2))
    assert np.abs(corners).max() <= 1
    assert np.abs(corners).max(0).min() > 0.8
    assert area(corners) > 0.7
    with pytest.raises(DataError, match="circle, square"):
        outline("moon")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", SIZES)
def test_what_is_drawn_is_the_outline(shape: str, size: str) -> None:
    """Against another renderer: the outline drawn 16 times as large and shrunk."""
    side, scale, x, y = SCENE_SIDE, 16, 0.40625, 0.59375
    mask = Image.new("L", (side * scale, side * scale))
    corners = (outline(shape) * RADII[size] + (x, y)) * side * scale - 0.5
    ImageDraw.Draw(mask).polygon([tuple(corner) for corner in corners], fill=255)
    cover = np.asarray(mask.resize((side, side), Image.Resampling.BOX)) / 255
    ground, paint = (np.array(rgb(colour))[:, None, None] for colour in (BACKGROUND, COLOURS["purple"]))
    expected = ground * (1 - cover) + paint * cover
    picture = draw(Scene(((Thing(shape, "purple", size, x, y),),)))[0]
    assert np.abs(picture - expected).max() < 32  # that renderer takes pixels on an edge for covered
    covered = ((ground - picture) / (ground - paint))[1].sum()
    assert covered == pytest.approx(area(outline(shape)) * (RADII[size] * side) ** 2, rel=0.02)


@given(things)
@settings(max_examples=40, deadline=None)
def test_colours_are_those_named_and_later_things_lie_over_earlier_ones(thing: Thing) -> None:
    ground, colour = rgb(BACKGROUND), rgb(COLOURS[thing.colour])
    middle = replace(thing, x=0.5, y=0.5)
    pictures = draw(Scene(((Thing("square", "blue", "large", 0.5, 0.5), middle), (middle,))))
    assert {tuple(picture[:, SCENE_SIDE // 2, SCENE_SIDE // 2]) for picture in pictures} == {colour}
    assert tuple(pictures[1, :, 0, 0]) == ground
    assert sum(abs(a - b) for a, b in zip(colour, ground, strict=True)) > 150


@given(things, st.integers(8, 96))
@settings(max_examples=60, deadline=None)
def test_a_thing_over_an_edge_is_cut_and_nothing_else_changes(thing: Thing, side: int) -> None:
    empty = draw(Scene(((), ())), side)
    pictures = draw(Scene(((thing,), ())), side)
    assert pictures.dtype == np.uint8
    assert pictures.shape == (2, 3, side, side)
    assert np.array_equal(pictures[1], empty[1])
    rows, columns = (pictures[0] != empty[0]).any(0).nonzero()
    reach = RADII[thing.size] * side + 1.2
    assert (np.abs(rows + 0.5 - thing.y * side) <= reach).all()
    assert (np.abs(columns + 0.5 - thing.x * side) <= reach).all()


@pytest.mark.parametrize("side", [0, 7, 129, 48.0, True, "48"])
def test_sides_out_of_bounds_are_refused(side: Any) -> None:
    with pytest.raises(DataError, match="8 to 128"):
        draw(Scene(((),)), side)
