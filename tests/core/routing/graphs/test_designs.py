"""Designs of sentences: what the network says, in any order; comparisons that follow from their definition."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from routescope.routing.graphs.designs import (
    DesignError,
    Designs,
    SentenceDesign,
    compare,
    designs_of,
    from_lower,
    shared_layout,
)
from tests.core.routing.toy_designer import ToyDesigner, table, tiny_designer
from tests.core.routing.toys import uniform

SENTENCES = ("There is a circle", "There are many stars", "There are exactly two squares", "There is a cross", "Zebras")


@pytest.fixture(scope="module")
def designs() -> Designs:
    return designs_of(tiny_designer(), SENTENCES)


def random_design(seed: int, modules: int = 7) -> SentenceDesign:
    rng = np.random.default_rng(seed)
    return SentenceDesign(
        sentence=f"sentence {seed}",
        P=from_lower(rng.random(modules * (modules - 1) // 2).astype(np.float32), modules),
        signatures=rng.standard_normal((modules, 3)).astype(np.float32),
        codes=rng.standard_normal((modules, 4)).astype(np.float32),
        text=rng.standard_normal(5).astype(np.float32),
        pieces=(),
    )


def test_they_are_what_the_network_designs(designs: Designs) -> None:
    model = tiny_designer()
    design = model.design(SENTENCES)
    assert designs.sentences == SENTENCES
    assert designs.units == model.units
    np.testing.assert_allclose(designs.P, model.link_probability(design).numpy(), atol=1e-6)
    np.testing.assert_allclose(designs.signatures, design.signatures.numpy(), atol=1e-6)
    assert designs.codes is not None
    np.testing.assert_allclose(designs.codes, design.codes.numpy(), atol=1e-6)
    np.testing.assert_allclose(designs.text, model.text.pooled(SENTENCES).numpy(), atol=1e-6)
    assert designs.pieces[0] == tuple(model.text.pieces(SENTENCES[0]))
    assert designs.unknown.tolist() == [False, True, True, False, True]
    assert designs.attrs == {"model": "tiny-designer", "revision": "1" * 16}
    assert designs.lower.std(axis=0).max() > 0.01


def test_attention_to_the_words_is_kept_for_every_piece_and_views_design_their_own_modules(designs: Designs) -> None:
    model = tiny_designer()
    designed = designs_of(model, SENTENCES, text_attention=True, batch=2)
    assert designs.text_attention is None and designs[0].text_attention is None
    for at, sentence in enumerate(SENTENCES):
        pieces = model.text.pieces(sentence)
        part = designed[at].text_attention
        assert part is not None and part.shape == (len(model.units), len(pieces))
        expected = model.design((sentence,)).text_attention[0, :, 1 : 1 + len(pieces)]
        np.testing.assert_allclose(part, expected.numpy(), atol=1e-6)
    taken = designed.take([3, 0])
    np.testing.assert_array_equal(taken[1].text_attention, designed[0].text_attention)
    kept = (model.units[4], model.units[1])
    view = designs_of(model.keep(kept), SENTENCES, text_attention=True)
    places = [model.units.index(unit) for unit in view.units]
    assert set(view.units) == set(kept)
    np.testing.assert_allclose(view.P, designs.P[:, places][:, :, places], atol=1e-6)
    np.testing.assert_allclose(view.signatures, designs.signatures[:, places], atol=1e-6)
    for at in range(len(SENTENCES)):
        np.testing.assert_allclose(view[at].text_attention, designed[at].text_attention[places], atol=1e-6)


def test_neither_order_nor_repeats_change_a_bit(designs: Designs) -> None:
    order = [3, 0, 4, 4, 2, 1, 0]
    designed = designs_of(tiny_designer(), [SENTENCES[position] for position in order], batch=2)
    again = designs_of(tiny_designer(), SENTENCES, batch=2)
    for name in ("lower", "signatures", "codes", "text"):
        assert np.array_equal(getattr(designed, name), getattr(again, name)[order])
        np.testing.assert_allclose(getattr(designed, name), getattr(designs, name)[order], atol=1e-5)


def test_every_sentence_is_computed_once_in_batches() -> None:
    model, reports = ToyDesigner(), []
    designed = designs_of(
        model, [*table(2)["text"], *table(2)["text"]], batch=7, progress=lambda *each: reports.append(each)
    )
    assert [len(batch) for batch in model.batches] == [7, 7, 7, 3]
    assert reports == [(done, 24, "designing circuits") for done in (0, 7, 14, 21, 24)]
    assert len(designed) == 48


def test_what_designs_nothing_is_refused() -> None:
    for sentences in ((), ("",), ("There is a circle", "  ")):
        with pytest.raises(DesignError, match="at least one sentence"):
            designs_of(ToyDesigner(), sentences)
    with pytest.raises(DesignError, match="conditional"):
        designs_of(uniform(), SENTENCES)
    with pytest.raises(DesignError, match="one has 7, one 6"):
        compare(random_design(0), random_design(0, 6))


def test_a_table_keeps_its_columns_and_rows_can_be_taken() -> None:
    rows = table(2)
    designed = designs_of(ToyDesigner(), rows)
    assert designed.table.equals(rows)
    some = designed.take([5, 1])
    assert some.sentences == (rows["text"][5], rows["text"][1])
    assert some.table["kind"].tolist() == [rows["kind"][5], rows["kind"][1]]
    assert np.array_equal(some.lower, designed.lower[[5, 1]])
    assert some.pieces == (designed.pieces[5], designed.pieces[1])
    assert len(designed.take(np.array(rows["object"] == "star"))) == 6
    assert [item.sentence for item in designed] == list(designed.sentences)


@pytest.mark.parametrize("codes", [True, False])
def test_a_file_gives_back_what_was_written(tmp_path: Path, codes: bool) -> None:
    rows = table(2).assign(number=[None, "two"] * 12)
    designed = designs_of(ToyDesigner(), rows, codes=codes)
    read = Designs.load(designed.save(tmp_path / "designs.nc"))
    pd.testing.assert_frame_equal(read.table, designed.table)
    for name in ("lower", "signatures", "codes", "text"):
        assert np.array_equal(getattr(read, name), getattr(designed, name))
    assert (read.units, read.pieces, read.attrs) == (designed.units, designed.pieces, designed.attrs)
    assert [item.name for item in tmp_path.iterdir()] == ["designs.nc"]
    assert codes or (read.codes, read[0].codes, compare(read[0], read[1]).code_change) == (None, None, None)


# -- comparisons ------------------------------------------------------------------------------------------------


def test_nothing_changes_between_a_circuit_and_itself() -> None:
    for design in (random_design(0), replace(random_design(1), P=np.ones((7, 7), np.float32))):
        comparison = compare(design, design)
        assert len(comparison.gained) == len(comparison.lost) == 0
        assert (comparison.mean_change, comparison.correlation) == (0.0, 1.0)
        assert not comparison.module_change.any()
        assert comparison.code_change is not None and not comparison.code_change.any()
    flat = replace(random_design(1), P=np.ones((7, 7), np.float32))
    assert np.isnan(compare(random_design(1), flat).correlation)
    P = from_lower(np.array([0.1, 0.2, 0.3], dtype=np.float32), 3)
    assert P.tolist() == np.array([[1, 0.1, 0.2], [0.1, 1, 0.3], [0.2, 0.3, 1]], dtype=np.float32).tolist()


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_changes_are_those_of_a_literal_account(threshold: float) -> None:
    a, b = random_design(2), random_design(3)
    comparison = compare(a, b, threshold)
    pairs = [(i, j) for i in range(7) for j in range(i + 1, 7)]
    assert [tuple(edge) for edge in comparison.gained] == [
        (i, j) for i, j in pairs if a.P[i, j] <= threshold < b.P[i, j]
    ]
    assert [tuple(edge) for edge in comparison.lost] == [(i, j) for i, j in pairs if b.P[i, j] <= threshold < a.P[i, j]]
    before, after = (np.array([design.P[pair] for pair in pairs], dtype=np.float64) for design in (a, b))
    assert comparison.mean_change == pytest.approx(np.abs(after - before).mean())
    assert comparison.correlation == pytest.approx(np.corrcoef(before, after)[0, 1])
    for i in range(7):
        others = [abs(float(b.P[i, j]) - float(a.P[i, j])) for j in range(7) if j != i]
        assert comparison.module_change[i] == pytest.approx(np.mean(others))
        x, y = a.codes[i].astype(float), b.codes[i].astype(float)
        assert comparison.code_change[i] == pytest.approx(1 - x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))


# -- places -----------------------------------------------------------------------------------------------------


def test_the_layout_depends_on_the_set_and_not_on_its_order() -> None:
    model, rows = ToyDesigner(spread=0.5), table(3)
    whole = shared_layout(designs_of(model, rows, batch=5))
    assert whole.shape == (6, 2)
    shuffled = rows.sample(frac=1, random_state=1)
    assert np.array_equal(whole, shared_layout(designs_of(model, shuffled, batch=5)))
    assert np.array_equal(whole, shared_layout(designs_of(model, pd.concat([rows, rows.head(9)]), batch=5)))
    assert not np.allclose(whole, shared_layout(designs_of(model, rows.head(3))), atol=1e-3)
