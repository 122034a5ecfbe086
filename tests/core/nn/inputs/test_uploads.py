"""How samples are made of what people send: each kind of input says it, in words where it cannot be."""

import pytest
import torch

from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.kind import Inputs, NotFromUpload
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.sets import Sets
from routescope.nn.inputs.statements import Statements


def test_a_picture_is_made_of_its_levels() -> None:
    levels = torch.randint(0, 256, (3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    made = Pictures.from_upload(levels)
    assert made.values.shape == (1, 3, 32, 32) and torch.equal((255 * made.values[0]).round().byte(), levels)
    assert Pictures.upload is not None and Pictures.upload.drawn and "PNG" in Pictures.upload.words


@pytest.mark.parametrize("kind", [Blocks, Sets, Statements])
def test_a_kind_without_uploads_says_so_in_its_words(kind: type[Inputs]) -> None:
    assert kind.upload is None
    with pytest.raises(NotFromUpload, match="cannot be made from an upload") as refused:
        kind.from_upload(torch.zeros(3, 32, 32, dtype=torch.uint8))
    said = str(refused.value)
    assert kind.words[1:] in said and kind.kind in said and said == kind.refusal_of_uploads()
