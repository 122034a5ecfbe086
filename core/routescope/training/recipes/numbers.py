"""The network of fuzzy Boolean functions, as printed."""

from routescope.data.numbers import boolean
from routescope.data.numbers.sets import name_of
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.training.settings import Recipe, TrainingSettings

#: Table 3 of the Neural Interpreters' paper; section 4.1: one head for all CLS tokens, learned positions.
NI_BOOLEAN = NeuralInterpreterConfig(
    features=128,
    code_features=128,
    type_features=24,
    scripts=2,
    iterations=2,
    locs=1,
    functions=4,
    heads=1,
    key_features=32,
    type_inference_width=128,
    type_inference_depth=2,
    tau=1.6,
    relative_position=None,
    frozen_signatures=False,
    frozen_codes=False,
    tokenizer="numbers",
    numbers=boolean.VARIABLES,
    domains=tuple(name_of(function) for function in range(1, boolean.PRETRAINED + 1)),
    classes=1,
    shared_head=True,
)
NI_BOOLEAN_SETTINGS = TrainingSettings(
    epochs=20,
    steps=20_480,
    batch_size=128,
    learning_rate=6e-3,
    least_learning_rate=6e-3,
    augment=False,
    gradient_clipping=0.0,
    minutes=2.0,
    validate_every=512,
)

NUMBER_RECIPES: dict[str, Recipe] = {
    "ni-boolean": Recipe("neural_interpreter", NI_BOOLEAN, NI_BOOLEAN_SETTINGS, "numbers")
}
