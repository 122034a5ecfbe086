"""The process that makes maps: progress in lines, a file that is whole or not there, clear refusals."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routescope.routing.maps.embedding import Embedding, embed
from routescope.routing.maps.process import main, run
from tests.core.routing.points import clouds

COMMAND = [sys.executable, "-m", "routescope.routing.maps.process"]


def folder(path: Path, request: dict[str, Any]) -> Path:
    clouds().save(path / "points.nc")
    (path / "request.json").write_text(json.dumps(request))
    return path


@pytest.fixture
def niceness(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What ``main`` asks for: the tests go on after it, as politely as before."""
    asked: list[int] = []
    monkeypatch.setattr(os, "nice", asked.append)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return asked


def test_it_makes_the_map_that_the_function_makes(
    tmp_path: Path, niceness: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    folder(tmp_path, {"method": "pca", "seed": 3, "perplexity": 10, "neighbours": 15})
    assert main([str(tmp_path)]) == 0 and niceness == [10]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(line.keys() == {"done", "total", "what"} for line in lines)
    done = [line["done"] for line in lines]
    assert done == sorted(done)
    assert (done[0], lines[-1]["done"], lines[-1]["total"]) == (0, 1000, 1000)
    made = Embedding.load(tmp_path / "embedding.nc")
    assert np.array_equal(made.xy, embed(clouds(), "pca").xy)
    assert made.clustering is not None
    assert set(made.clustering["by"]) == {"unit", "label", "domain"}


@pytest.mark.slow
def test_killed_is_cancelled_and_leaves_no_map(tmp_path: Path) -> None:
    folder(tmp_path, {"method": "tsne", "seed": 0, "perplexity": 10})
    with subprocess.Popen([*COMMAND, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "neighbours" not in process.stdout.readline():
            assert process.poll() is None
        process.terminate()
    assert process.returncode != 0
    assert not list(tmp_path.glob("*embedding*"))


@pytest.mark.usefixtures("niceness")
def test_a_bad_request_ends_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder(tmp_path, {"method": "tsne", "perplexity": 4000})
    assert main([str(tmp_path)]) == 2
    assert "perplexity must be" in json.loads(capsys.readouterr().out.splitlines()[-1])["problem"]
    assert not (tmp_path / "embedding.nc").exists()
    (tmp_path / "points.nc").unlink()
    assert main([str(tmp_path)]) == 1  # what goes wrong otherwise names files, and is for the log alone
    messages = capsys.readouterr()
    assert messages.out == "" and str(tmp_path) in messages.err
    assert main([]) == 2
    assert "name one folder" in capsys.readouterr().out
    for request, words in (({"method": "pca", "colour": "red"}, "no colour"), ({}, "method")):
        with pytest.raises(ValueError, match=words):
            run(folder(tmp_path, request))
