"""What a model reads: pictures of one size, which samples are, statements about several pictures, or blocks."""

from app.services.errors import NotAccepted
from core.data import SIDE, BlockSet, Dataset
from core.data.statements.sets import StatementSet
from core.zoo.catalogue import ModelInfo

#: Tokenizers of sequences; the others cut images into patches.
OF_SEQUENCES = frozenset({None, "points", "symbols", "bytes"})


def reads_statements(info: ModelInfo) -> bool:
    """Whether its input is a sentence with pictures."""
    return info.inputs == "statements"


def check_reads_statements(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else."""
    if not reads_statements(info):
        raise NotAccepted("This model reads no sentences; statements are for models whose `inputs` are statements.")


def reads_blocks(info: ModelInfo) -> bool:
    """Whether its input is blocks of numbers with a task indicator."""
    return info.inputs == "blocks"


def check_reads_blocks(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else."""
    if not reads_blocks(info):
        raise NotAccepted("This model reads no blocks; runs are of models whose `inputs` are blocks.")


def reads_samples(info: ModelInfo) -> bool:
    """Whether its input is a picture of ``SIDE`` x ``SIDE`` pixels in three colours."""
    config = info.config
    pictures = info.inputs == "images" and config.get("tokenizer") not in OF_SEQUENCES
    return pictures and (config.get("image_size"), config.get("image_channels")) == (SIDE, 3)


def check_reads_samples(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else."""
    if reads_statements(info):
        raise NotAccepted(
            "This model reads statements about pictures, not single ones; ask it with "
            f"POST /api/v1/models/{info.id}/answers."
        )
    if reads_blocks(info):
        raise NotAccepted(
            "This model reads blocks, not pictures by themselves; run it with "
            f"POST /api/v1/models/{info.id}/block-runs."
        )
    if not reads_samples(info):
        raise NotAccepted(f"Samples are pictures of {SIDE} x {SIDE} pixels, and this model reads something else.")


def check_reads_set(info: ModelInfo, dataset: Dataset | StatementSet | BlockSet) -> None:
    """Raise NotAccepted for a model that does not take what the samples of a set are."""
    if isinstance(dataset, Dataset):
        check_reads_samples(info)
        return
    if isinstance(dataset, BlockSet):
        check_reads_blocks(info)
        config, task = info.config, dataset.task
        if (tuple(config["values"]), config["block_size"]) != (task.values, task.block_size):
            raise NotAccepted(f"Samples of {task.name} are of other blocks than this model takes.")
        return
    check_reads_statements(info)
    pictures, _, side, _ = dataset.images.shape[1:]
    if (info.config.get("pictures"), info.config.get("image_size")) != (pictures, side):
        raise NotAccepted(
            f"These statements are about {pictures} pictures of {side} x {side} pixels; this model takes others."
        )
