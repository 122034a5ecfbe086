"""Per-function relative positions of image patches: Equations 20 to 24 of the Neural Interpreter paper."""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.interpreter.modulated import ModLin

RelativePositionForm = Literal["shared", "modlin"]


class AxisBias(nn.Module):
    """The bias along one axis of the patch grid, for differences of -(size-1) .. size-1.

    ``modlin`` is Equation 22 or 23 plus Equation 20 or 21: p^{uh}[delta] + w^h . e[delta] with
    p = ModLin(e[delta]; c_u). ``shared`` replaces p by the per-function, per-head scalar v_h . c_u.
    """

    def __init__(self, size: int, heads: int, features: int, code_features: int, form: RelativePositionForm) -> None:
        super().__init__()
        self.size, self.form = size, form
        self.e = nn.Parameter(torch.randn(2 * size - 1, features))
        self.w = nn.Parameter(torch.randn(heads, features) / features**0.5)
        if form == "modlin":
            self.p = ModLin(features, heads, code_features)
        elif form == "shared":
            self.v = nn.Parameter(torch.randn(heads, code_features) / code_features**0.5)
        else:
            raise ValueError(f"relative_position must be 'shared', 'modlin' or None, not {form!r}")

    def forward(self, c: Float[Tensor, "U d_cond"]) -> Float[Tensor, "U H size size"]:
        """Bias of attention from index i_1 (first axis) to index i_2, as a function of i_2 - i_1."""
        U = len(c)
        shared = (self.w @ self.e.T).unsqueeze(0)  # (1, H, 2 size - 1)
        if self.form == "modlin":
            per_function = self.p(self.e.expand(U, -1, -1), c).transpose(1, 2)
        else:
            per_function = (c[:, None] * self.v).sum(dim=-1, keepdim=True)  # (U, H, 1), bit by bit the same for any U
        index = torch.arange(self.size, device=c.device)
        delta = index[None, :] - index[:, None] + self.size - 1
        return (shared + per_function)[..., delta]


class RelativePosition(nn.Module):
    """Equation 24: the sum of a row and a column bias; tokens in front of the patches (CLS) get none.

    Args:
        rows, columns: size of the patch grid; patches are ordered row by row.
        prefix: number of tokens before the patches.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        prefix: int,
        heads: int,
        features: int,
        code_features: int,
        form: RelativePositionForm,
    ) -> None:
        super().__init__()
        self.prefix = prefix
        self.row = AxisBias(rows, heads, features, code_features, form)
        self.column = AxisBias(columns, heads, features, code_features, form)

    def forward(self, c: Float[Tensor, "U d_cond"]) -> Float[Tensor, "U H V V"]:
        """The bias b^{uh} between every two of the prefix + rows * columns tokens."""
        row, column = self.row(c), self.column(c)
        patches = row.shape[-1] * column.shape[-1]
        b = row[:, :, :, None, :, None] + column[:, :, None, :, None, :]  # (U, H, i_1, j_1, i_2, j_2)
        b = b.reshape(*b.shape[:2], patches, patches)
        return torch.nn.functional.pad(b, (self.prefix, 0, self.prefix, 0))
