"""How long graphs over modules take: matching at each training step, and what the page Graphs computes once.

No test asserts a time; run once, small, they compare answers.
"""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from routescope.routing.graphs import (
    PRIORS,
    components_by_share,
    distance_to_prior,
    fit_signatures,
    layout,
    match,
    prior,
    sample_graph,
    statistics,
)
from tests.benchmarks.conftest import Measure

pytestmark = pytest.mark.timeout(1800)


def links_between(signatures: torch.Tensor) -> np.ndarray:
    unit = F.normalize(signatures.double(), dim=1)
    return (unit @ unit.T - 1).exp().numpy()


@pytest.mark.parametrize("start", ["no order", "the order of the last step"])
@pytest.mark.parametrize("name", sorted(PRIORS))
def test_matching(measure: Measure, name: str, start: str) -> None:
    modules = 320 if measure.enabled else 40
    p0 = prior(name, modules)
    signatures = fit_signatures(sample_graph(p0, 0), 64, steps=30)
    last = match(links_between(signatures), p0) if start != "no order" else None
    step = 0.03 * torch.randn(signatures.shape, generator=torch.Generator().manual_seed(1))
    p = links_between(signatures + step)
    order = measure.seconds("matching, 320 modules", name, start, lambda: match(p, p0, start=last), samples=1)
    if last is not None:
        assert distance_to_prior(p, p0, order) <= distance_to_prior(p, p0, last)


@pytest.mark.parametrize("modules", [80, 320, 1024])
@pytest.mark.parametrize("what", ["layout", "statistics", "clusters"])
def test_the_page_graphs(measure: Measure, what: str, modules: int) -> None:
    modules = modules if measure.enabled else modules // 8
    signatures = fit_signatures(sample_graph(prior("planted-partition", modules), 0), 64, steps=30)
    p = links_between(signatures)
    p = (p + p.T) / 2
    calls = {
        "layout": lambda: layout(signatures),
        "statistics": lambda: statistics(p, samples=3).degree,
        "clusters": lambda: components_by_share(p, np.linspace(0, 1, 21)).largest,
    }
    measured = measure.seconds("page Graphs", what, f"{modules} modules", calls[what], samples=1, rounds=3)
    assert np.array_equal(measured, calls[what]())
