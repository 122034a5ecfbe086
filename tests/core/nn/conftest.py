"""Tiny tensors gain nothing from several threads, and on a busy machine they lose a lot."""

from collections.abc import Generator

import pytest
import torch


@pytest.fixture(autouse=True)
def _one_thread() -> Generator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
