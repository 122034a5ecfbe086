"""Rendered street digits: deterministic, distinct, legible, and varied."""

import numpy as np
import pytest
import torch

from routescope.data import known_datasets, load
from routescope.data.pictures import street
from routescope.data.pictures.street import CONTRAST, HELD_OUT_FACES, TRAIN_FACES, draw_glyphs, render


def test_sample_i_depends_on_seed_and_i_alone() -> None:
    threads = torch.get_num_threads()
    many = render(250, 9)
    torch.manual_seed(2)
    try:
        torch.set_num_threads(1)
        few = render(230, 9)
        assert torch.get_num_threads() == 1, "the number of threads is left as it was"
    finally:
        torch.set_num_threads(threads)
    assert np.array_equal(many["images"][:230], few["images"])
    assert np.array_equal(many["labels"][:230], few["labels"])
    assert not np.array_equal(render(30, 10)["images"], few["images"][:30])


def test_every_face_draws_ten_different_digits_within_its_cell() -> None:
    assert len(HELD_OUT_FACES) >= 2 and not set(HELD_OUT_FACES) & set(TRAIN_FACES)
    faces = TRAIN_FACES + HELD_OUT_FACES
    alpha = draw_glyphs(faces).ink / 255
    assert alpha.shape[:2] == (3 * len(faces), 10)
    edges = torch.cat([alpha[..., 0, :], alpha[..., -1, :], alpha[..., :, 0], alpha[..., :, -1]], -1)
    assert float(edges.max()) == 0
    assert float(alpha.amax((2, 3, 4)).min()) == 1
    for digits in alpha[:, :, 0]:
        distance = (digits[:, None] - digits[None]).abs().mean((2, 3)) + torch.eye(10)
        assert float(distance.min()) > 0.01
    thin, thick = alpha[0::3].mean(), alpha[2::3].mean()
    assert thick > 1.3 * thin


def test_digit_and_ground_differ_in_luma() -> None:
    """The rule itself, on colours before light, blur and noise."""
    draws = street._Draws(np.random.default_rng(0), 200)
    luma = draws.uniform(0.04, 0.96)
    other = street._other_luma(luma, draws)
    assert bool(((luma - other).abs() >= CONTRAST - 1e-6).all())
    assert bool(((other >= 0) & (other <= 1)).all())
    assert 0.2 < float((other > luma).float().mean()) < 0.8
    colours = street._colour(luma, draws)
    weights = torch.tensor([0.299, 0.587, 0.114])
    assert torch.allclose(colours @ weights, luma, atol=1e-5)
    assert float(colours.min()) >= -1e-6
    assert float(colours.max()) <= 1 + 1e-6


def test_pictures_are_legible() -> None:
    """A classifier as simple as the nearest mean of pictures, all turned light on dark, beats chance by far.

    Neighbours, fonts, slants and light stay, so pictures whose middle digit were hidden or mislabelled would fail this.
    """
    luma_weights = np.array([0.299, 0.587, 0.114], np.float32)

    def features(images: np.ndarray) -> np.ndarray:
        luma = np.einsum("nchw,c->nhw", images.astype(np.float32), luma_weights)[:, 2:30, 5:27]
        middle = np.median(luma, axis=(1, 2), keepdims=True)
        ink = np.abs(luma - middle).reshape(len(luma), -1)
        ink -= ink.mean(1, keepdims=True)
        return ink / (np.linalg.norm(ink, axis=1, keepdims=True) + 1e-6)

    train, test = render(800, 100), render(300, 200)
    means = np.stack([features(train["images"][train["labels"] == digit]).mean(0) for digit in range(10)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    right = (features(test["images"]) @ means.T).argmax(1) == test["labels"]
    assert right.mean() > 0.5


def test_more_than_the_usual_size_begins_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(known_datasets()["street-digits"].splits, "validation", 60)
    monkeypatch.setattr(street, "UNCACHED", 40)
    usual, more, less = (load("street-digits", "validation", limit=limit) for limit in (None, 90, 20))
    assert [len(each) for each in (usual, more, less)] == [60, 90, 20]
    assert torch.equal(more.images[:60], usual.images)
    assert torch.equal(usual.images[:20], less.images)
    assert more.hashes[:60] == usual.hashes
