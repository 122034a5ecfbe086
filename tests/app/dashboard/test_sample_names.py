"""Texts that somebody brought are called by their names, where those of data sets have places."""

import json
from typing import Any

from routescope_app.api.schemas.catalogue import SampleTable
from routescope_app.dashboard.components.sample_tables import called, cards, names


def text(name: str, of: str | None) -> SampleTable:
    return SampleTable(
        id=f"{of}.validation.3" if of else "0" * 32, set=of, set_title=name, stand_in=False, inputs="text",
        label=12, label_name=None, columns=["line", "text"], rows=[[1, "1 + 1 = 2"]], total_rows=1,
    )  # fmt: skip


def shown(samples: list[SampleTable], **more: Any) -> list[dict[str, Any]]:
    document = json.loads(json.dumps(names(samples, None, "Texts", **more), default=lambda part: part.to_plotly_json()))
    return [button["props"] for button in document["props"]["children"]]


def test_an_own_text_is_called_by_its_name_and_one_of_a_data_set_by_its_place() -> None:
    own, other = text("My first sentence", None), text("Sums", "sums")
    assert [called(own), called(other)] == ["My first sentence", "sums.validation.3"]
    assert [panel["children"] for panel in shown([own, other])] == ["My first sentence", "3"]
    dotted = "sums \N{MIDDLE DOT} 3"
    assert [panel["children"] for panel in shown([own, other], whole=True)] == ["My first sentence", dotted]
    assert shown([own])[0]["aria-label"] == "My first sentence, 12 bytes"
    assert shown([own])[0]["data-pick-sample"] == "0" * 32
    card = json.dumps(cards([other], None), default=lambda part: part.to_plotly_json(), ensure_ascii=False)
    for words in (dotted, '"title": "sums.validation.3"', '"aria-label": "sums.validation.3, 12 bytes"'):
        assert words in card
