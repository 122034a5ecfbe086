"""What generated statements say, read word by word and checked thing by thing: slow, literal, and written apart."""

from math import hypot

from routescope.data.statements.scenes import Scene, Thing

SHAPE_WORDS = {
    "circle": "circle", "circles": "circle", "square": "square", "squares": "square", "triangle": "triangle",
    "triangles": "triangle", "star": "star", "stars": "star", "cross": "cross", "crosses": "cross",
    "object": "", "objects": "",
}  # fmt: skip
COLOUR_WORDS = ("red", "green", "blue", "yellow", "purple", "orange", "black", "white")
NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def truth(sentence: str, scene: Scene) -> bool:
    """Whether a generated sentence, clear of this scene, is true of it."""
    text = sentence.lower()
    shown = list(scene.pictures)
    if "left picture" in text:
        shown = [scene.pictures[0]]
    elif "right picture" in text:
        shown = [scene.pictures[1]]
    text = text.replace(" in the left picture", "").replace(" in the right picture", "")
    text = text.replace("the left picture shows", "").replace("the right picture shows", "")
    words = text.replace("the pictures show", "").split()
    things = [thing for picture in shown for thing in picture]
    nouns = [place for place, word in enumerate(words) if word in SHAPE_WORDS]

    for relation in ("left", "right", "above", "under", "below", "near", "next", "far"):
        if relation in words:
            middle = words.index(relation)
            first = matching(words[: next(n for n in nouns if n < middle) + 1])
            second = matching(words[middle:])
            return any(
                first(one) and second(other) and place(relation, one, other)
                for picture in shown
                for i, one in enumerate(picture)
                for j, other in enumerate(picture)
                if i != j
            )
    if "than" in words:
        middle = words.index("than")
        first, second = (len(list(filter(matching(part), things))) for part in (words[:middle], words[middle:]))
        return first > second if "more" in words else first < second
    if "most" in words:
        assert words[-1] in COLOUR_WORDS
        group = list(filter(matching(words[:-1]), things))
        return len([thing for thing in group if thing.colour == words[-1]]) > len(group) / 2
    number = len(list(filter(matching(words), things)))
    if "exactly" in words or "number" in words:
        named = [NUMBER_WORDS.get(word, int(word) if word.isdigit() else None) for word in words]
        (wanted,) = [value for value in named if value is not None]
        return number == wanted
    if "many" in words:
        return number > 3
    if "few" in words:
        return 0 < number < 3
    return number == 0 if "no" in words else number > 0


def matching(words: list[str]):
    """Whether a thing is what the first noun of these words, and the adjectives before it, say."""
    noun = next(place for place, word in enumerate(words) if word in SHAPE_WORDS)
    before = words[:noun]
    colour = next((word for word in before if word in COLOUR_WORDS), "")
    size = next((word for word in before if word in ("small", "large")), "")
    shape = SHAPE_WORDS[words[noun]]

    def fits(thing: Thing) -> bool:
        return thing.shape.startswith(shape) and thing.colour.startswith(colour) and thing.size.startswith(size)

    return fits


def place(relation: str, one: Thing, other: Thing) -> bool:
    """With borders of its own: clear statements lie well on one side of them."""
    apart = hypot(one.x - other.x, one.y - other.y)
    if relation in ("near", "next"):
        return apart < 0.43
    if relation == "far":
        return apart > 0.54
    return {
        "left": other.x - one.x, "right": one.x - other.x, "above": other.y - one.y,
        "under": one.y - other.y, "below": one.y - other.y,
    }[relation] > 0.08  # fmt: skip
