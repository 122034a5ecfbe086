"""What every architecture owes to those who ask about its routing, asked of a mixture of experts."""

import pytest
import torch

from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing import Intervention, InterventionError, score
from routescope.routing.compute import flops_per_sample
from tests.core.routing import test_every_architecture as every
from tests.core.routing.small import noise

CONFIG = MixtureConfig(
    domains=("here", "there"), context=11, layers=3, features=24, heads=2, experts=5, top_k=2, hidden=7
)
#: Those that ask for nothing a mixture is not: it can neither do without all of its experts nor run fewer layers.
HELD = (
    every.test_known_answer_5_dropping_nothing_is_the_baseline_bitwise,
    every.test_names_of_views,
    every.test_known_answer_6_a_recorded_run_is_a_plain_run_bitwise,
    every.test_known_answer_6_no_hook_is_left_behind,
    every.test_known_answer_7_what_is_captured_is_what_the_model_says,
    every.test_known_answer_7_a_gap_and_a_surplus_are_errors,
    every.test_every_field_has_its_axes,
    every.test_defaults_are_enough_for_paths_and_usage,
    every.test_chunks_change_no_recording,
)


@pytest.fixture(scope="module")
def model() -> MixtureNetwork:
    torch.manual_seed(1)
    made = MixtureNetwork(CONFIG).eval().requires_grad_(False)
    for parameter in made.parameters():
        wide = parameter.dim() > 1
        noise = torch.randn_like(parameter)
        parameter.copy_(1.5 * noise * parameter[0].numel() ** -0.5 if wide else parameter + 0.3 * noise)
    return made


@pytest.mark.parametrize("held", HELD, ids=lambda test: str(test.__name__).removeprefix("test_"))
def test_it_holds_of_a_mixture(held, model: MixtureNetwork) -> None:  # type: ignore[no-untyped-def]
    held(model)


@pytest.mark.parametrize("kind", every.KINDS)
def test_an_expert_that_comes_back_is_the_baseline_bitwise(model: MixtureNetwork, kind: str) -> None:
    every.test_known_answer_5_a_unit_that_comes_back_is_the_baseline_bitwise(model, kind)


def test_every_layer_runs_and_dropping_saves_no_experts(model: MixtureNetwork) -> None:
    """A token takes as many experts as before: only the router has fewer to choose from."""
    whole = flops_per_sample(model)
    assert flops_per_sample(model, Intervention(drop=("l1.e1",))) <= whole
    assert flops_per_sample(model, Intervention(top_k=1)) < whole
    with pytest.raises(InterventionError, match="runs 3 iterations and no other number"):
        score(model, noise(model), Intervention(iterations=2))
    with pytest.raises(InterventionError, match="layer 1 needs 2 experts"):
        score(model, noise(model), Intervention(drop=model.units))
