"""Full settings: asked for by a word of their own, only where there are some, and in the record's command."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from routescope import assets
from routescope.experiments import Experiment, Outcome, reproduce
from routescope.experiments.shared.frame import Extent


@dataclass(frozen=True)
class Settings:
    size: int


GRID = Experiment("grid", "Grid", "none", (), Settings(2), Settings(1), lambda context: Outcome([]))
FULL = replace(GRID, full=Settings(3))


@pytest.mark.parametrize(("quick", "full", "size"), [(False, False, 2), (True, False, 1), (False, True, 3)])
def test_a_run_has_the_settings_asked_for_and_its_command_says_so(
    quick: bool, full: bool, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "data_dir", lambda: tmp_path / "data")
    record, _ = reproduce(FULL, Extent(quick, full), folder=tmp_path)
    assert record["settings"] == {"size": size}
    assert ("--quick" in record["command"], "--full" in record["command"]) == (quick, full)


def test_refused_where_there_are_none_and_beside_quick(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="grid has no full settings"):
        reproduce(GRID, Extent(full=True), folder=tmp_path)
    with pytest.raises(ValueError, match="not both"):
        reproduce(FULL, Extent(quick=True, full=True), folder=tmp_path)
    assert not list(tmp_path.iterdir())
