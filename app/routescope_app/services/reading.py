"""Checks that a model reads a kind of input; refusals name the route that reads it."""

from routescope.data import SIDE, Samples, known_datasets
from routescope.data.blocks.sets import BlockSet
from routescope.data.kinds.kind import PictureCodec, kinds
from routescope.data.pictures.sets import PictureSet
from routescope.data.sequences.sets import SequenceSet
from routescope.data.statements.sets import StatementSet
from routescope.nn.inputs.blocks import Blocks
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.statements import Statements
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted

#: Kinds that are not asked about stored samples, and where they are asked.
ELSEWHERE = {
    Statements.kind: ("statements about pictures, not single ones; ask it with", "answers"),
    Blocks.kind: ("blocks, not pictures by themselves; run it with", "block-runs"),
}
#: Kinds whose samples are stored pictures, or made of them.
OF_PICTURES = frozenset({Pictures.kind, *ELSEWHERE})


def reads_statements(info: ModelInfo) -> bool:
    """Whether its input is a sentence with pictures."""
    return info.inputs == Statements.kind


def check_reads_statements(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else."""
    if not reads_statements(info):
        raise NotAccepted("This model reads no sentences; statements are for models whose `inputs` are statements.")


def reads_blocks(info: ModelInfo) -> bool:
    """Whether its input is blocks of numbers with a task indicator."""
    return info.inputs == Blocks.kind


def check_reads_blocks(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else."""
    if not reads_blocks(info):
        raise NotAccepted("This model reads no blocks; runs are of models whose `inputs` are blocks.")


def reads_samples(info: ModelInfo) -> bool:
    """Whether its input is a picture of ``SIDE`` x ``SIDE`` pixels in three colours."""
    config = info.config
    return info.inputs == Pictures.kind and (config.get("image_size"), config.get("image_channels")) == (SIDE, 3)


def reads_own_sets(info: ModelInfo) -> bool:
    """Whether its input is of a kind that is not made of pictures, and that a data set holds samples of."""
    return info.inputs in {each.inputs for each in known_datasets().values()} - OF_PICTURES


def check_reads_samples(info: ModelInfo) -> None:
    """Raise NotAccepted for a model that reads something else than stored pictures."""
    if info.inputs in ELSEWHERE:
        what, place = ELSEWHERE[info.inputs]
        raise NotAccepted(f"This model reads {what} POST /api/v1/models/{info.id}/{place}.")
    if not reads_samples(info):
        words = "" if info.inputs == Pictures.kind else f": {kinds()[info.inputs].words}"
        raise NotAccepted(
            f"Samples are pictures of {SIDE} x {SIDE} pixels, and this model reads something else{words}."
        )


def picture_codec(kind: str) -> PictureCodec:
    """Return the codec that makes samples of uploaded pictures; raises NotAccepted for a kind without one."""
    by_name = kinds()
    if kind not in by_name:
        raise NotAccepted(f"There is no such kind of input; there are: {', '.join(sorted(by_name))}.")
    codec = by_name[kind].picture
    if codec is None:
        raise NotAccepted(by_name[kind].picture_refusal)
    return codec


def check_reads_set(info: ModelInfo, dataset: Samples) -> None:
    """Raise NotAccepted for a model that does not take what the samples of a set are."""
    if isinstance(dataset, PictureSet):
        check_reads_samples(info)
    elif isinstance(dataset, BlockSet):
        check_reads_blocks(info)
        config, task = info.config, dataset.task
        if (tuple(config["values"]), config["block_size"]) != (task.values, task.block_size):
            raise NotAccepted(f"Samples of {task.name} are of other blocks than this model takes.")
    elif isinstance(dataset, StatementSet):
        check_reads_statements(info)
        pictures, _, side, _ = dataset.images.shape[1:]
        if (info.config.get("pictures"), info.config.get("image_size")) != (pictures, side):
            raise NotAccepted(
                f"These statements are about {pictures} pictures of {side} x {side} pixels; this model takes others."
            )
    elif info.inputs != known_datasets()[dataset.name].inputs:
        raise NotAccepted(f"Samples of {dataset.name} are of another kind than this model reads.")
    elif isinstance(dataset, SequenceSet) and (longest := int(dataset.lengths.max())) > len(info.tokens):
        raise NotAccepted(f"This model reads up to {len(info.tokens):,} symbols, and {longest:,} are to be read.")
