"""What typed sentences mean, and what makes them true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope.data.statements.grammar import KINDS, RELATIONS, TEMPLATES, kind_of, meanings_of, say
from routescope.data.statements.meanings import CountComparison, Counted, MostOf, Phrase, Related, related, some
from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES, Scene, Thing

things = st.builds(
    Thing,
    shape=st.sampled_from(SHAPES),
    colour=st.sampled_from(tuple(COLOURS)),
    size=st.sampled_from(SIZES),
    x=st.floats(0, 1),
    y=st.floats(0, 1),
)
phrases = st.builds(
    Phrase,
    st.none() | st.sampled_from(SIZES),
    st.none() | st.sampled_from(tuple(COLOURS)),
    st.none() | st.sampled_from(SHAPES),
)
scopes = st.sampled_from(("both", "left", "right"))


def thing(shape: str, colour: str = "red", x: float = 0.5, y: float = 0.5, size: str = "large") -> Thing:
    return Thing(shape, colour, size, x, y)


LEFT = (
    thing("circle", "red", 0.2, 0.2),
    thing("square", "blue", 0.8, 0.2),
    thing("square", "red", 0.8, 0.8, "small"),
)
SCENE = Scene((LEFT, (thing("square", "orange", 0.3, 0.5), thing("square", "black", 0.5, 0.5))))


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("There are exactly four squares", True),
        ("There are exactly 2 squares in the left picture", True),
        ("the number of squares in the right picture is three.", False),
        ("There is exactly one red circle", True),
        ("There are exactly 5 objects", True),
        ("There are exactly 12 objects", False),
        ("There are many squares", True),
        ("There are many squares in the left picture", False),
        ("There are few circles", True),
        ("There are only a few squares", False),
        ("The left picture shows more squares than circles", True),
        ("There are fewer squares than circles", False),
        ("Most of the squares are red", False),
        ("Most objects in the left picture are red", True),
        ("There is a star", False),
        ("There is no star", True),
        ("A  SMALL red square can be seen", True),
        ("There is an orange square in the left picture", False),
        ("The right picture shows an orange square", True),
        ("There are any squares", True),
        ("There are no stars in the right picture", True),
        ("There is a red circle to the left of a blue square", True),
        ("There is a blue square left of a red circle", False),
        ("A square is above a square", True),
        ("A square is above a square in the right picture", False),
        ("The right picture shows a square near an object", True),
        ("There is a circle far away from a red square", True),
        ("There is a circle next to a blue square", False),
        ("A circle is left of an orange square", False),  # in the other picture
    ],
)
def test_sentences_of_a_scene(sentence: str, holds: bool) -> None:
    meaning = meanings_of(sentence)
    assert meaning is not None
    assert meaning.holds(SCENE) is holds


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "There is",
        "There is a cat",
        "squares",
        "There are exactly squares",
        "There is a red",
        "a" * 10_000,
        "There is a square near",
        "There is a square near a circle near a star",
        "\x00",
        "There are exactly 1000 squares",
    ],
)
def test_what_the_grammar_cannot_say_means_nothing(sentence: str) -> None:
    assert meanings_of(sentence) is None


@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    meaning = meanings_of(text)
    assert meaning is None or meaning.holds(SCENE) in (True, False)


@given(phrases, phrases, scopes, st.sampled_from(tuple(RELATIONS)), st.data())
def test_what_is_said_of_places_comes_back(
    one: Phrase, other: Phrase, scope, relation: str, data: st.DataObject
) -> None:
    meaning = Related(one, relation, other, scope)
    text = say(
        data.draw(st.sampled_from(TEMPLATES["related"])), meaning, data.draw(st.sampled_from(RELATIONS[relation]))
    )
    assert meanings_of(text) == meaning


@given(phrases, phrases, scopes, st.booleans(), st.data())
def test_what_is_said_of_amounts_comes_back(
    one: Phrase, other: Phrase, scope, fewer: bool, data: st.DataObject
) -> None:
    compared = CountComparison(one, other, scope, fewer)
    assert meanings_of(say(data.draw(st.sampled_from(TEMPLATES["fewer" if fewer else "more"])), compared)) == compared
    most = MostOf(Phrase(one.size, None, one.shape), data.draw(st.sampled_from(tuple(COLOURS))), scope)
    assert meanings_of(say(data.draw(st.sampled_from(TEMPLATES["most"])), most)) == most
    number = data.draw(st.integers(1, 9))
    counted = Counted(one, scope, number, number)
    assert meanings_of(say(data.draw(st.sampled_from(TEMPLATES["exactly"])), counted, number=str(number))) == counted
    assert meanings_of(say(data.draw(st.sampled_from(TEMPLATES["any"])), some(one, scope))) == some(one, scope)


@given(things, things, st.sampled_from([("left of", "right of"), ("above", "under")]))
def test_directions_exclude_each_other(one: Thing, other: Thing, both: tuple[str, str]) -> None:
    there, back = both
    assert related(there, one, other) == related(back, other, one)
    assert not (related(there, one, other)[0] and related(back, one, other)[0])
    near, far = (related(relation, one, other) for relation in ("next to", "far away from"))
    assert not (near[0] and far[0])
    assert near == related("next to", other, one) and far == related("far away from", other, one)


@given(things, things, st.sampled_from(tuple(RELATIONS)), st.floats(-0.01, 0.01), st.floats(-0.01, 0.01))
def test_what_is_clear_stays_so_decided_however_things_are_nudged(
    one: Thing, other: Thing, relation: str, right: float, down: float
) -> None:
    holds, clear = related(relation, one, other)
    if clear:
        moved = Thing(one.shape, one.colour, one.size, one.x + right, one.y + down)
        assert related(relation, moved, other)[0] == holds


@pytest.mark.parametrize(
    ("number", "many", "few", "any_of"),
    [
        (0, (False, True), (False, False), (False, True)),
        (1, (False, True), (True, True), (True, False)),
        (2, (False, True), (True, True), (True, True)),
        (3, (False, False), (False, False), (True, True)),
        (4, (True, True), (False, True), (True, True)),
    ],
)
def test_amounts_without_a_number(number: int, many: tuple, few: tuple, any_of: tuple) -> None:
    """(whether it holds, whether that is clear)"""
    scene = Scene(((thing("star"),) * number, ()))
    for word, expected in (("many", many), ("few", few), ("any", any_of)):
        meaning = meanings_of(f"There are {word} stars")
        assert meaning is not None
        assert (meaning.holds(scene), meaning.clear(scene)) == expected
    right = meanings_of("There are any stars in the right picture")
    assert right is not None and not right.holds(Scene(scene.pictures[:1])), "a missing picture holds nothing"


def test_kinds_of_forms_are_the_papers() -> None:
    plain, red = [Phrase(shape="star")], [Phrase(colour="red", shape="star")]
    found = [kind_of(form, plain) for form in TEMPLATES] + [kind_of("one", red)]
    assert set(found) == set(KINDS)
    assert kind_of("one", plain) == "existential (singular)"
    assert kind_of("no one", red) == "existential (adjective)"
