"""The tokenizer of numbers: from the values of a few variables to a token each."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class NumbersTokenizer(nn.Module):
    """A linear embedding of each value, and a learned position added to it, drawn as GPT-2's from N(0, 0.02^2).

    Neural Interpreters, section 4.1: "the first 5 are the components of x (with learnable positional embeddings added
    in)"; how a scalar becomes a vector is not printed.
    """

    def __init__(self, numbers: int, features: int) -> None:
        super().__init__()
        self.embed = nn.Linear(1, features)
        self.positions = nn.Parameter(0.02 * torch.randn(numbers, features))

    def forward(self, values: Float[Tensor, "B N"]) -> Float[Tensor, "B N C"]:
        """Return one token for each variable, in their order."""
        embedded: Tensor = self.embed(values[..., None])
        return embedded + self.positions
