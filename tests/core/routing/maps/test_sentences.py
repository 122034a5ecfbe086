"""Maps of sentences: reproducible, faithful to what decides a circuit, and sentences land where they belong."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from routescope.routing.graphs.designs import Designs, designs_of
from routescope.routing.maps.methods import EmbeddingError, finished_tsne, fit_tsne, place_tsne
from routescope.routing.maps.sentences import COMPONENTS, Components, SentenceMap, fit
from routescope.routing.maps.separation import NEAREST
from tests.core.routing.toy_designer import KINDS, ToyDesigner, table

METHODS = ("tsne", "pca")
SETTINGS = {"seed": 5, "perplexity": 10}
Told = list[tuple[int, int, str]]


@pytest.fixture(scope="module")
def model() -> ToyDesigner:
    """Circuits by kind, with a little of each sentence's own; embeddings by object."""
    return ToyDesigner(spread=0.05)


@pytest.fixture(scope="module")
def designs(model: ToyDesigner) -> Designs:
    return designs_of(model, table(), codes=False)


@pytest.fixture(scope="module", params=METHODS)
def made(request: pytest.FixtureRequest, designs: Designs) -> tuple[SentenceMap, Told]:
    reports: Told = []
    return fit(designs, request.param, **SETTINGS, separate=True, progress=lambda *step: reports.append(step)), reports


Made = tuple[SentenceMap, Told]


def test_circuits_lie_by_kind_and_embeddings_by_object(made: Made) -> None:
    mapped, _ = made
    assert mapped.xy.shape == mapped.text_xy.shape == (120, 2)
    assert mapped.xy.dtype == mapped.text_xy.dtype == np.float32
    scores = mapped.separation
    assert scores is not None
    for space in ("full", "map"):
        for of, by, other in (("circuits", "kind", "object"), ("text", "object", "kind")):
            part = scores[(scores.of == of) & (scores.space == space) & (scores.measure == NEAREST)]
            assert (part[part.by == by].score > 0.95).all()
            across = part[part.by == other].iloc[0]
            assert abs(across.score - across.null_mean) < 0.15
    assert len(scores) == 2 * 2 * 2 * 4
    assert mapped.circuits.trustworthiness.value > 0.8
    assert set(mapped.kinds) == set(KINDS)
    assert mapped.objects == tuple(mapped.table["object"])


def test_the_same_seed_gives_the_same_bits(made: Made, designs: Designs) -> None:
    mapped, _ = made
    again = fit(designs, mapped.method, **SETTINGS, separate=True)
    for left, other in zip(mapped.maps.values(), again.maps.values(), strict=True):
        assert np.array_equal(left.xy, other.xy)
        assert np.array_equal(left.reduced, other.reduced)
        assert left.trustworthiness == other.trustworthiness
    assert mapped.separation is not None
    assert mapped.separation.equals(again.separation)


def test_progress_rises_to_the_end(made: Made) -> None:
    mapped, reports = made
    done = [item[0] for item in reports]
    assert done == sorted(done)
    assert done[0] == 0
    assert reports[-1][:2] == (1000, 1000)
    assert {entry[1] for entry in reports} == {1000}
    assert len(set(done)) > {"tsne": 50, "pca": 4}[mapped.method]
    assert {element[2].split(":")[0] for element in reports} == {"circuits", "text encoder", "separation", "done"}


def test_a_sentence_of_the_set_lands_on_its_own_point(made: Made, model: ToyDesigner) -> None:
    mapped, _ = made
    rows = [7, 33, 90]
    places = mapped.place(designs_of(model, [mapped.table["text"][row] for row in rows]))
    np.testing.assert_allclose(places.xy, mapped.xy[rows], atol=1e-4)
    np.testing.assert_allclose(places.text_xy, mapped.text_xy[rows], atol=1e-4)
    assert places.nearest[:, 0].tolist() == places.text_nearest[:, 0].tolist() == rows
    assert places.nearest.shape == (3, 5)


def test_a_further_sentence_lands_among_its_own_wherever_it_is_placed(made: Made, model: ToyDesigner) -> None:
    mapped, _ = made
    text = f"{KINDS[1]} star 99"
    alone = mapped.place(designs_of(model, [text]))
    among = mapped.place(designs_of(model, [f"{KINDS[0]} cross 98", text, mapped.table["text"][0]]))
    np.testing.assert_allclose(alone.xy[0], among.xy[1], atol=1e-3)
    np.testing.assert_allclose(alone.text_xy[0], among.text_xy[1], atol=1e-3)
    assert {mapped.kinds[position] for position in alone.nearest[0]} == {KINDS[1]}
    assert {mapped.objects[index] for index in alone.text_nearest[0]} == {"star"}
    for xy, places, names, part in (
        (alone.xy, mapped.xy, mapped.kinds, KINDS[1]),
        (alone.text_xy, mapped.text_xy, mapped.objects, "star"),
    ):
        near = np.argsort(np.linalg.norm(places - xy, axis=1))[:5]
        assert {names[rank] for rank in near} == {part}


