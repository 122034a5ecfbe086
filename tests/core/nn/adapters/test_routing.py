"""What every architecture owes to those who ask about its routing, asked of a model of transformers."""

from typing import Any

import numpy as np
import pytest
import torch

from routescope.nn.adapters.interception import IncompleteRouting
from routescope.nn.adapters.transformers import TransformersNetwork, from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.network import Changes
from routescope.routing import Intervention, record
from routescope.routing.compute import flops_per_sample
from tests.core.nn.adapters.families import model_of
from tests.core.nn.mixture.test_routing import HELD
from tests.core.routing import test_every_architecture as every


@pytest.fixture(scope="module")
def model() -> TransformersNetwork:
    theirs = model_of("olmoe")
    theirs.set_experts_implementation("eager")  # the other one knows no double precision, in which chunks are compared
    return from_transformers(theirs, context=11, domains=("here", "there"))


@pytest.mark.parametrize("held", HELD, ids=lambda test: str(test.__name__).removeprefix("test_"))
def test_it_holds_of_a_model_of_transformers(held: Any, model: TransformersNetwork) -> None:
    held(model)


@pytest.mark.parametrize("kind", every.KINDS)
def test_an_expert_that_comes_back_is_the_baseline_bitwise(model: TransformersNetwork, kind: str) -> None:
    every.test_known_answer_5_a_unit_that_comes_back_is_the_baseline_bitwise(model, kind)


def test_padding_is_no_token(model: TransformersNetwork) -> None:
    alone, beside = record(model, Text(("ab",))), record(model, Text(("ab", "a longer one")))
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


def test_a_router_that_is_left_out_is_an_error(model: TransformersNetwork) -> None:
    view = model.view(Changes())
    view.module.model.layers[1].mlp.forward = lambda x: x
    with pytest.raises(IncompleteRouting, match="router of layer l2 ran 0 times"):
        view(Text(("ab",)))


def test_an_expert_that_was_dropped_and_chosen_all_the_same_is_an_error(model: TransformersNetwork) -> None:
    view = model.view(Changes(drop=("l1.e1",)))
    router = view.module.model.layers[0].mlp.gate
    router.register_forward_hook(lambda _, __, out: (out[0], out[1], torch.zeros_like(out[2])))
    with pytest.raises(IncompleteRouting, match="l1 that was dropped"):
        view(Text(("ab",)))
