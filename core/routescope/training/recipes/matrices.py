"""Networks of matrices: at a size that two cores train, and as printed."""

from dataclasses import replace

from routescope.data.matrices.regimes import REGIMES, RegimeName
from routescope.nn.baselines.matrix_vit import MatrixTransformerConfig
from routescope.nn.baselines.wren import WReNConfig
from routescope.nn.interpreter.matrices import MatrixInterpreterConfig
from routescope.training.settings import Recipe, TrainingSettings
from routescope.training.space import Distribution, OneOf, Uniform, choice, drawn

#: Smaller panels, and less of everything.
NI_PGM = MatrixInterpreterConfig(
    features=64,
    code_features=64,
    type_features=16,
    scripts=2,
    iterations=1,
    functions=3,
    heads=2,
    key_features=16,
    type_inference_width=64,
    image_size=32,
    panel_width=16,
    domains=("pgm-small-neutral",),
)
NI_PGM_SETTINGS = TrainingSettings(
    steps=12_000,
    batch_size=32,
    learning_rate=1e-3,
    least_learning_rate=1e-5,
    decay_share=1.0,
    augment=False,
    precision="32-true",
    minutes=3.0,
    validate_every=500,
)

#: What it is compared with, at about its size: a Vision Transformer and a WReN, both with its panel encoder and its
#: budget.
VIT_PGM = MatrixTransformerConfig(
    features=64,
    layers=4,
    heads=2,
    head_features=32,
    ffn_hidden=64,
    image_size=32,
    panel_width=16,
    domains=("pgm-small-neutral",),
)
WREN_PGM = WReNConfig(
    features=64,
    hidden=128,
    relation_features=128,
    depth=4,
    image_size=32,
    panel_width=16,
    domains=("pgm-small-neutral",),
)

#: Table 9: truncation, dimensions of types, and whether signatures are frozen, by regime.
TABLE_9: dict[RegimeName, tuple[float, int, bool]] = {
    "neutral": (1.62, 20, False),
    "interpolation": (1.62, 20, False),
    "attribute-pairs": (1.40, 32, True),
    "triple-pairs": (1.66, 24, False),
    "triples": (1.42, 24, True),
    "extrapolation": (1.42, 24, True),
}
#: Table 8: what the trainings draw before the best of each regime become Table 9. Scripts times iterations stay 16.
TABLE_8: tuple[Distribution, ...] = (
    Uniform("tau", 1.3, 1.7),
    choice("type_features", [20, 24, 28, 32, 36, 40]),
    choice("frozen_signatures", [True, False]),
    OneOf(("scripts", "iterations"), ((1, 16), (2, 8), (4, 4))),
)
#: The paper does not say how many trainings it drew, nor on which regime.
SWEEP_TRAININGS, SWEEP_SEED = 24, 0
#: Table 7; how many steps 30 epochs are follows from the data.
PRINTED_SETTINGS = TrainingSettings(
    epochs=30,
    batch_size=72,
    learning_rate=4e-4,
    least_learning_rate=1e-4,
    decay_share=1.0,
    augment=False,
    precision="32-true",
    minutes=15.0,
)


def _printed(regime: RegimeName) -> Recipe:
    tau, types, frozen = TABLE_9[regime]
    config = MatrixInterpreterConfig(domains=(f"pgm-{regime}",), tau=tau, type_features=types, frozen_signatures=frozen)
    return Recipe("matrix_interpreter", config, PRINTED_SETTINGS, "matrices")


def _sweep() -> dict[str, Recipe]:
    """Return the trainings of Table 8's sweep, at the printed size on the neutral regime."""
    printed = _printed("neutral")
    values = [drawn(TABLE_8, SWEEP_SEED, number) for number in range(SWEEP_TRAININGS)]
    return {
        f"ni-pgm-sweep-{number}": printed._replace(config=replace(printed.config, **drawing))
        for number, drawing in enumerate(values, start=1)
    }


def _compared(regime: RegimeName) -> dict[str, Recipe]:
    """Return recipes of a Vision Transformer and a WReN trained as in Table 7; their sizes are not printed."""
    domains = (f"pgm-{regime}",)
    return {
        f"vit-pgm-{regime}-printed": Recipe(
            "matrix_transformer", MatrixTransformerConfig(domains=domains), PRINTED_SETTINGS, "matrices"
        ),
        f"wren-pgm-{regime}-printed": Recipe("wren", WReNConfig(domains=domains), PRINTED_SETTINGS, "matrices"),
    }


SWEEP: dict[str, Recipe] = _sweep()
MATRIX_RECIPES: dict[str, Recipe] = {
    "ni-pgm": Recipe("matrix_interpreter", NI_PGM, NI_PGM_SETTINGS, "matrices"),
    "vit-pgm": Recipe("matrix_transformer", VIT_PGM, NI_PGM_SETTINGS, "matrices"),
    "wren-pgm": Recipe("wren", WREN_PGM, NI_PGM_SETTINGS, "matrices"),
    **{f"ni-pgm-{regime}-printed": _printed(regime) for regime in REGIMES},
    **{name: recipe for regime in REGIMES for name, recipe in _compared(regime).items()},
    **SWEEP,
}


def for_regime(name: str, regime: RegimeName, printed: bool = False) -> tuple[str, Recipe]:
    """Return the recipe of "ni-pgm", "vit-pgm" or "wren-pgm" for a regime, named, for two cores or as printed."""
    if printed:
        return f"{name}-{regime}-printed", MATRIX_RECIPES[f"{name}-{regime}-printed"]
    recipe = MATRIX_RECIPES[name]
    return name, recipe._replace(config=replace(recipe.config, domains=(f"pgm-small-{regime}",)))
