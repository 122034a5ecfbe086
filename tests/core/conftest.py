"""Tests of `core` check every array's shape and type against its annotation while they run.

The hook reaches the modules of `core` that nothing imported before: all of them where tests of `core` run alone, as in
`make check`, and hardly any in `make test`, where the tests of the service are collected first.
`tests/core/nn/test_shapes.py` checks in a process of its own, in both, that shapes hold and that wrong ones are found.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jaxtyping import install_import_hook

import tests.core.typechecker
from tests.leaving import no_models_left

install_import_hook(tests.core.typechecker.CHECKED, "tests.core.typechecker.check")


@pytest.fixture(scope="module", autouse=True)
def _no_models_left(_own_data_folder: Path) -> Iterator[None]:
    with no_models_left(_own_data_folder):
        yield


@pytest.fixture
def figures() -> Iterator[None]:
    """Draw figures without a screen, and close them."""
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    yield
    plt.close("all")
