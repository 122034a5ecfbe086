"""nac-bytes: a circuit beside Perceiver IO on the sentiment of reviews as raw bytes (paper: Table 3, section 4.3).

Both are trained here from scratch with the same budget, from several seeds, and scored on the test split. The paper
prints neither sizes nor settings for this task: a usual run has those of the recipes ``nac-bytes`` and ``pio-bytes``; a
full one has networks of the sizes of Table 4. By default reviews are generated, of up to 480 bytes: a stand-in for
IMDB, which is read with ``--data reviews=FOLDER``, up to 4,000 bytes. Cost is measured at numbers of bytes up to 4,000.
"""

from dataclasses import dataclass

import torch

from routescope.data.sequences.reviews import NAME as REVIEWS
from routescope.experiments.shared import beside_perceiver
from routescope.experiments.shared.frame import Experiment, PaperFigure
from routescope.nn.inputs.sequences import MOST_BYTES, Bytes
from routescope.training.recipes.sequences import SEQUENCE_RECIPES, of_printed_sizes

NAC, PIO = "nac-bytes", "pio-bytes"
SAYS = "NAC reaches 68.18 % on reviews of up to 4,000 bytes, Perceiver IO 66.50 %"


@dataclass(frozen=True)
class Settings(beside_perceiver.Settings):
    """Both networks of texts; a token is a byte. ``printed``: networks of the sizes of Table 4."""

    networks: tuple[str, ...] = (NAC, PIO)
    printed: bool = False


def texts(batch: int, length: int) -> Bytes:
    """Return random bytes."""
    return Bytes(torch.randint(256, (batch, length), generator=torch.Generator().manual_seed(0)))


def task_of(chosen: Settings) -> beside_perceiver.PerceiverComparison:
    """Return the comparison of both networks."""
    recipes = {name: SEQUENCE_RECIPES[name] for name in (NAC, PIO)}
    if chosen.printed:
        recipes = {name: of_printed_sizes(recipe, MOST_BYTES) for name, recipe in recipes.items()}
    note = (
        "Networks have the sizes of Table 4; the number of steps is not printed."
        if chosen.printed
        else f"Networks are scaled to two cores: they have {recipes[NAC].config.modules} modules or latents."
    )
    return beside_perceiver.PerceiverComparison(
        nac=NAC,
        pio=PIO,
        recipes=recipes,
        data=REVIEWS,
        tokens="bytes",
        random="random bytes",
        example=texts,
        paper={NAC: 0.6818, PIO: 0.6650} if chosen.printed else {},
        says=SAYS,
        notes=(note,),
    )


EXPERIMENT = Experiment(
    id="nac-bytes",
    title="Sentiment from raw bytes: a circuit beside Perceiver IO",
    paper_reference="Neural Attentive Circuits (NeurIPS 2022), Table 3 and section 4.3",
    paper_figures=(
        PaperFigure("Sentiment from bytes, NAC", 0.6818, SAYS),
        PaperFigure("Sentiment from bytes, Perceiver IO", 0.6650, SAYS),
    ),
    settings=Settings(),
    quick=Settings(seeds=1, steps=20, limit=200, lengths=(250, 1_000, 4_000), rounds=2),
    run=lambda context: beside_perceiver.run(context, task_of(context.settings)),
    full=Settings(printed=True, steps=20_000),
)
