"""Matrices as a kind of input: made of a sheet of panels, refused in words, told as a table, swapped."""

import pytest
import torch

from core.nn.inputs.kind import NotFromUpload
from core.nn.inputs.matrices import Matrices, panel_names, swapped


def sheet(side: int = 20, channels: int = 3) -> torch.Tensor:
    """Panels of one grey each: 0, 16, ... 240, row by row."""
    greys = (16 * torch.arange(16)).view(4, 1, 4, 1).expand(4, side, 4, side).reshape(1, 4 * side, 4 * side)
    return greys.expand(channels, -1, -1).to(torch.uint8)


def test_a_sheet_is_cut_into_the_matrix_and_its_answers() -> None:
    made = Matrices.from_upload(sheet())
    assert made.values.shape == (1, 16, 20, 20) and len(made) == 1
    assert torch.allclose(made.values[0].amin(dim=(1, 2)), 16 * torch.arange(16) / 255)
    assert torch.equal(made.values.amin(dim=(2, 3)), made.values.amax(dim=(2, 3)))
    assert made.upload is not None and not made.upload.drawn


@pytest.mark.parametrize(
    ("height", "width", "said"),
    [
        (80, 100, "100 x 80 pixels, which is 4 x 5 panels"),
        (80, 90, "This one is 90 x 80 pixels"),
        (82, 82, "This one is 82 x 82 pixels"),
        (40, 40, "each panel of 16 to 400 pixels a side"),
        (4000, 4000, "4000 x 4000"),
    ],
)
def test_what_is_no_sheet_is_refused_with_what_one_is(height: int, width: int, said: str) -> None:
    with pytest.raises(NotFromUpload, match="eight panels and eight answers") as refused:
        Matrices.from_upload(torch.zeros(1, height, width, dtype=torch.uint8))
    assert said in str(refused.value)


def test_rows_tables_and_swaps() -> None:
    values = torch.cat((Matrices.from_upload(sheet()).values, torch.rand(1, 16, 20, 20)))
    batch = Matrices(values)
    assert torch.equal(batch[[1]].values, values[1:]) and len(batch[:1]) == 1
    table = batch.table()
    assert [name for name, _ in table.rows] == list(panel_names()) and table.columns == ("panel", "darkness")
    assert table.rows[0] == ("panel:0,0", 1.0) and table.rows[15][0] == "answer:8"
    assert table.rows[15][1] == pytest.approx(1 - 240 / 255)
    exchanged = swapped(values, 2, 9)
    assert torch.equal(exchanged[:, 2], values[:, 9]) and torch.equal(exchanged[:, 9], values[:, 2])
    assert torch.equal(swapped(exchanged, 2, 9), values)
