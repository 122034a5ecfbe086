"""Networks that choose among the eight answers of a matrix: what scores depend on, literal versions, and traces."""

import copy
from functools import cache
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from routescope.nn.answers import AnswerScorer
from routescope.nn.baselines.wren import UNITS
from routescope.nn.inputs.matrices import Matrices, swapped
from routescope.nn.registry import ARCHITECTURES
from routescope.routing import Intervention, record
from routescope.routing.compute import flops_per_sample
from routescope.training.recipes.matrices import TABLE_9
from routescope.training.recipes.networks import RECIPES

SIZES = {"features": 12, "image_size": 16, "panel_width": 6, "domains": ("here", "there")}
SMALL = {
    "matrix_interpreter": {"code_features": 7, "type_features": 5, "scripts": 2, "iterations": 2, "functions": 3,
                           "heads": 2, "key_features": 4, "type_inference_width": 9, "tau": 2.1},
    "matrix_transformer": {"layers": 3, "heads": 2, "head_features": 5, "ffn_hidden": 8},
    "wren": {"hidden": 9, "relation_features": 7, "depth": 3},
}  # fmt: skip
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
BATCH = torch.rand(3, 16, 16, 16, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@cache
def scorer(name: str) -> Any:
    config, network, _ = ARCHITECTURES[name]
    torch.manual_seed(0)
    made = network(config(**SIZES, **SMALL[name]))
    assert isinstance(made, AnswerScorer)
    for _ in range(3):
        made(torch.rand(8, 16, 16, 16))  # statistics of the norms
    return made.double().eval().requires_grad_(False)


@pytest.mark.parametrize("name", SMALL)
def test_a_score_is_of_the_context_and_its_own_answer_alone(name: str) -> None:
    model = scorer(name)
    scores = model(Matrices(BATCH))
    assert scores.shape == (3, 2, 8)
    exchanged = model(swapped(BATCH, 8 + 1, 8 + 6))
    torch.testing.assert_close(exchanged, scores[..., [0, 6, 2, 3, 4, 5, 1, 7]], **CLOSE)
    other = BATCH.clone()
    other[:, 8 + 3] = 1 - other[:, 8 + 3]
    moved = (model(other) - scores).abs().amax(dim=(0, 1)) > 1e-12
    assert moved.tolist() == [answer == 3 for answer in range(8)]
    assert ((model(swapped(BATCH, 0, 5)) - scores).abs() > 1e-9).any(), "places of the context matter"
    larger = BATCH.repeat_interleave(2, dim=2).repeat_interleave(2, dim=3)
    torch.testing.assert_close(model(larger), scores, **CLOSE)
    for panels in (15, 17):
        with pytest.raises(ValueError, match="8 panels and 8 answers; got"):
            model(torch.rand(1, panels, 16, 16, dtype=torch.float64))


# -- against literal versions, answer by answer ------------------------------------------------------------


def literal_transformer(model: Any, layers: tuple[int, ...]) -> Tensor:
    """Return scores of sets of ten elements, head by head, without a bias of positions."""
    read = model.tokenizer(BATCH)
    scores = BATCH.new_empty(3, 2, 8)
    for sample in range(3):
        for answer in range(8):
            x = torch.cat((model.cls, read[sample, :8], read[sample, 8 + answer, None]))
            for layer in (model.layers[number] for number in layers):
                q, k, v = layer.qkv(layer.norm_attention(x)).chunk(3, dim=-1)
                heads = []
                for own in (slice(0, 5), slice(5, 10)):
                    weights = torch.softmax(q[:, own] @ k[:, own].T / 5**0.5, dim=-1)
                    heads.append(weights @ v[:, own])
                x = x + layer.out(torch.cat(heads, dim=-1))
                x = x + layer.mlp[2](F.gelu(layer.mlp[0](layer.norm_mlp(x))))
            scores[sample, :, answer] = torch.cat([head(x[domain]) for domain, head in enumerate(model.heads)])
    return scores


def literal_wren(model: Any, without: tuple[int, ...] = ()) -> Tensor:
    """Return f(sum over i, j of g([x_i, x_j])), every pair on its own, with g's first matrix whole."""
    g, read = model.g, model.encoder(BATCH)
    whole = torch.cat((g.first.weight, g.second.weight), dim=1)
    scores = BATCH.new_empty(3, 2, 8)
    for sample in range(3):
        for answer in range(8):
            panels = [*read[sample, :8], read[sample, 8 + answer]]
            total = BATCH.new_zeros(7)
            for x_i in (panel for i, panel in enumerate(panels) if i not in without):
                for x_j in panels:
                    x = F.relu(whole @ torch.cat((x_i, x_j)) + g.first.bias)
                    for layer in (g.rest[1], g.rest[3]):
                        x = F.relu(layer.weight @ x + layer.bias)
                    total = total + x
            hidden = F.relu(model.f[2](F.relu(model.f[0](total))))
            scores[sample, :, answer] = torch.cat([head(hidden) for head in model.heads])
    return scores


def test_the_transformer_scores_ten_elements_for_each_answer() -> None:
    model = scorer("matrix_transformer")
    torch.testing.assert_close(model(BATCH), literal_transformer(model, (0, 1, 2)), **CLOSE)
    torch.testing.assert_close(model(BATCH, iterations=2), literal_transformer(model, (0, 1)), **CLOSE)
    without = Intervention(drop=("l2",)).apply(model)
    torch.testing.assert_close(without(BATCH), literal_transformer(model, (0, 2)), **CLOSE)


@pytest.mark.parametrize("gone", [(), ("p2",), ("answer",), ("p1", "p8", "answer")])
def test_wren_scores_all_pairs_but_those_that_start_from_a_dropped_panel(gone: tuple[str, ...]) -> None:
    model = scorer("wren")
    wanted = literal_wren(model, tuple(UNITS.index(unit) for unit in gone))
    for view in (Intervention(drop=gone).apply(model), Intervention(mute=gone).apply(model)):
        torch.testing.assert_close(view(BATCH), wanted, **CLOSE)


def test_fewer_iterations_of_wren_are_its_first_panels_and_pairs_of_the_context_are_computed_once() -> None:
    """Of 8 x 81 pairs, 64 are alike for all answers: 200 are computed."""
    model = scorer("wren")
    torch.testing.assert_close(model(BATCH, iterations=5), literal_wren(model, (5, 6, 7, 8)), **CLOSE)
    assert model(BATCH, iterations=0).std(dim=0).max() < 1e-9, "without relations all samples score alike"
    with pytest.raises(ValueError, match="from 0 to 9 panels, not 10"):
        model(BATCH, iterations=10)
    single = copy.deepcopy(model).float()
    whole, none = flops_per_sample(single), flops_per_sample(single, Intervention(drop=UNITS))
    assert whole - none == 200 * 2 * (9**2 + 9 * 7)


# -- traces ------------------------------------------------------------------------------------------------


def test_contributions_to_wren_add_up_to_what_is_scored() -> None:
    trace = record(scorer("wren"), BATCH, only=("contributions", "token_states")).dataset
    assert list(trace["token"].values) == [f"answer:{k}" for k in range(1, 9)]
    assert list(trace["step"].values) == list(UNITS)
    total = trace["contributions"].sum(["unit", "step"]).transpose("sample", "token", "feature").values
    last = trace["token_states"].isel(step=-1).transpose("sample", "token", "feature").values
    torch.testing.assert_close(torch.from_numpy(total), torch.from_numpy(last), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["matrix_interpreter", "matrix_transformer"])
def test_a_trace_holds_the_sets_of_all_answers(name: str) -> None:
    model = scorer(name)
    trace = record(model, BATCH, only=("attention", "contributions")).dataset
    tokens, weights = list(trace["token"].values), trace["attention"]
    assert len(tokens) == 88 and tokens[:2] == ["cls:here:1", "cls:here:2"] and tokens[-1] == "answer:8"
    assert "panel:2,1:4" in tokens and list(trace["label"].values)[0] == "answer 1"
    assert (weights.sizes["query"], weights.sizes["key"]) == (88, 11) and list(weights["key"].values)[-1] == "answer"
    assert float(abs(weights.sum("key") - 1).max()) < 1e-3
    assert not {"row_bias", "column_bias"} & set(trace)


def test_types_and_states_of_the_interpreter_are_those_of_each_set() -> None:
    model = scorer("matrix_interpreter")
    trace = record(model, BATCH, only=("types", "states")).dataset
    sets = model.tokenize(BATCH).unflatten(0, (3, 8))
    for k in (0, 5):
        told = torch.from_numpy(trace["types"].isel(step=0, token=[element * 8 + k for element in range(11)]).values)
        assert torch.allclose(told.double(), model.stack[0].type_inference(sets[:, k]), atol=1e-5)
        last = torch.from_numpy(trace["states"].isel(step=-1, token=k).values)
        assert torch.allclose(last.double(), model.interpret(sets[:, k], outputs=1)[:, 0], atol=1e-5)


def test_drop_and_replacements_reach_every_set_of_the_interpreter() -> None:
    model = scorer("matrix_interpreter")
    scores = model(BATCH)
    assert not torch.allclose(model.keep(("s1.f1", "s2.f2"))(BATCH), scores)
    with (view := model.mute(())).replacing({(0, "s1.f1"): BATCH.new_zeros(88, 12)}, 2):
        assert ((view(BATCH) - scores).abs().amax(dim=(0, 1)) > 1e-6).all()
    with (same := model.mute(())).replacing({}, 2):
        torch.testing.assert_close(same(BATCH), scores, **CLOSE)


def test_the_printed_sizes_are_those_of_tables_7_and_9() -> None:
    config = RECIPES["ni-pgm-neutral-printed"].config
    assert (config.scripts, config.iterations, config.locs, config.functions, config.heads) == (2, 8, 1, 5, 4)
    widths = (config.features, config.code_features, config.key_features, config.type_inference_width)
    assert widths == (192, 192, 32, 192)
    assert (config.tau, config.type_features, config.frozen_signatures, config.image_size) == (1.62, 20, False, 80)
    assert TABLE_9["triples"] == (1.42, 24, True) and RECIPES["ni-pgm-triples-printed"].config.frozen_signatures
