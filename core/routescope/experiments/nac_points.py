"""nac-points: a circuit beside Perceiver IO on clouds of points, without augmentation (paper: Table 2, section 4.2).

Both are trained here from scratch with the same budget, from several seeds, and scored on the test split; the paper
prints neither sizes nor settings for this task, so they are those of the recipes ``nac-points`` and ``pio-points``,
which are scaled to two cores. Cost is counted in operations of a cloud, and measured in seconds, at numbers of points
up to 4,000.
"""

from dataclasses import dataclass

import torch

from routescope.experiments.shared import beside_perceiver
from routescope.experiments.shared.frame import Experiment, PaperFigure
from routescope.nn.inputs.points import Points
from routescope.training.recipes.points import POINT_RECIPES

NAC, PIO = "nac-points", "pio-points"
SAYS = "without augmentation or pre-training NAC reaches 83.0 % on ModelNet40, Perceiver IO 77.4 %"


@dataclass(frozen=True)
class Settings(beside_perceiver.Settings):
    """Both networks of clouds; a token is a point."""

    networks: tuple[str, ...] = (NAC, PIO)


def clouds(batch: int, points: int) -> Points:
    """Return clouds of random points."""
    return Points(torch.randn(batch, points, 3, generator=torch.Generator().manual_seed(0)).clamp(-1, 1))


def task_of(_: Settings) -> beside_perceiver.PerceiverComparison:
    """Return the comparison of both networks."""
    return beside_perceiver.PerceiverComparison(
        nac=NAC,
        pio=PIO,
        recipes=POINT_RECIPES,
        data="clouds",
        tokens="points",
        random="clouds of random points",
        example=clouds,
        paper={NAC: 0.83, PIO: 0.774},
        says=SAYS,
        notes=(
            f"Networks are scaled to two cores: they read {POINT_RECIPES[NAC].config.max_length} of the 1,024 points "
            f"of a cloud, and have {POINT_RECIPES[NAC].config.modules} modules or latents.",
            "With --data clouds=FOLDER of ModelNet40 its test split is looked at on the way, as it has no validation "
            "split; the last state is scored whatever was seen there.",
        ),
    )


EXPERIMENT = Experiment(
    id="nac-points",
    title="Clouds of points: a circuit beside Perceiver IO",
    paper_reference="Neural Attentive Circuits (NeurIPS 2022), Table 2 and section 4.2",
    paper_figures=(
        PaperFigure("ModelNet40, NAC with a scale-free prior, no pre-training", 0.83, SAYS),
        PaperFigure("ModelNet40, Perceiver IO", 0.774, SAYS),
        PaperFigure("ModelNet40, Hierarchical Perceiver without pre-training", 0.759, "as reported by Carreira et al."),
    ),
    settings=Settings(),
    quick=Settings(seeds=1, steps=20, limit=60, lengths=(250, 1_000, 4_000), rounds=2),
    run=lambda context: beside_perceiver.run(context, task_of(context.settings)),
)
