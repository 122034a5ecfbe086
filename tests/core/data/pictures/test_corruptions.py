"""Corrupted pictures: each kind in its turn, beside the clean pictures that they are made of."""

from pathlib import Path

import numpy as np
import torch

from routescope.data import load
from routescope.data.pictures.corruptions import KINDS, corrupt
from tests.core.data.pictures.test_folders import picture


def test_every_kind_changes_a_picture_as_its_name_says() -> None:
    rows = np.mgrid[0:32, 0:32].sum(axis=0) * 2
    image = np.stack([rows + 40, rows + 60, 200 - rows]).astype(np.uint8)
    image[:, 10:22, 10:22] += 25
    corrupted = dict(zip(KINDS, corrupt(np.stack([image] * len(KINDS))), strict=True))
    assert all(changed.shape == image.shape and (changed != image).any() for changed in corrupted.values())
    flat = {name: changed.astype(float) for name, changed in corrupted.items()}
    clean = image.astype(float)
    steps = {name: np.abs(np.diff(changed, axis=2)).mean() for name, changed in flat.items()}
    assert all(steps[f"{kind} noise"] > 2 * np.abs(np.diff(clean, axis=2)).mean() for kind in ("gaussian", "shot"))
    assert 0.02 < np.isin(flat["impulse noise"], (0, 255)).mean() < 0.04
    assert all(flat[f"{kind} blur"].std() < clean.std() for kind in ("gaussian", "motion"))
    assert flat["brightness"].mean() - clean.mean() > 40
    assert abs(flat["contrast"].std() / clean.std() - 0.4) < 0.01
    assert len(np.unique(flat["pixelated"].reshape(3, -1), axis=1).T) <= 20 * 20
    assert all((flat[name] == flat[name][:1]).all() for name in ("greys", "two tones", "drawing"))
    assert set(np.unique(flat["two tones"])) == {0, 255} and 0.3 < (flat["two tones"] == 0).mean() < 0.7


def test_a_drawing_has_dark_outlines_on_white_paper() -> None:
    image = np.full((len(KINDS), 3, 32, 32), 90, np.uint8)
    image[..., 8:24, 8:24] = 30
    drawing = corrupt(image)[list(KINDS).index("drawing"), 0]
    assert drawing[16, 8] < 64 and drawing[8, 16] < 64, "the border"
    assert drawing[16, 16] == drawing[2, 2] == 255, "inside and outside"


def test_a_corrupted_source_has_the_samples_labels_and_hashes_of_the_clean_one(tmp_path: Path) -> None:
    for number in range(30):
        picture(tmp_path / ("cats" if number % 2 else "dogs"), f"{number}.png", 32, number)
    clean = load("images", "validation", str(tmp_path), whole=True)
    data = load("images-ood", "validation", f"corrupted:{tmp_path}", whole=True)
    first = load("images-ood", "validation", f"corrupted:{tmp_path}", whole=True, limit=7)
    assert data.stand_in is False and len(data) == 30 and data.hashes == clean.hashes
    assert torch.equal(data.labels, clean.labels) and data.info.classes == ("cats", "dogs")
    assert (data.images != clean.images).flatten(1).any(dim=1).all()
    assert torch.equal(first.images, data.images[:7])
