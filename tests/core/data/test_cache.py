"""Arrays on disk: made once, made again when damaged, never half written."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data.cache import Arrays, cache_path, cached


class Maker:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> Arrays:
        self.calls += 1
        return {"numbers": np.arange(1000), "words": np.array(["a", "bc"])}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    return tmp_path


def test_arrays_are_made_once_for_each_set_of_parameters(folder: Path) -> None:
    make = Maker()
    for parameters in ({"seed": 1}, {"seed": 1}, {"seed": 2}, {"seed": 1}):
        arrays = cached("family", parameters, make)
        assert np.array_equal(arrays["numbers"], np.arange(1000))
        assert arrays["words"].tolist() == ["a", "bc"]
    assert make.calls == 2
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".npz"}
    assert cache_path("family", {"a": 1, "b": [2]}) == cache_path("family", {"b": [2], "a": 1})
    assert cache_path("family", {"a": 1}) != cache_path("other", {"a": 1})


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_damage_anywhere_never_gives_other_arrays(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path_factory.mktemp("damage")))
        cached("family", {}, Maker())
        path = cache_path("family", {})
        content = bytearray(path.read_bytes())
        place = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[place] ^= data.draw(st.integers(1, 255))
        else:
            del content[place:]
        path.write_bytes(content)
        arrays = cached("family", {}, Maker())
        assert np.array_equal(arrays["numbers"], np.arange(1000))
        assert arrays["words"].tolist() == ["a", "bc"]


def test_a_damaged_file_or_one_of_objects_is_replaced(folder: Path) -> None:
    make, path = Maker(), cache_path("family", {})
    path.parent.mkdir(parents=True)
    np.savez(path, numbers=np.array([{"a": 1}], dtype=object))
    assert cached("family", {}, make)["numbers"].dtype == np.int64, "objects are not unpickled"
    path.write_bytes(b"PK not a zip")
    for _ in range(2):
        cached("family", {}, make)
    assert make.calls == 2


def test_a_write_that_fails_costs_time_only_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez", full)
        cached("family", {}, Maker())
    assert not [path for path in folder.rglob("*") if path.is_file()]
    (folder / "cache" / "arrays").rmdir()
    (folder / "cache").rmdir()
    (folder / "cache").write_text("a file where a folder should be")
    make = Maker()
    for _ in range(2):
        assert len(cached("family", {}, make)["numbers"]) == 1000
    assert make.calls == 2
