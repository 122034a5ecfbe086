"""Maps of types: clouds stay clouds, one fit for all steps, cancelled when asked; the process that makes maps."""

import io
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tqdm import tqdm

from routescope.routing.maps.clustering import clustering
from routescope.routing.maps.embedding import Embedding, embed, trustworthiness
from routescope.routing.maps.methods import EmbeddingError, Method, finished_tsne
from routescope.routing.maps.points import TypePoints
from routescope.routing.maps.process import main, run
from tests.core.routing.points import clouds

#: UMAP compiles itself for some seconds, whoever calls it first.
MARKED = ["pca", "tsne", pytest.param("umap", marks=pytest.mark.slow)]
SETTINGS = {"seed": 5, "perplexity": 10, "neighbours": 10}


@pytest.fixture(scope="module")
def points() -> TypePoints:
    return clouds()


@pytest.fixture(scope="module", params=MARKED)
def made(request: pytest.FixtureRequest, points: TypePoints) -> tuple[Embedding, list[tuple[int, int, str]]]:
    progress: list[tuple[int, int, str]] = []
    return embed(points, request.param, **SETTINGS, progress=lambda *each: progress.append(each)), progress


Made = tuple[Embedding, list[tuple[int, int, str]]]


@pytest.mark.slow
def test_clouds_stay_apart_and_signatures_lie_among_their_own(made: Made, points: TypePoints) -> None:
    """The steps differ by noise alone, so in a shared map each cloud lies at one place in both of them."""
    embedding, _ = made
    assert embedding.points is points
    assert embedding.xy.shape == embedding.pca_xy.shape == (len(points), 2)
    assert embedding.xy.dtype == embedding.signatures_xy.dtype == np.float32
    distances = np.linalg.norm(embedding.xy[:, None] - embedding.xy[None], axis=-1)
    np.fill_diagonal(distances, np.inf)
    assert (points.unit[distances.argmin(axis=1)] == points.unit).mean() > 0.97
    to_signature = np.linalg.norm(embedding.signatures_xy[:, None] - embedding.xy[None], axis=-1)
    assert points.unit[to_signature.argmin(axis=1)].tolist() == [0, 1, 2]
    middles = np.stack([embedding.xy[points.unit == u].mean(axis=0) for u in range(3)])
    to_middle = np.linalg.norm(embedding.signatures_xy[:, None] - middles[None], axis=-1)
    assert to_middle.argmin(axis=1).tolist() == [0, 1, 2]
    for unit in range(3):
        first, second = (embedding.xy[(points.unit == unit) & (points.step == s)].mean(axis=0) for s in (0, 1))
        assert np.linalg.norm(first - second) < 0.2 * np.ptp(embedding.xy, axis=0).max()
    assert embedding.trustworthiness.value > 0.85
    assert (embedding.trustworthiness.points, embedding.trustworthiness.neighbours) == (len(points), 15)


def test_progress_rises_to_the_end(made: Made) -> None:
    embedding, progress = made
    done = [progres[0] for progres in progress]
    assert done == sorted(done)
    assert progress[0][0] == 0
    assert progress[-1][:2] == (1000, 1000)
    assert {item[1] for item in progress} == {1000}
    assert all(entry[2] for entry in progress)
    assert len(set(done)) > {"pca": 2, "tsne": 60, "umap": 6}[embedding.method]


def test_the_same_seed_gives_the_same_map(made: Made, points: TypePoints) -> None:
    embedding, _ = made
    again = embed(points, embedding.method, **SETTINGS)
    assert np.array_equal(again.xy, embedding.xy)
    assert np.array_equal(again.signatures_xy, embedding.signatures_xy)
    assert again.trustworthiness == embedding.trustworthiness
    assert again.parameters == embedding.parameters


def test_a_file_gives_back_what_was_saved(made: Made, tmp_path: Path) -> None:
    embedding = replace(made[0], clustering=clustering(made[0].points, shuffles=2))
    path = embedding.save(tmp_path / "embedding.nc")
    assert [item.name for item in tmp_path.iterdir()] == ["embedding.nc"]
    back = Embedding.load(path)
    assert back.table().equals(embedding.table())
    assert np.array_equal(back.signatures_xy, embedding.signatures_xy)
    assert np.array_equal(back.signatures_pca_xy, embedding.signatures_pca_xy)
    facts = ("method", "seed", "parameters", "trustworthiness")
    assert [getattr(back, name) for name in facts] == [getattr(embedding, name) for name in facts]
    assert back.points.attrs == embedding.points.attrs
    assert back.clustering is not None
    assert np.allclose(back.clustering["score"], embedding.clustering["score"], equal_nan=True)


