"""nac-listops: a circuit beside Perceiver IO on ListOps expressions (paper: Table 3, section 4.3).

Both are trained here from scratch with the same budget, from several seeds, and scored on the test split. The paper
prints neither sizes nor settings for this task: a usual run has those of the recipes ``nac-listops`` and
``pio-listops``, on expressions of up to 100 symbols; a full one has the benchmark's lengths, 501 to 1,999 symbols, and
networks of the sizes of Table 4. Cost is measured at numbers of symbols up to 4,000.
"""

from dataclasses import dataclass, replace

import torch

from routescope.experiments.shared import beside_perceiver
from routescope.experiments.shared.frame import Experiment, PaperFigure
from routescope.nn.inputs.sequences import MOST_SYMBOLS, SYMBOLS, Expressions
from routescope.training.recipes.sequences import SEQUENCE_RECIPES, of_printed_sizes

NAC, PIO = "nac-listops", "pio-listops"
SHORT, LONG = "listops-short", "listops-long"
SAYS = "NAC reaches 41.40 % on ListOps of up to 2,000 symbols, Perceiver IO 39.70 %"


@dataclass(frozen=True)
class Settings(beside_perceiver.Settings):
    """Both networks of expressions; a token is a symbol. ``data`` decides how long expressions and networks are."""

    networks: tuple[str, ...] = (NAC, PIO)
    data: str = SHORT


def expressions(batch: int, symbols: int) -> Expressions:
    """Return random symbols. They are no valid expressions, which does not change their cost."""
    draws = torch.Generator().manual_seed(0)
    return Expressions(torch.randint(len(SYMBOLS), (batch, symbols), generator=draws))


def task_of(chosen: Settings) -> beside_perceiver.PerceiverComparison:
    """Return the comparison of both networks."""
    recipes = {name: SEQUENCE_RECIPES[name] for name in (NAC, PIO)}
    if chosen.data == LONG:
        recipes = {name: of_printed_sizes(recipe, MOST_SYMBOLS) for name, recipe in recipes.items()}
    recipes = {
        name: recipe._replace(config=replace(recipe.config, domains=(chosen.data,))) for name, recipe in recipes.items()
    }
    note = (
        "Expressions have the benchmark's lengths, networks the sizes of Table 4; the number of steps is not printed."
        if chosen.data == LONG
        else f"Networks are scaled to two cores: they read expressions of up to {recipes[NAC].config.max_length} "
        f"symbols, and have {recipes[NAC].config.modules} modules or latents. The printed accuracies are of 501 to "
        "1,999 symbols and stand beside no other lengths as the same thing's."
    )
    return beside_perceiver.PerceiverComparison(
        nac=NAC,
        pio=PIO,
        recipes=recipes,
        data=chosen.data,
        tokens="symbols",
        random="random symbols",
        example=expressions,
        paper={NAC: 0.4140, PIO: 0.3970} if chosen.data == LONG else {},
        says=SAYS,
        notes=(note,),
    )


EXPERIMENT = Experiment(
    id="nac-listops",
    title="ListOps: a circuit beside Perceiver IO",
    paper_reference="Neural Attentive Circuits (NeurIPS 2022), Table 3 and section 4.3",
    paper_figures=(
        PaperFigure("ListOps, NAC", 0.4140, SAYS),
        PaperFigure("ListOps, Perceiver IO", 0.3970, SAYS),
    ),
    settings=Settings(),
    quick=Settings(seeds=1, steps=20, limit=200, lengths=(250, 1_000, 4_000), rounds=2),
    run=lambda context: beside_perceiver.run(context, task_of(context.settings)),
    full=Settings(data=LONG, steps=20_000),
)
