"""The schema of records: valid ones are read, each damaged field is refused with its place, old versions are lifted."""

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.experiments.shared import schema
from routescope.experiments.shared.description import machine
from routescope.experiments.shared.schema import LAYOUT, RecordError, parse, read_record

RECORD: dict[str, Any] = {
    "layout": 2,
    "id": "nac-points",
    "title": "Clouds",
    "paper": "A paper, Table 2",
    "paper_figures": [{"what": "accuracy", "value": 0.83, "says": "83.0 %"}],
    "quick": False,
    "settings": {"seeds": 3},
    "data": [
        {
            "name": "clouds",
            "title": "Solids",
            "split": "test",
            "count": 1200,
            "stand_in": True,
            "stand_in_for": "ModelNet40",
            "source": None,
            "licence": "generated",
            "fingerprint": "c6e4e5a146cc44ea",
        }
    ],
    "models": [{"id": "nac-points", "revision": "00ff"}],
    "seeds": {"first training": 0},
    "figures": [
        {
            "name": "accuracy",
            "where": {"model": "NAC", "seeds": 3},
            "value": 0.9,
            "low": 0.8,
            "high": 0.95,
            "unit": "share",
            "count": 1200,
            "data": "Solids",
            "stand_in": True,
            "paper": None,
            "paper_says": "",
        }
    ],
    "tables": {"trainings": [{"model": "nac-points", "seed": 0, "accuracy": 0.9}]},
    "notes": ["Networks are scaled."],
    "versions": {"routescope": "0.6.0"},
    "machine": {"processor": "CPU", "cores": 2, "threads": 1, "accelerator": None},
    "seconds": 1.5,
    "measurements": {"all": 2, "from_an_interrupted_run": 0},
    "date": "2026-11-28T10:00:00+00:00",
    "command": "routescope reproduce nac-points",
}


def changed(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return the record with one field replaced; ``...`` removes it."""
    record = copy.deepcopy(RECORD)
    parent: Any = record
    for step in path[:-1]:
        parent = parent[step]
    if value is ...:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return record


def test_a_record_survives_writing_and_reading(tmp_path: Path) -> None:
    path = tmp_path / "nac-points-0.json"
    path.write_text(json.dumps(RECORD))
    packed = tmp_path / "nac-points-0.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(RECORD).encode()))
    assert read_record(path) == read_record(packed) == parse(RECORD)
    assert parse(parse(RECORD).model_dump(mode="json")) == parse(RECORD)
    assert schema.record_files(tmp_path) == [path, packed]


@pytest.mark.parametrize("name", sorted(set(RECORD) - {"layout"}))
def test_every_field_is_needed(name: str) -> None:
    with pytest.raises(RecordError, match=rf"^{name}: Field required"):
        parse(changed((name,), ...))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("layout",), 3, "its layout is 3; this version of Routescope reads 1 to 2"),
        (("layout",), 0, "its layout is 0"),
        (("layout",), "2", "it is no record"),
        (("extra",), 1, r"^extra: Extra inputs are not permitted"),
        (("id",), "../x", r"^id: String should match pattern"),
        (("figures", 0, "value"), None, r"^figures\.0\.value: Input should be a valid number"),
        (("figures", 0, "value"), float("nan"), r"^figures\.0\.value: Input should be a finite number"),
        (("figures", 0, "low"), None, r"^figures\.0: .*two ends or none"),
        (("figures", 0, "low"), 0.96, r"^figures\.0: .*above the high end"),
        (("figures", 0, "count"), -1, r"^figures\.0\.count"),
        (("figures", 0, "where", "model"), None, r"^figures\.0\.where\.model"),
        (("data", 0, "stand_in"), "perhaps", r"^data\.0\.stand_in"),
        (("data", 0, "fingerprint"), "", r"^data\.0\.fingerprint"),
        (("models", 0, "revision"), ..., r"^models\.0\.revision: Field required"),
        (("machine", "cores"), 0, r"^machine\.cores"),
        (("seconds",), -1.0, r"^seconds"),
        (("date",), "yesterday", r"^date"),
        (("command",), "routescope reproduce ni-drop", "the command runs another experiment"),
        (("tables", "trainings"), {}, r"^tables\.trainings"),
    ],
)
def test_a_damaged_field_is_refused_with_its_place(path: tuple[str | int, ...], value: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse(changed(path, value))


@pytest.mark.parametrize("content", [None, 3, [], "text", {}, {"layout": None}, {"layout": [1]}])
def test_other_json_is_no_record(content: Any) -> None:
    with pytest.raises(RecordError):
        parse(content)


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_json_breaks_the_reader(content: Any) -> None:
    with pytest.raises(RecordError):
        parse({"layout": LAYOUT, "content": content})


def test_version_1_reads_without_machine_and_notes() -> None:
    old = {name: value for name, value in RECORD.items() if name not in ("machine", "notes")} | {"layout": 1}
    record = parse(old)
    assert record.layout == LAYOUT and record.machine is None and record.notes == ()
    assert parse(old | {"notes": ["a"]}).notes == ("a",)
    assert record.model_dump(exclude={"machine", "notes"}) == parse(RECORD).model_dump(exclude={"machine", "notes"})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"{", "a.json: it is not JSON"),
        ("a.json", b"[" * 100_000, "a.json: it is not JSON"),
        ("a.json", b'{"layout": NaN}', "a.json: NaN is no number of JSON"),
        ("a.json", b"\xff", "a.json: it is not UTF-8"),
        ("a.json.gz", b"no gzip", "a.json.gz: "),
        ("a.json", b'{"layout": 9}', "a.json: its layout is 9"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(RecordError, match=message):
        read_record(tmp_path / name)


def test_a_packed_file_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "LONGEST", 1000)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(RecordError, match="a.json.gz: over"):
        read_record(tmp_path / "a.json.gz")


def test_real_data_is_never_a_stand_in() -> None:
    assert not parse(RECORD).real("clouds") and not parse(RECORD).real("mnist")
    real = changed(("data", 0, "stand_in"), False)
    assert parse(real).real("clouds")
    real["data"].append(RECORD["data"][0])
    assert not parse(real).real("clouds"), "one split of two is a stand-in"


def test_the_machine_names_no_host() -> None:
    import platform

    facts = machine()
    assert schema.Machine.model_validate(facts) and platform.node() not in facts.values()
