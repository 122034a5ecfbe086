"""A panel in symbols, and the sets of values that it shows."""

from collections.abc import Mapping, Sequence

from routescope.data.matrices.grammar import KINDS, LINE_TYPES, PLACES, ObjectAttribute

#: What is told of a shape, in this order; -1 throughout where a place is empty.
SHAPE = ("type", "colour", "size")
#: Whole numbers of a panel: a shape's three, place by place (row by row), then a colour for each type of line, or -1.
SYMBOLS = PLACES * len(SHAPE) + len(LINE_TYPES)
EMPTY = -1

_KINDS = {kind: kind for kind in KINDS}
_TYPE, _COLOUR, _SIZE = (_KINDS[ObjectAttribute("shape", attribute)] for attribute in ("type", "colour", "size"))
_POSITION, _NUMBER = _KINDS[ObjectAttribute("shape", "position")], _KINDS[ObjectAttribute("shape", "number")]
_LINE_TYPE, _LINE_COLOUR = _KINDS[ObjectAttribute("line", "type")], _KINDS[ObjectAttribute("line", "colour")]


def sets_of(panel: Sequence[int]) -> Mapping[ObjectAttribute, int]:
    """Return the set of values that a panel shows of every attribute; raises ValueError for another size."""
    if len(panel) != SYMBOLS:
        raise ValueError(f"a panel is {SYMBOLS} symbols; got {len(panel)}")
    types = colours = sizes = places = count = 0
    for place in range(PLACES):
        shape_type = panel[3 * place]
        if shape_type == EMPTY:
            continue
        types |= 1 << shape_type
        colours |= 1 << panel[3 * place + 1]
        sizes |= 1 << panel[3 * place + 2]
        places |= 1 << place
        count += 1
    line_types = line_colours = 0
    for line_type, colour in enumerate(panel[3 * PLACES :]):
        if colour != EMPTY:
            line_types |= 1 << line_type
            line_colours |= 1 << colour
    return {
        _TYPE: types,
        _COLOUR: colours,
        _SIZE: sizes,
        _POSITION: places,
        _NUMBER: 1 << count,
        _LINE_TYPE: line_types,
        _LINE_COLOUR: line_colours,
    }
