"""WReN against its equation, written out pair by pair."""

import pytest
import torch
import torch.nn.functional as F

from routescope.nn.baselines.wren import UNITS, WReN, WReNConfig
from routescope.nn.inputs.matrices import Matrices
from routescope.routing import Intervention, record
from routescope.routing.compute import flops_per_sample

SMALL = WReNConfig(
    features=6, hidden=9, relation_features=7, depth=3, image_size=16, panel_width=5, domains=("here", "there")
)


@pytest.fixture(scope="module")
def model() -> WReN:
    torch.manual_seed(0)
    network = WReN(SMALL)
    for _ in range(3):
        network(torch.rand(8, 16, 16, 16))  # statistics of the norms
    return network.eval()


@pytest.fixture(scope="module")
def batch() -> torch.Tensor:
    return torch.rand(3, 16, 16, 16, generator=torch.Generator().manual_seed(1))


def literal(model: WReN, batch: torch.Tensor, without: tuple[int, ...] = ()) -> torch.Tensor:
    """f(sum over i, j of g([x_i, x_j])), every pair on its own, g's first matrix whole."""
    g, read = model.g, model.encoder(batch)
    whole = torch.cat((g.first.weight, g.second.weight), dim=1)
    scores = torch.empty(len(batch), len(model.heads), 8)
    for sample in range(len(batch)):
        for answer in range(8):
            panels = [*read[sample, :8], read[sample, 8 + answer]]
            total = torch.zeros(SMALL.relation_features)
            for i, one in enumerate(panels):
                for other in panels:
                    if i in without:
                        continue
                    x = F.relu(whole @ torch.cat((one, other)) + g.first.bias)
                    for layer in (g.rest[1], g.rest[3]):
                        x = F.relu(layer.weight @ x + layer.bias)
                    total = total + x
            hidden = F.relu(model.f[2](F.relu(model.f[0](total))))
            for domain, head in enumerate(model.heads):
                scores[sample, domain, answer] = head(hidden)
    return scores


def test_scores_are_those_of_all_pairs(model: WReN, batch: torch.Tensor) -> None:
    with torch.no_grad():
        torch.testing.assert_close(model(Matrices(batch)), literal(model, batch), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("gone", [("p2",), ("answer",), ("p1", "p8", "answer")])
def test_a_dropped_unit_takes_the_pairs_that_start_from_it(model: WReN, batch: torch.Tensor, gone) -> None:
    places = tuple(UNITS.index(unit) for unit in gone)
    with torch.no_grad():
        wanted = literal(model, batch, places)
        for view in (Intervention(drop=gone).apply(model), Intervention(mute=gone).apply(model)):
            torch.testing.assert_close(view(batch), wanted, rtol=1e-4, atol=1e-5)
        assert not torch.allclose(wanted, model(batch), rtol=1e-3)


def test_fewer_iterations_are_the_first_units(model: WReN, batch: torch.Tensor) -> None:
    with torch.no_grad():
        torch.testing.assert_close(
            model(batch, iterations=5), literal(model, batch, (5, 6, 7, 8)), rtol=1e-4, atol=1e-5
        )
        assert model(batch, iterations=0).std(dim=0).max() < 1e-6, "no relation says anything"
    with pytest.raises(ValueError, match="from 0 to 9 panels, not 10"):
        model(batch, iterations=10)


def test_contributions_add_up_to_what_is_scored(model: WReN, batch: torch.Tensor) -> None:
    trace = record(model, batch, only=("contributions", "token_states")).dataset
    assert list(trace["token"].values) == [f"answer:{k}" for k in range(1, 9)]
    assert list(trace["step"].values) == list(UNITS)
    total = trace["contributions"].sum(["unit", "step"])
    last = trace["token_states"].isel(step=-1)
    torch.testing.assert_close(
        torch.from_numpy(total.transpose("sample", "token", "feature").values),
        torch.from_numpy(last.transpose("sample", "token", "feature").values),
        rtol=1e-4,
        atol=1e-4,
    )


def test_pairs_of_the_context_are_computed_once(model: WReN) -> None:
    """Of 8 x 81 pairs, 64 are alike for all answers: 200 are computed."""
    rest = 2 * (SMALL.hidden**2 + SMALL.hidden * SMALL.relation_features)
    saved = flops_per_sample(model) - flops_per_sample(model, Intervention(drop=UNITS))
    assert saved == 200 * rest


def test_dropout_is_of_training_alone(batch: torch.Tensor) -> None:
    torch.manual_seed(0)
    model = WReN(SMALL)
    assert isinstance(model.f[-1], torch.nn.Dropout) and model.f[-1].p == 0.5
    assert not torch.equal(model(batch), model(batch))
    model.eval()
    with torch.no_grad():
        assert torch.equal(model(batch), model(batch))
