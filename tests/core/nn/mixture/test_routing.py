"""What every architecture owes to those who ask about its routing, asked of mixtures of experts."""

from typing import Any

import numpy as np
import pytest
import torch

from routescope.nn.adapters.interception import IncompleteRouting
from routescope.nn.adapters.transformers import TransformersNetwork, from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Changes
from routescope.routing import Intervention, InterventionError, record, score
from routescope.routing.compute import flops_per_sample
from tests.core.nn.adapters.families import model_of
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
def bundled() -> MixtureNetwork:
    torch.manual_seed(1)
    made = MixtureNetwork(CONFIG).eval().requires_grad_(False)
    for parameter in made.parameters():
        wide = parameter.dim() > 1
        noise = torch.randn_like(parameter)
        parameter.copy_(1.5 * noise * parameter[0].numel() ** -0.5 if wide else parameter + 0.3 * noise)
    return made


@pytest.fixture(scope="module")
def adapted() -> TransformersNetwork:
    theirs = model_of("olmoe")
    theirs.set_experts_implementation("eager")  # the other one knows no double precision, in which chunks are compared
    return from_transformers(theirs, context=11, domains=("here", "there"))


@pytest.fixture(scope="module", params=["bundled", "adapted"])
def model(request: pytest.FixtureRequest) -> RoutedNetwork:
    made: RoutedNetwork = request.getfixturevalue(request.param)
    return made


@pytest.mark.parametrize("held", HELD, ids=lambda test: str(test.__name__).removeprefix("test_"))
def test_it_holds_of_a_mixture(held: Any, model: RoutedNetwork) -> None:
    held(model)


@pytest.mark.parametrize("kind", every.KINDS)
def test_an_expert_that_comes_back_is_the_baseline_bitwise(model: RoutedNetwork, kind: str) -> None:
    every.test_known_answer_5_a_unit_that_comes_back_is_the_baseline_bitwise(model, kind)


def test_every_layer_runs_and_dropping_saves_no_experts(bundled: MixtureNetwork) -> None:
    """A token takes as many experts as before: only the router has fewer to choose from."""
    whole = flops_per_sample(bundled)
    assert flops_per_sample(bundled, Intervention(drop=("l1.e1",))) <= whole
    assert flops_per_sample(bundled, Intervention(top_k=1)) < whole
    with pytest.raises(InterventionError, match="runs 3 iterations and no other number"):
        score(bundled, noise(bundled), Intervention(iterations=2))
    with pytest.raises(InterventionError, match="layer 1 needs 2 experts"):
        score(bundled, noise(bundled), Intervention(drop=bundled.units))


def test_padding_is_no_token(adapted: TransformersNetwork) -> None:
    alone, beside = record(adapted, Text(("ab",))), record(adapted, Text(("ab", "a longer one")))
    for name in ("top_experts", "compatibility", "nats"):
        found, expected = (trace[name].isel(sample=0, token=slice(3)) for trace in (beside, alone))
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert (beside["top_experts"].values[0, :, 3:] == -1).all()


def test_products_of_experts_are_counted_however_they_are_computed() -> None:
    """Three products of an expert, 16 to 12 features or back, of 49 tokens in 2 layers, two operations each."""
    for implementation in ("eager", "grouped_mm"):
        theirs = model_of("olmoe")
        theirs.set_experts_implementation(implementation)
        network = from_transformers(theirs, context=48)
        saved = flops_per_sample(network) - flops_per_sample(network, Intervention(top_k=1))
        assert saved == 2 * 3 * 16 * 12 * 49 * 2


def test_weights_of_half_precision_stay_so() -> None:
    theirs = model_of("mixtral", intermediate_size=16).to(torch.bfloat16)
    network, texts = from_transformers(theirs), Text(("ab", "a longer one"))
    trace = record(network, texts[1:], only=tuple(network.fields))
    ids, _ = network.batch_of(network.ids_of(texts[1:]))
    with torch.no_grad():
        log = theirs(input_ids=ids).logits[0, :-1].float().log_softmax(dim=-1)
    expected = -log.gather(1, ids[0, 1:, None])[:, 0]
    np.testing.assert_allclose(trace["nats"].values[0, 0, 1 : ids.shape[1]], expected, rtol=1e-6)
    assert {p.dtype for p in network.parameters()} == {torch.bfloat16}
    assert record(network, texts, intervention=Intervention(drop=("l1.e1",)))["top_experts"].sizes["sample"] == 2


def test_a_router_that_is_left_out_is_an_error(adapted: TransformersNetwork) -> None:
    view = adapted.view(Changes())
    view.module.model.layers[1].mlp.forward = lambda x: x
    with pytest.raises(IncompleteRouting, match="router of layer l2 ran 0 times"):
        view(Text(("ab",)))


def test_an_expert_that_was_dropped_and_chosen_all_the_same_is_an_error(adapted: TransformersNetwork) -> None:
    view = adapted.view(Changes(drop=("l1.e1",)))
    router = view.module.model.layers[0].mlp.gate
    router.register_forward_hook(lambda _, __, out: (out[0], out[1], torch.zeros_like(out[2])))
    with pytest.raises(IncompleteRouting, match="l1 that was dropped"):
        view(Text(("ab",)))
