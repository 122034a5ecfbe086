"""Tokenizers of circuits: what a token sees, and what does not change a set."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from routescope.nn.circuit.network import NeuralAttentiveCircuit
from tests.core.nn.circuits import config, network

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def pixels(batch: int, side: int, channels: int = 3) -> Tensor:
    return torch.rand(batch, channels, side, side, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


def circuit(tokenizer: str, **changes: object) -> NeuralAttentiveCircuit:
    return network(config(tokenizer=tokenizer, **changes))


@torch.no_grad()
def test_convnext_makes_8_by_8_tokens_of_64_by_64_pixels() -> None:
    model = circuit("convnext", image_size=64, position_features=64)
    x, there = model.tokenize(pixels(2, 64))
    assert x.shape == (2, 64, 12 + 64)
    assert there is None
    assert model.tokens[:9] == (*(f"patch:0,{c}" for c in range(8)), "patch:1,0")
    assert torch.equal(x[0, :, 12:], x[1, :, 12:]), "the last channels are learned positions"
    assert torch.equal(x[0, :, 12:], model.tokenizer.positions)


@torch.no_grad()
def test_convnext_is_what_appendix_c_says() -> None:
    """Written out: patches of 4, a 7 x 7 convolution of single channels, two point-wise layers, patches of 2."""
    model = circuit("convnext", image_size=32)
    images, t = pixels(2, 32), model.tokenizer
    w = {name: p for name, p in t.named_parameters()}  # noqa: C416

    def patches(x: Tensor, size: int) -> Tensor:  # (B, c, h, w) -> (B, h/size, w/size, c size size)
        B, c, h, v = x.shape
        cut = x.view(B, c, h // size, size, v // size, size).permute(0, 2, 4, 1, 3, 5)
        return cut.reshape(B, h // size, v // size, -1)

    def ln(x: Tensor, name: str) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"])

    x = ln(patches(images, 4) @ w["stem.0.weight"].flatten(1).T + w["stem.0.bias"], "stem.1.norm")  # (B, 8, 8, 6)
    padded = F.pad(x.permute(0, 3, 1, 2), (3, 3, 3, 3))
    y = torch.zeros_like(x)
    for r in range(8):
        for c in range(8):
            seen = padded[:, :, r : r + 7, c : c + 7]
            y[:, r, c] = (seen * w["block.depthwise.weight"][:, 0]).sum(dim=(2, 3)) + w["block.depthwise.bias"]
    y = F.gelu(ln(y, "block.pointwise.0") @ w["block.pointwise.1.weight"].T + w["block.pointwise.1.bias"])
    y = ln(y, "block.pointwise.3") @ w["block.pointwise.4.weight"].T + w["block.pointwise.4.bias"]
    x = patches((x + y).permute(0, 3, 1, 2), 2) @ w["down.0.weight"].flatten(1).T + w["down.0.bias"]
    wanted = ln(x, "down.1.norm").flatten(1, 2)
    torch.testing.assert_close(model.tokenize(images)[0][..., :12], wanted, **CLOSE)


@pytest.mark.parametrize(("tokenizer", "reach"), [("convnext", 8 + 3 * 4), ("patches", 8)])
@torch.no_grad()
def test_a_token_sees_its_patch_and_what_the_convolution_reaches(tokenizer: str, reach: int) -> None:
    model = circuit(tokenizer, image_size=32)
    images = pixels(1, 32)
    before = model.tokenize(images)[0][0, 0]
    for column, seen in ((0, True), (7, True), (reach - 1, True), (reach, False), (31, False)):
        changed = images.clone()
        changed[..., column] += 1
        assert torch.equal(model.tokenize(changed)[0][0, 0], before) != seen, column


@torch.no_grad()
def test_patches_are_embedded_row_by_row() -> None:
    model = circuit("patches", image_size=12, patch_size=4, image_channels=2)
    images, t = pixels(2, 12, 2), model.tokenizer
    x, _ = model.tokenize(images)
    assert x.shape == (2, 9, 12 + 13)
    for i, name in enumerate(model.tokens):
        r, c = (int(part) for part in name.removeprefix("patch:").split(","))
        patch = images[:, :, 4 * r : 4 * r + 4, 4 * c : 4 * c + 4].flatten(1)
        torch.testing.assert_close(x[:, i, :12], t.embed(patch), **CLOSE)
        assert torch.equal(x[0, i, 12:], t.positions[i])


@torch.no_grad()
def test_points_have_no_order_and_padding_adds_nothing() -> None:
    model = circuit("points", max_length=24)
    points = torch.randn(3, 20, 3, dtype=torch.float64)
    wanted = model(points)
    order = torch.randperm(20)
    torch.testing.assert_close(model(points[:, order]), wanted, **CLOSE)
    for gap in (torch.nan, torch.inf):
        padded = torch.cat((torch.full((3, 4, 3), gap, dtype=torch.float64), points), dim=1)
        padded[:, 1, 0] = 0.5  # one coordinate that is missing is enough
        torch.testing.assert_close(model(padded), wanted, **CLOSE)
    moved = points.clone()
    moved[0, 3] += 0.1
    assert not torch.allclose(model(moved)[0], wanted[0])
    more = torch.cat((points, torch.full((3, 4, 3), torch.nan, dtype=torch.float64), points + 1), dim=1)
    torch.testing.assert_close(model(more), wanted, **CLOSE)  # of larger clouds the first ones are read


@pytest.mark.parametrize("tokenizer", ["symbols", "bytes"])
@torch.no_grad()
def test_padding_of_symbols_adds_nothing_and_their_order_matters(tokenizer: str) -> None:
    model = circuit(tokenizer, vocabulary=17, max_length=20)
    symbols = torch.randint(0, 17, (3, 12), generator=torch.Generator().manual_seed(0))
    wanted = model(symbols)
    for width in (1, 8):
        torch.testing.assert_close(model(F.pad(symbols, (0, width), value=-1)), wanted, **CLOSE)
    shorter = symbols.clone()
    shorter[1, 5:] = -1
    torch.testing.assert_close(model(shorter)[1:2], model(symbols[1:2, :5]), **CLOSE)
    assert not torch.allclose(model(symbols.flip(1)), wanted)
    assert model(torch.full((1, 4), -1)).isfinite().all(), "nothing but padding"
    assert model(symbols[:0]).shape == (0, 2, 11)


def test_symbols_that_are_unknown_or_too_many_are_refused() -> None:
    model = circuit("symbols", vocabulary=17, max_length=20)
    with pytest.raises(ValueError, match="below 17, not 17"):
        model(torch.tensor([[3, 17]]))
    with pytest.raises(ValueError, match="up to 20 symbols are read, not 21"):
        model(torch.zeros(1, 21, dtype=torch.long))
    assert circuit("bytes", vocabulary=17)(torch.tensor([[255]])).isfinite().all(), "there are 256 bytes"
    with pytest.raises(ValueError, match="below 256"):
        circuit("bytes")(torch.tensor([[256]]))


@pytest.mark.parametrize("tokenizer", ["convnext", "patches", "points", "symbols", "bytes", None])
def test_an_example_fits_and_every_tokenizer_learns(tokenizer: str | None) -> None:
    model = network(config(tokenizer=tokenizer, image_size=16)).train()
    assert len(model.example(2)) == 2
    example = model.example(2).values
    x = example if example.dtype == torch.long else example.double() + torch.rand_like(example.double())
    found = model(x)
    assert found.shape == (2, 2, 11)
    found.square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
    assert x.shape[1] == len(model.tokens) or tokenizer in ("convnext", "patches")
