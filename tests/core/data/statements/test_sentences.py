"""The sentences of Appendix H, counted by arithmetic, and those of the scenes."""

import pytest

from routescope.data.samples import DataError
from routescope.data.statements.grammar import KINDS, meanings_of
from routescope.data.statements.sentences import (
    ANIMALS,
    COLUMNS,
    INTEGERS,
    OBJECTS,
    PAPER_COLOURS,
    SENTENCE_SETS,
    SPATIAL_RELATIONSHIPS,
    plural,
    sentences,
)


@pytest.mark.parametrize("name", SENTENCE_SETS)
def test_every_combination_is_there_once(name: str) -> None:
    words, frame = SENTENCE_SETS[name], sentences(name)
    nouns = len(words.objects)
    expected = {
        "hard cardinality": len(words.numbers) * nouns,
        "soft cardinality": nouns,
        "existential (singular)": nouns,
        "existential (plural)": nouns,
        "existential (adjective)": len(words.colours) * nouns,
        "spatial relationship": nouns * len(words.relations) * nouns,
    }
    assert frame["kind"].value_counts(sort=False).to_dict() == expected
    assert tuple(expected) == KINDS
    assert tuple(frame.columns) == COLUMNS
    assert frame["text"].is_unique
    if name == "appendix-h":
        lists = (INTEGERS, ANIMALS, OBJECTS, PAPER_COLOURS, SPATIAL_RELATIONSHIPS)
        assert [len(set(words)) for words in lists] == [10, 10, 7, 12, 10] and len(frame) == 3315
    else:
        assert all(meanings_of(text) is not None for text in frame["text"]), "its own grammar can say it"
    frame.loc[0, "text"] = "changed"
    assert sentences(name).loc[0, "text"] != "changed"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("There are exactly two mice", "hard cardinality"),
        ("There are exactly 6 paper towels", "hard cardinality"),
        ("There are many jellyfish", "soft cardinality"),
        ("There is a guinea pig", "existential (singular)"),
        ("There are any chimps", "existential (plural)"),
        ("There is an orange boat", "existential (adjective)"),
        ("There is a teal machine", "existential (adjective)"),
        ("There is a cat in front of door", "spatial relationship"),
    ],
)
def test_templates_are_filled_as_printed(text: str, kind: str) -> None:
    frame = sentences("appendix-h")
    assert frame.loc[frame["text"] == text, "kind"].tolist() == [kind]


def test_columns_hold_what_a_sentence_says_and_nothing_else() -> None:
    for name in SENTENCE_SETS:
        for row in sentences(name).itertuples():
            assert (row.number is not None) == (row.kind == "hard cardinality")
            assert (row.colour is not None) == (row.kind == "existential (adjective)")
            assert (row.relation is not None) == (row.kind == "spatial relationship")
            assert all(word in row.text for word in (row.number, row.colour, row.relation) if word)
            assert row.object in row.text or plural(row.object) in row.text
    with pytest.raises(DataError, match="appendix-h, scenes"):
        sentences("appendix-g")
