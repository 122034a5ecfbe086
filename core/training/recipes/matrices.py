"""Networks of matrices: at a size that two cores train, and as printed."""

from core.data.matrices.regimes import REGIMES, RegimeName
from core.nn.interpreter.matrices import MatrixInterpreterConfig
from core.training.settings import Recipe, TrainingSettings

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

#: Table 9: truncation, dimensions of types, and whether signatures are frozen, by regime.
TABLE_9: dict[RegimeName, tuple[float, int, bool]] = {
    "neutral": (1.62, 20, False),
    "interpolation": (1.62, 20, False),
    "attribute-pairs": (1.40, 32, True),
    "triple-pairs": (1.66, 24, False),
    "triples": (1.42, 24, True),
    "extrapolation": (1.42, 24, True),
}
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


MATRIX_RECIPES: dict[str, Recipe] = {
    "ni-pgm": Recipe("matrix_interpreter", NI_PGM, NI_PGM_SETTINGS, "matrices"),
    **{f"ni-pgm-{regime}-printed": _printed(regime) for regime in REGIMES},
}
