"""Sizes that do not go together are refused, with what would be accepted."""

from typing import Any

import pytest

from routescope.nn.registry import ARCHITECTURES
from tests.core.nn import conditionals

#: Architecture -> fields of its config, and words of the refusal.
REFUSED: dict[str, list[tuple[dict[str, Any], str]]] = {
    "neural_interpreter": [
        ({"wings": 2}, "wings"),
        ({"residual": "loud"}, "passthrough.*printed.*none"),
        ({"tokenizer": "crystal"}, "convolutional.*linear"),
        ({"image_size": 30}, "multiple of patch_size"),
        ({"tokenizer": None}, "relative_position"),
        ({"relative_position": "astral"}, "shared.*modlin"),
        ({"heads": 5}, "multiple of heads"),
    ],
    "neural_attentive_circuit": [
        ({"wings": 2}, "wings"),
        ({"links": "loose"}, "learned.*frozen.*complete"),
        ({"prior": "fractal"}, "scale-free.*planted-partition.*ring-of-cliques.*erdos-renyi"),
        ({"modulation": "loud"}, "codes.*none"),
        ({"tokenizer": "crystal"}, "convnext.*patches.*points.*symbols.*bytes"),
        ({"image_size": 30}, "multiple of patch_size"),
        ({"patch_size": 4}, "8 x 8"),
        ({"initial_state": "code", "code_features": 5}, "as many code_features"),
        ({"held_out": ("moon",)}, "moon.*mnist"),
    ],
    "conditional_nac": [
        ({"text": "braille"}, "words.*clip.*minilm"),
        ({"sees": "nothing"}, "both.*pictures.*sentence"),
        ({"text_heads": 4}, "text_features 6 must be a multiple of text_heads 4"),
        ({"generator_heads": 3}, "generator_features 10 must be a multiple of generator_heads 3"),
        ({"most_pieces": 0}, "at least 1"),
        ({"image_encoder": "eye"}, "'clip'"),
        ({"image_encoder": "clip"}, "takes the tokenizer's place"),
        ({"tokenizer": None}, "patches"),
        ({"tokenizer": "bytes"}, "patches"),
        ({"patch_size": 4}, "multiple of patch_size"),
        ({"links": "frozen"}, "designed by sentences"),
        ({"prior": "scale-free"}, "no prior"),
        ({"pictures": 0}, "at least one picture"),
        ({"reference": ()}, "one sentence in reference"),
    ],
    **dict.fromkeys(
        ("perceiver_io", "statement_perceiver_io"),
        [(change, "Perceiver IO has") for change in (
            {"initial_state": "mlp"}, {"modulation": "codes"}, {"links": "learned"})],
    ),
    "smfr": [
        ({"outputs": ("A",)}, "as many outputs as values"),
        ({"repeats": False}, "one iteration"),
        ({"classes": 11}, "11 classes"),
        ({"values": ()}, "values and outputs"),
        ({"depth": -1}, "depth"),
    ],
    "vision_transformer": [({"patch_size": 5}, "multiple of patch_size 5")],
    "wren": [({"depth": 1}, "two layers"), ({"dropout": 1.0}, "share")],
}  # fmt: skip
MATRICES = [({"classes": 9}, "classes=8"), ({"image_size": 8}, "16 pixels at least, not 8")]
for matrices in ("matrix_interpreter", "matrix_transformer", "wren"):
    REFUSED[matrices] = [*REFUSED.get(matrices, []), *MATRICES]


@pytest.mark.parametrize(
    ("architecture", "changes", "words"),
    [(architecture, *refusal) for architecture, refusals in REFUSED.items() for refusal in refusals],
)
def test_sizes_that_do_not_go_together_are_refused(architecture: str, changes: dict[str, Any], words: str) -> None:
    sizes = conditionals.SIZES if architecture == "conditional_nac" else {}
    config, network, _ = ARCHITECTURES[architecture]
    with pytest.raises((ValueError, TypeError), match=words):  # a TypeError for an unknown field
        network(config(**{**sizes, **changes}))
