"""Whether a model reads what samples are: pictures of one size."""

from app.services.errors import NotAccepted
from core.data import SIDE
from core.zoo import ModelInfo

#: Tokenizers of sequences; the others cut images into patches.
OF_SEQUENCES = frozenset({None, "points", "symbols", "bytes"})


def reads_samples(info: ModelInfo) -> bool:
    """Whether its input is a picture of ``SIDE`` x ``SIDE`` pixels in three colours."""
    config = info.config
    pictures = config.get("tokenizer") not in OF_SEQUENCES
    return pictures and (config.get("image_size"), config.get("image_channels")) == (SIDE, 3)


def check_reads_samples(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else."""
    if not reads_samples(info):
        raise NotAccepted(f"Samples are pictures of {SIDE} x {SIDE} pixels, and this model reads something else.")
