"""The Neural Interpreter of matrices: each answer's set on its own, told as one."""

import pytest
import torch

from routescope.nn.interpreter.matrices import MatrixInterpreter, MatrixInterpreterConfig
from routescope.routing import Intervention, record
from routescope.training.recipes.matrices import TABLE_9
from routescope.training.recipes.networks import RECIPES

SMALL = MatrixInterpreterConfig(
    features=12, code_features=7, type_features=5, scripts=2, iterations=2, functions=3, heads=2, key_features=4,
    type_inference_width=9, image_size=16, panel_width=6, domains=("here", "there"), tau=2.1,
)  # fmt: skip


@pytest.fixture(scope="module")
def model() -> MatrixInterpreter:
    torch.manual_seed(0)
    network = MatrixInterpreter(SMALL)
    for _ in range(3):
        network(torch.rand(8, 16, 16, 16))  # statistics of the norms
    return network.eval()


@pytest.fixture(scope="module")
def batch() -> torch.Tensor:
    return torch.rand(3, 16, 16, 16, generator=torch.Generator().manual_seed(1))


def test_a_trace_holds_the_sets_of_all_answers(model: MatrixInterpreter, batch: torch.Tensor) -> None:
    names = ("compatibility", "types", "states", "attention", "contributions")
    trace = record(model, batch, only=names).dataset
    V, tokens = len(model.elements), list(model.tokens)
    assert V == 11 and len(tokens) == 88 == trace.sizes["token"]
    assert tokens[:2] == ["cls:here:1", "cls:here:2"] and tokens[-1] == "answer:8" and "panel:2,1:4" in tokens
    with torch.no_grad():
        sets = model.tokenize(batch).unflatten(0, (3, 8))
        for k in (0, 5):
            x = sets[:, k]
            types = model.stack[0].type_inference(x)
            at = [element * 8 + k for element in range(V)]
            told = torch.from_numpy(trace["types"].isel(step=0, token=at).values)
            assert torch.allclose(told, types, atol=1e-5)
            expected = model.interpret(x, outputs=1)[:, 0]
            last = torch.from_numpy(trace["states"].isel(step=-1, token=k).values)
            assert torch.allclose(last, expected, atol=1e-5)
    weights = trace["attention"]
    assert weights.sizes["query"] == 88 and weights.sizes["key"] == V and list(weights["key"].values)[-1] == "answer"
    assert float(abs(weights.sum("key") - 1).max()) < 1e-3
    assert list(trace["label"].values)[0] == "answer 1"


def test_drop_and_replacements_reach_every_set(model: MatrixInterpreter, batch: torch.Tensor) -> None:
    with torch.no_grad():
        scores = model(batch)
        assert not torch.allclose(model.keep(("s1.f1", "s2.f2"))(batch), scores)
        zero = torch.zeros(88, SMALL.features)
        with (view := model.mute(())).replacing({(0, "s1.f1"): zero}, SMALL.iterations):
            replaced = view(batch)
        assert ((replaced - scores).abs().amax(dim=(0, 1)) > 1e-6).all()
        with (same := model.mute(())).replacing({}, SMALL.iterations):
            assert torch.allclose(same(batch), scores, atol=1e-6)
    muted = record(model, batch, intervention=Intervention(mute=("s1.f1",)))
    assert muted.dataset["compatibility"].sizes["token"] == 88


def test_the_printed_sizes_are_those_of_tables_7_and_9() -> None:
    config = RECIPES["ni-pgm-neutral-printed"].config
    assert (config.scripts, config.iterations, config.locs, config.functions, config.heads) == (2, 8, 1, 5, 4)
    assert (config.features, config.code_features, config.key_features, config.type_inference_width) == (
        192,
        192,
        32,
        192,
    )
    assert (config.tau, config.type_features, config.frozen_signatures, config.image_size) == (1.62, 20, False, 80)
    assert TABLE_9["triples"] == (1.42, 24, True) and RECIPES["ni-pgm-triples-printed"].config.frozen_signatures
    parameters = sum(each.numel() for each in MatrixInterpreter(config).parameters())
    assert 1.0e6 < parameters < 1.6e6, "the paper has 1.6M, with a panel encoder whose sizes it does not print"
