"""The Vision Transformer of matrices against attention written out, each answer's set on its own."""

import pytest
import torch
import torch.nn.functional as F

from routescope.nn.baselines.matrix_vit import MatrixTransformer, MatrixTransformerConfig
from routescope.nn.inputs.matrices import Matrices
from routescope.routing import Intervention, record

SMALL = MatrixTransformerConfig(
    features=12, layers=3, heads=2, head_features=5, ffn_hidden=8, image_size=16, panel_width=6,
    domains=("here", "there"),
)  # fmt: skip


@pytest.fixture(scope="module")
def model() -> MatrixTransformer:
    torch.manual_seed(0)
    network = MatrixTransformer(SMALL)
    for _ in range(3):
        network(torch.rand(8, 16, 16, 16))  # statistics of the norms
    return network.eval()


@pytest.fixture(scope="module")
def batch() -> torch.Tensor:
    return torch.rand(3, 16, 16, 16, generator=torch.Generator().manual_seed(1))


def literal(model: MatrixTransformer, batch: torch.Tensor, layers: tuple[int, ...] = (0, 1, 2)) -> torch.Tensor:
    """Matrix by matrix, answer by answer, head by head, without a bias of positions."""
    read = model.tokenizer(batch)
    scores = torch.empty(len(batch), 2, 8)
    for sample in range(len(batch)):
        for answer in range(8):
            x = torch.cat((model.cls, read[sample, :8], read[sample, 8 + answer, None]))
            for number in layers:
                layer = model.layers[number]
                q, k, v = layer.qkv(layer.norm_attention(x)).chunk(3, dim=-1)
                heads = []
                for head in range(2):
                    own = slice(5 * head, 5 * head + 5)
                    weights = torch.softmax(q[:, own] @ k[:, own].T / 5**0.5, dim=-1)
                    heads.append(weights @ v[:, own])
                x = x + layer.out(torch.cat(heads, dim=-1))
                hidden = F.gelu(layer.mlp[0](layer.norm_mlp(x)))
                x = x + layer.mlp[2](hidden)
            for domain in range(2):
                scores[sample, domain, answer] = model.heads[domain](x[domain])
    return scores


def test_scores_are_those_of_ten_elements_each(model: MatrixTransformer, batch: torch.Tensor) -> None:
    with torch.no_grad():
        torch.testing.assert_close(model(Matrices(batch)), literal(model, batch), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(model(batch, iterations=2), literal(model, batch, (0, 1)), rtol=1e-4, atol=1e-5)
        without = Intervention(drop=("l2",)).apply(model)
        torch.testing.assert_close(without(batch), literal(model, batch, (0, 2)), rtol=1e-4, atol=1e-5)


def test_a_trace_holds_the_sets_of_all_answers(model: MatrixTransformer, batch: torch.Tensor) -> None:
    trace = record(model, batch, only=("attention", "token_states", "contributions")).dataset
    tokens = list(trace["token"].values)
    assert len(tokens) == 88 and tokens[0] == "cls:here:1" and tokens[-1] == "answer:8"
    weights = trace["attention"]
    assert (weights.sizes["query"], weights.sizes["key"]) == (88, 11) and list(weights["key"].values)[-1] == "answer"
    assert float(abs(weights.sum("key") - 1).max()) < 1e-5
    assert not {"row_bias", "column_bias"} & set(trace)
