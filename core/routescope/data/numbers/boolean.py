"""Fuzzy Boolean functions: random truth tables as sums of products, read in product fuzzy logic.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), Equations 15 to 19, section 4.1 and Appendix B. A truth
table of N variables is drawn entry by entry from Bernoulli(0.5); its expression is the OR of a product (minterm) for
each entry that is true, with and(x, y) = x y, not(x) = 1 - x and or(x, y) = 1 - (1 - x)(1 - y).
"""

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from routescope.nn.inputs.numbers import variable_names

#: Variables of every function (N).
VARIABLES = 5
#: Functions that the paper draws: the first of them to train on, the others to adapt to.
FUNCTIONS, PRETRAINED = 30, 20
#: What a table's seed starts from, so that function k is the same whatever else is drawn.
SEED = 4_1_2021


def truth_table(function: int) -> Bool[Tensor, " corner"]:
    """The truth table of a function counted from 1: entry by entry, with a the most significant bit, Bernoulli(0.5).

    Raises:
        ValueError: a number below 1.
    """
    if function < 1:
        raise ValueError(f"functions are counted from 1; got {function}")
    return torch.from_numpy(np.random.default_rng((SEED, function)).random(2**VARIABLES) < 0.5)


def corners(variables: int = VARIABLES) -> Bool[Tensor, "corner N"]:
    """All Boolean points in the order of a truth table."""
    places = torch.arange(2**variables)[:, None]
    return (places >> torch.arange(variables - 1, -1, -1)) % 2 == 1


def minterms(x: Float[Tensor, "B N"]) -> Float[Tensor, "B corner"]:
    """The product of every corner: of x_i where the corner is true, of 1 - x_i (Eq. 17) where it is false (Eq. 16)."""
    true_corners = corners(x.shape[1]).to(x.device)
    return torch.where(true_corners, x[:, None], 1 - x[:, None]).prod(dim=2)


def fuzzy(x: Float[Tensor, "B N"], table: Bool[Tensor, " corner"]) -> Float[Tensor, " B"]:
    """The value in [0, 1] of a function's sum of products: Eq. 18 over all minterms whose entry is true."""
    return 1 - (1 - minterms(x)[:, table]).prod(dim=1)


def products(variables: int = VARIABLES) -> tuple[str, ...]:
    """The product of every corner in words, such as "a¬b" of two variables, in the order of a truth table."""
    names = variable_names(variables)
    return tuple(
        "".join(name if true else f"¬{name}" for name, true in zip(names, row, strict=True))
        for row in corners(variables).tolist()
    )


def expression(table: Bool[Tensor, " corner"]) -> str:
    """A function's sum of products in words, such as "a¬b ⊕ ab" of two variables; "0" where no entry is true."""
    named = products((len(table) - 1).bit_length())
    return " ⊕ ".join(name for name, true in zip(named, table.tolist(), strict=True) if true) or "0"
