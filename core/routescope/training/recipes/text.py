"""Networks of text, at a size that two cores train in minutes."""

from routescope.nn.mixture.config import MixtureConfig
from routescope.training.settings import Recipe, TrainingSettings

MOE_BYTES = MixtureConfig()
MOE_BYTES_SETTINGS = TrainingSettings(
    steps=1_200,
    batch_size=32,
    learning_rate=3e-3,
    least_learning_rate=3e-5,
    decay_share=1.0,
    augment=False,
    warmup_steps=100,
    optimizer="adamw",
    weight_decay=0.1,
    balance_weight=0.01,
    precision="32-true",
    minutes=1.0,
    validate_every=250,
    stored="float16",
)

TEXT_RECIPES: dict[str, Recipe] = {"moe-bytes": Recipe("mixture", MOE_BYTES, MOE_BYTES_SETTINGS, "text")}