def test_a_finished_map_stays_where_it_is() -> None:
    vectors = np.random.default_rng(0).standard_normal((60, 4)).astype(np.float32)
    fitted = fit_tsne(vectors, 5, 0, lambda *_: None)
    before = np.array(fitted)
    first, second = (place_tsne(fitted, vectors[:1] + 0.1) for _ in range(2))
    assert np.array_equal(np.array(fitted), before)
    assert np.array_equal(first, second)
    again = finished_tsne(vectors, before.astype(np.float32), 0)
    np.testing.assert_allclose(place_tsne(again, vectors[:1] + 0.1), first, atol=1e-2)


def test_a_file_gives_back_the_map_and_places_alike(made: Made, model: ToyDesigner, tmp_path: Path) -> None:
    mapped, _ = made
    read = SentenceMap.load(mapped.save(tmp_path / "map.nc"))
    for left, other in zip(mapped.maps.values(), read.maps.values(), strict=True):
        assert np.array_equal(left.xy, other.xy)
        assert np.array_equal(left.reduced, other.reduced)
        assert np.array_equal(left.components.axes, other.components.axes)
        assert (left.trustworthiness, left.held) == (other.trustworthiness, other.held)
    pd.testing.assert_frame_equal(read.table, mapped.table)
    assert read.separation is not None
    assert mapped.separation is not None
    pd.testing.assert_frame_equal(read.separation, mapped.separation)
    assert (read.method, read.seed, read.perplexity, read.attrs) == (mapped.method, 5, 10, mapped.attrs)
    newcomer = designs_of(model, [f"{KINDS[2]} circle 77"])
    assert np.array_equal(read.place(newcomer).xy, mapped.place(newcomer).xy)
    assert [item.name for item in tmp_path.iterdir()] == ["map.nc"]


def test_components_hold_the_variance_that_they_say() -> None:
    vectors = (np.random.default_rng(0).standard_normal((200, 90)) * np.linspace(3, 0.1, 90)).astype(np.float32)
    components = Components.of(vectors, seed=0)
    reduced = components(vectors).astype(np.float64)
    assert reduced.shape == (200, COMPONENTS)
    total = vectors.astype(np.float64).var(axis=0).sum()
    np.testing.assert_allclose(reduced.var(axis=0) / total, components.shares, rtol=1e-3)
    assert (np.diff(components.shares) <= 0).all()
    np.testing.assert_allclose(reduced.mean(axis=0), 0, atol=1e-4)


def test_more_features_than_are_decomposed_exactly() -> None:
    rng = np.random.default_rng(0)
    vectors = (rng.standard_normal((60, 5)) @ rng.standard_normal((5, 3000))).astype(np.float32)
    left, again = (Components.of(vectors, seed=2) for _ in range(2))
    assert np.array_equal(left.axes, again.axes)
    assert float(left.shares[:5].sum()) == pytest.approx(1, abs=1e-4)


def test_settings_and_sentences_that_do_not_fit_are_refused(designs: Designs) -> None:
    for method, perplexity, words in (("umap", 10, "tsne, pca"), ("tsne", 1, "perplexity"), ("tsne", 41, "perplexity")):
        with pytest.raises(EmbeddingError, match=words):
            fit(designs, method, perplexity=perplexity)  # type: ignore[arg-type]
    with pytest.raises(EmbeddingError, match="at least 10 points"):
        fit(designs_of(ToyDesigner(spread=0.1), table().head(9)), "pca")
    with pytest.raises(EmbeddingError, match="different circuits"):
        fit(designs_of(ToyDesigner(), table()), "pca")


def test_circuits_of_other_modules_are_not_placed(made: Made) -> None:
    with pytest.raises(EmbeddingError, match="the model that the map is of"):
        made[0].place(designs_of(ToyDesigner(modules=7), [f"{KINDS[0]} star 1"]))


@pytest.mark.usefixtures("figures")
def test_pictures_have_a_cloud_for_each_group(made: Made) -> None:
    for colour, groups in (("kind", len(KINDS)), ("object", 4)):
        panels = made[0].plot(colour)
        assert [len(panel.collections) for panel in panels] == [groups, groups]
        drawn = np.concatenate([np.asarray(item.get_offsets()) for item in panels[0].collections])
        assert sorted(drawn.tolist()) == sorted(made[0].xy.astype(float).tolist())
    with pytest.raises(ValueError, match="text, kind, object"):
        made[0].plot("mood")
