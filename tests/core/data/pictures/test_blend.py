"""MNIST-M's recipe against a literal difference, and its crops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError, load
from routescope.data.pictures.blend import blend, crops, sample_photographs


def photographs(seed: int = 0) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [random.integers(0, 256, size, dtype=np.uint8) for size in ((40, 90, 3), (120, 33, 3))]


def digits(count: int, side: int = 32, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, side, side), dtype=np.uint8)


@given(st.integers(0, 2**31), st.sampled_from([28, 32]))
@settings(max_examples=10, deadline=None)
def test_blend_is_the_absolute_difference(seed: int, side: int) -> None:
    ones, grounds = digits(4, side, seed), crops(4, side, photographs(seed), seed)
    expected = np.abs(ones[:, None].astype(int) - grounds.astype(int))
    assert np.array_equal(blend(ones, photographs(seed), seed), expected)


def test_crops_at_scale_one_are_pieces_of_a_photograph() -> None:
    pieces = set()
    for photograph in photographs():
        windows = np.lib.stride_tricks.sliding_window_view(photograph, (32, 32), axis=(0, 1))
        for window in windows.reshape(-1, 3, 32, 32):
            pieces |= {window.tobytes(), window[..., ::-1].tobytes()}
    assert all(crop.tobytes() in pieces for crop in crops(20, 32, photographs(), 5, scales=(1.0,)))


def test_first_samples_stay_when_more_follow_and_seeds_differ() -> None:
    blended = blend(digits(50), photographs(), 3)
    assert np.array_equal(blended[:20], blend(digits(50)[:20], photographs(), 3))
    assert not np.array_equal(blended, blend(digits(50), photographs(), 4))


def test_every_photograph_and_scale_is_used() -> None:
    flat = [np.full((200, 200, 3), level, np.uint8) for level in (10, 90, 200)]
    assert set(np.unique(crops(300, 32, flat, 0)[:, 0, 0, 0])) == {10, 90, 200}
    ramp = np.broadcast_to((np.arange(200, dtype=np.uint8))[None, :, None], (200, 200, 3)).copy()
    rows = crops(300, 32, [ramp], 0)[:, 0, 0].astype(int)
    assert len(np.unique(np.abs(rows[:, 31] - rows[:, 0]) // 10)) >= 4  # 31, 46, 62, 93, 140 levels across a crop


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "at least one"),
        ([np.zeros((31, 90, 3), np.uint8)], "at least 32"),
        ([np.zeros((90, 90), np.uint8)], "uint8 \\(rows, columns, 3\\)"),
        ([np.zeros((90, 90, 3))], "uint8"),
    ],
)
def test_what_is_no_photograph_is_refused(wrong: list[np.ndarray], said: str) -> None:
    with pytest.raises(DataError, match=said):
        blend(digits(2), wrong, 0)


def test_training_and_validation_crops_share_no_pixel() -> None:
    """Both are cut from the same two photographs; together their regions are as large as these, and no larger."""
    from sklearn.datasets import load_sample_images

    whole = sum(photograph.size for photograph in load_sample_images().images)
    regions = {split: sample_photographs(split) for split in ("train", "validation")}
    assert sum(region.size for split in regions.values() for region in split) == whole
    train, validation = (
        {column.tobytes() for region in each for column in region.transpose(1, 0, 2)} for each in regions.values()
    )
    assert not train & validation


def test_mnist_m_shows_mnists_digits() -> None:
    """Where the digit is black the ground is untouched, where it is white the ground is inverted."""
    plain, blended = load("mnist", "validation", limit=100), load("mnist-m", "validation", limit=100)
    assert (plain.hashes, plain.labels.tolist()) == (blended.hashes, blended.labels.tolist())
    grounds = crops(1000, 32, sample_photographs("validation"), 612)[:100].astype(int)
    digit, shown = plain.images.numpy().astype(int), blended.images.numpy().astype(int)
    assert (shown == grounds)[digit == 0].all()
    assert (shown == 255 - grounds)[digit == 255].all()