@pytest.mark.slow
def test_an_exception_of_progress_cancels(points: TypePoints) -> None:
    def cancel(done: int, total: int, what: str) -> None:
        if "epochs" in what and done > 200:
            raise KeyboardInterrupt(what)

    with pytest.raises(KeyboardInterrupt, match="epochs"):
        embed(points, "umap", **SETTINGS, progress=cancel)
    assert others_can_show_bars()


def others_can_show_bars() -> bool:
    """Whether another thread gets the lock that all bars of this process share."""
    other = threading.Thread(target=lambda: list(tqdm(range(2), file=io.StringIO())), daemon=True)
    other.start()
    other.join(10)
    return not other.is_alive()


def test_pca_is_the_projection_on_the_directions_of_largest_variance(points: TypePoints) -> None:
    embedding = embed(points, "pca")
    mean = points.types.astype(np.float64).mean(axis=0)
    _, singular, directions = np.linalg.svd(points.types - mean, full_matrices=False)
    for mine, vectors in ((embedding.xy, points.types), (embedding.signatures_xy, points.signatures)):
        expected = (vectors - mean) @ directions[:2].T
        np.testing.assert_allclose(np.abs(mine), np.abs(expected), atol=1e-5)
        np.testing.assert_allclose(mine @ mine.T, expected @ expected.T, atol=1e-5)
    share = singular[:2] ** 2 / (singular**2).sum()
    np.testing.assert_allclose(embedding.parameters["variance"], share, atol=1e-5)
    assert np.array_equal(embedding.xy, embedding.pca_xy)


@pytest.mark.parametrize("method", MARKED)
def test_equal_types_are_mapped_where_enough_are_different(points: TypePoints, method: Method) -> None:
    for different in (1, 9):
        alike = replace(points, types=points.types[np.arange(len(points)) % different])
        with pytest.raises(EmbeddingError, match=f"10 different types; here there are {different}"):
            embed(alike, method, **SETTINGS)
    few = replace(points, types=points.types[np.arange(len(points)) % 12])
    embedding = embed(few, method, **SETTINGS)
    assert np.isfinite(embedding.xy).all()
    assert np.isfinite(embedding.signatures_xy).all()


def test_trustworthiness_of_a_perfect_map_and_of_a_thrown_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope.routing.maps.embedding.MOST_TRUST_POINTS", 1000)
    rng = np.random.default_rng(0)
    plane = rng.standard_normal((1200, 2)).astype(np.float32)
    measured = trustworthiness(plane, plane, rng.permutation(plane))
    assert measured.value == pytest.approx(1, abs=1e-9)
    assert measured.pca == pytest.approx(0.5, abs=0.05)
    assert measured.points == 1000
    assert trustworthiness(plane[:12], plane[:12], plane[:12]).neighbours == 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "sne"}, "pca, tsne, umap"),
        ({"method": "tsne", "perplexity": 1.5}, "from 2 to a third"),
        ({"method": "tsne", "perplexity": 41}, "here 40"),
        ({"method": "umap", "neighbours": 1}, "from 2 to 119"),
        ({"method": "umap", "neighbours": 120}, "from 2 to 119"),
    ],
)
def test_settings_that_do_not_fit_are_refused(points: TypePoints, change: dict, words: str) -> None:
    with pytest.raises(EmbeddingError, match=words):
        embed(points, **change)
    with pytest.raises(EmbeddingError, match="at least 10 points, not 9"):
        embed(points.take(np.arange(9)), "pca")


@pytest.mark.usefixtures("figures")
def test_the_picture_has_a_panel_a_step_and_every_point(points: TypePoints) -> None:
    embedding = embed(points, "pca")
    for colour in ("step", "sample", "token", "unit", "label", "domain", "correct"):
        panels = embedding.plot(colour)
        assert [panel.get_title() for panel in panels] == ["iteration 1", "iteration 2"]
        for panel in panels:
            *groups, signatures = panel.collections
            assert sum(len(group.get_offsets()) for group in groups) == len(points) / 2
            assert len(signatures.get_offsets()) == 3
            assert [text.get_text() for text in panel.texts] == ["f1", "f2", "f3"]
        assert panels[0].get_xlim() == panels[1].get_xlim()
        assert "trustworthiness" in panels[0].get_xlabel()
    with pytest.raises(ValueError, match="step, sample, token"):
        embedding.plot("mood")


def test_tsne_loads_no_index_that_compiles_itself(points: TypePoints, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes exact neighbours; the library of approximate ones would take half a minute of the first map."""

    class Refusing:
        def find_spec(self, name: str, *_: Any) -> None:
            assert name != "pynndescent", "nobody needs it"

    monkeypatch.delitem(sys.modules, "pynndescent", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Refusing(), *sys.meta_path])
    assert embed(points, "tsne", **SETTINGS).method == "tsne"
    finished_tsne(points.types, embed(points, "pca").xy, seed=0)


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
