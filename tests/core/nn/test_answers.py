"""Networks that choose among the eight answers of a matrix: what their scores depend on."""

import pytest
import torch

from routescope.nn.answers import AnswerScorer
from routescope.nn.inputs.matrices import Matrices, swapped
from routescope.nn.registry import ARCHITECTURES

SIZES = {"features": 12, "image_size": 16, "panel_width": 6, "domains": ("here", "there")}
SMALL = {
    "matrix_interpreter": {"code_features": 7, "type_features": 5, "iterations": 2, "functions": 3, "heads": 2,
                           "key_features": 4, "type_inference_width": 9, "tau": 2.1},
    "matrix_transformer": {"layers": 2, "heads": 2, "head_features": 5, "ffn_hidden": 8},
    "wren": {"hidden": 9, "relation_features": 7},
}  # fmt: skip


@pytest.fixture(scope="module", params=SMALL)
def model(request: pytest.FixtureRequest) -> AnswerScorer:
    config, network, _ = ARCHITECTURES[request.param]
    torch.manual_seed(0)
    scorer = network(config(**SIZES, **SMALL[request.param]))
    assert isinstance(scorer, AnswerScorer)
    for _ in range(3):
        scorer(torch.rand(8, 16, 16, 16))  # statistics of the norms
    return scorer.double().eval()


@torch.no_grad()
def test_a_score_is_of_the_context_and_its_own_answer_alone(model: AnswerScorer) -> None:
    batch = torch.rand(3, 16, 16, 16, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    scores = model(Matrices(batch))
    assert scores.shape == (3, 2, 8)
    exchanged = model(swapped(batch, 8 + 1, 8 + 6))
    torch.testing.assert_close(exchanged, scores[..., [0, 6, 2, 3, 4, 5, 1, 7]], rtol=1e-9, atol=1e-12)
    other = batch.clone()
    other[:, 8 + 3] = 1 - other[:, 8 + 3]
    moved = (model(other) - scores).abs().amax(dim=(0, 1)) > 1e-12
    assert moved.tolist() == [answer == 3 for answer in range(8)]
    assert ((model(swapped(batch, 0, 5)) - scores).abs() > 1e-9).any(), "places of the context matter"


@torch.no_grad()
def test_other_sides_are_brought_to_the_networks_and_other_numbers_refused(model: AnswerScorer) -> None:
    batch = torch.rand(2, 16, 16, 16, dtype=torch.float64)
    larger = batch.repeat_interleave(2, dim=2).repeat_interleave(2, dim=3)
    torch.testing.assert_close(model(larger), model(batch), rtol=1e-9, atol=1e-12)
    for panels in (15, 17):
        with pytest.raises(ValueError, match="8 panels and 8 answers; got"):
            model(torch.rand(1, panels, 16, 16, dtype=torch.float64))
