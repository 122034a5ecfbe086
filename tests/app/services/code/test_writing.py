"""Text of people in code is a literal or a comment of one line, whatever it holds."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.api.schemas.code import ModelFacts, TraceFacts
from routescope_app.services.code.traces import path
from routescope_app.services.code.writing import comment, filled, intervention, literal, written

HOSTILE = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\"'\\\n\r$#{}\u2028\u202e\u00a0")))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), HOSTILE),
    lambda inner: st.one_of(st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(HOSTILE, inner)),
    max_leaves=8,
)


def _sendable(text: str) -> bool:
    """Whether a request can have the text: JSON with half of a character is refused."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


@given(VALUES)
def test_a_literal_is_one_printable_line_with_the_same_value(value: Any) -> None:
    text = literal(value)
    assert text.isprintable() and ast.literal_eval(text) == value


@given(HOSTILE.filter(_sendable), HOSTILE.filter(_sendable))
def test_text_of_people_adds_no_line_and_no_statement(name: str, link: str) -> None:
    assert comment(name).isprintable() and comment(name).startswith("#")

    def code(name: str, link: str) -> str:
        asked = {"figure": "path", "model": "m", "revision": "r", "sample": "mnist.validation.3", "link": link}
        return path(TraceFacts.model_validate({**asked, "drop": [name[:40] or "f1"], "revision": name[:80] or "r"}))

    plain, hostile = code("f1", ""), code(name, link)
    assert len(plain.split("\n")) == len(hostile.split("\n"))
    kinds = [[type(node) for node in ast.walk(ast.parse(text))] for text in (plain, hostile)]
    assert kinds[0] == kinds[1]


def test_an_uploaded_sample_is_named_in_comments() -> None:
    code = path(TraceFacts(figure="path", model="m", revision="r", sample="0" * 32))
    assert "# The sample 00000000000000000000000000000000 was uploaded" in code
    assert 'inputs = "your-picture.png"' in code


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"drop": [], "mute": None, "iterations": None}, "rs.Intervention()"),
        (
            {"drop": ["f1"], "mute": ["f2", "f3"], "iterations": 4, "keep_edges": 0.5, "top_k": 3, "gates": {"1.1": 0}},
            'rs.Intervention(drop=("f1",), mute=("f2", "f3",), iterations=4, top_k=3, keep_edges=0.5, '
            'gates={"1.1": 0.0})',
        ),
        ({"keep_edges": 0.0, "iterations": 0}, "rs.Intervention(iterations=0, keep_edges=0.0)"),
    ],
)
def test_an_intervention_has_the_fields_that_change_something(fields: dict[str, Any], text: str) -> None:
    assert intervention(ModelFacts.model_validate({"model": "m", **fields})) == text


def test_a_template_takes_lines_and_imports_go_first() -> None:
    template = "import numpy as np\nfrom routescope.plots import caused\n$part\nfor x in y:\n    $inner\n    $none"
    text = filled(template, part="import numpy as np\nx = $y", inner="a\nb", none="")
    code = written(ModelFacts(model="m"), text)
    lines = ["import numpy as np", "", "import routescope as rs", "from routescope.plots import caused", ""]
    assert code.split("\n")[1:] == [*lines, "x = $y", "for x in y:", "    a", "    b", ""]
