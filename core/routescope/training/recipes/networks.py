"""The recipes of ``routescope train`` by name: networks, their sizes, training settings and data."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from routescope.nn.baselines.perceiver_io import PerceiverIOConfig, StatementPerceiverIOConfig
from routescope.nn.baselines.vit import VisionTransformerConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig, NeuralAttentiveCircuitConfig
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.routing.graphs import WEIGHT
from routescope.training.recipes.blocks import BLOCK_RECIPES
from routescope.training.recipes.circuits import CIRCUIT_SETTINGS
from routescope.training.recipes.matrices import MATRIX_RECIPES, SWEEP
from routescope.training.recipes.numbers import NUMBER_RECIPES
from routescope.training.recipes.points import POINT_RECIPES
from routescope.training.recipes.sequences import SEQUENCE_RECIPES
from routescope.training.recipes.text import TEXT_RECIPES
from routescope.training.settings import Recipe, TrainingSettings

#: The bundled model's size, chosen so that two CPU cores score 1,000 images in about a second.
NI_DIGITS = NeuralInterpreterConfig(
    features=64,
    code_features=64,
    type_features=16,
    iterations=6,
    functions=5,
    heads=2,
    key_features=32,
    type_inference_width=64,
    position_features=32,
    tau=1.2,
    tokenizer="convolutional",
    patch_size=8,
)

#: Tables 4 and 5 of the Neural Interpreters' paper, with the linear tokenizer; decay over 120,000 steps.
NI_DIGITS_PRINTED = NeuralInterpreterConfig()
PRINTED_SETTINGS = TrainingSettings(
    steps=150_000,
    learning_rate=8e-4,
    least_learning_rate=1e-6,
    decay_share=0.8,
    augment="randaugment",
    precision="32-true",
)

#: The Vision Transformer beside ``ni-digits``: as Table 5 is to Table 4, as wide and as deep as it, with its tokenizer.
VIT_DIGITS = VisionTransformerConfig(
    features=64, layers=6, heads=2, head_features=32, ffn_hidden=64, tokenizer="convolutional", patch_size=8
)

#: Without truncation no link is below exp(-2), and no graph as sparse as its prior. 0.9 is the authors' distance.
SPARSE: dict[str, Any] = {"truncation": 0.9}
#: The ladder of Table 1 of Neural Attentive Circuits, rung by rung: architecture, and what differs in the config. With
#: codes comes the MLP that makes initial states of them, so that the last rungs differ in their links alone.
LADDER: dict[str, tuple[str, dict[str, Any]]] = {
    "perceiver-io": ("perceiver_io", {}),
    "pio-modfc": ("neural_attentive_circuit", {"links": "complete"}),
    "nac-frozen": ("neural_attentive_circuit", {"links": "frozen", "prior": "scale-free", **SPARSE}),
    "nac-scale-free": ("neural_attentive_circuit", {"prior": "scale-free", **SPARSE}),
    "nac-planted-partition": ("neural_attentive_circuit", {"prior": "planted-partition", **SPARSE}),
    "nac-ring-of-cliques": ("neural_attentive_circuit", {"prior": "ring-of-cliques", **SPARSE}),
    "nac-erdos-renyi": ("neural_attentive_circuit", {"prior": "erdos-renyi", **SPARSE}),
}

#: The size that two cores can train: 16 tokens of 32 x 32 pixels.
SMALL: dict[str, Any] = {
    "features": 64,
    "code_features": 64,
    "signature_features": 32,
    "modules": 80,
    "readouts": 8,
    "layers": 3,
    "heads": 4,
    "head_features": 16,
    "ffn_hidden": 128,
    "readin_head_features": 64,
    "readout_head_features": 64,
    "position_features": 16,
    "image_size": 32,
}
DIGITS: dict[str, Any] = {**SMALL, "domains": ("mnist", "mnist-m", "street-digits"), "held_out": ("mnist-m",)}
IMAGES: dict[str, Any] = {"domains": ("images", "images-ood"), "held_out": ("images-ood",)}

#: Every rung has the same budget, so that the ladder is fair: less than two epochs, so that nothing is augmented. The
#: regulariser is the printed sum: ten times the mean is as accurate on validation, and ends farther from the prior.
SMALL_SETTINGS = replace(
    CIRCUIT_SETTINGS,
    steps=3_000,
    batch_size=64,
    learning_rate=2e-3,
    least_learning_rate=2e-5,
    graph_weight=1.0,
    graph_reduction="sum",
    initial_filters="contrast",
)


def _table_4(base_rate: float) -> TrainingSettings:
    """Return the settings of Table 4 of Neural Attentive Circuits, with its rates for 1,024 samples a step."""
    return TrainingSettings(
        epochs=400,
        warmup_epochs=25,
        batch_size=1024,
        learning_rate=2 * base_rate,
        least_learning_rate=2e-5,
        decay_share=1.0,
        warmup_learning_rate=2e-6,
        optimizer="adamw",
        weight_decay=0.05,
        graph_weight=WEIGHT,
        minutes=15.0,
    )


#: Table 5: a circuit for ImageNet, on pictures of 64 x 64 as all recipes have them (printed: 224 x 224).
IMAGENET: dict[str, Any] = {
    **IMAGES,
    "features": 512,
    "code_features": 512,
    "modules": 960,
    "heads": 8,
    "ffn_hidden": 1024,
    "classes": 1000,
}
#: The paper names MixUp and CutMix without their parameters: these are those of the recipe that it cites (DeiT).
IMAGENET_SETTINGS = replace(_table_4(3e-4), epochs=110, augment="randaugment", mixup=0.8, cutmix=1.0)


def _circuit(
    rung: str, sizes: Mapping[str, Any], settings: TrainingSettings, data: Literal["digits", "images"]
) -> Recipe:
    architecture, changes = LADDER[rung]
    make = PerceiverIOConfig if architecture == "perceiver_io" else NeuralAttentiveCircuitConfig
    config = make(**{**sizes, **changes})
    if config.links != "learned":  # then there is nothing to regularise, and only frozen links have signatures
        start: Literal["normal", "fitted"] = "fitted" if config.links == "frozen" else "normal"
        settings = replace(settings, graph_weight=0.0, graph_reduction="mean", initial_signatures=start)
    return Recipe(architecture, config, settings, data)


#: Networks that judge statements about two pictures, at a size that two cores can train.
SCENES: dict[str, Any] = {
    "features": 64,
    "code_features": 64,
    "signature_features": 32,
    "modules": 32,
    "readouts": 8,
    "layers": 3,
    "heads": 4,
    "head_features": 16,
    "ffn_hidden": 96,
    "readin_head_features": 64,
    "readout_head_features": 64,
    "position_features": 16,
    "alpha": 1.0,
    "tokenizer": "convolutions",
    "image_size": 48,
    "pictures": 2,
    "text_features": 64,
    "generator_features": 64,
    "generator_heads": 4,
    "generator_hidden": 128,
    "domains": ("scenes",),
    "class_names": ("false", "true"),
}
SCENES_SETTINGS = TrainingSettings(
    steps=14_000,
    batch_size=64,
    learning_rate=5e-4,
    least_learning_rate=1e-5,
    decay_share=1.0,
    augment=False,
    warmup_steps=200,
    warmup_learning_rate=1e-6,
    optimizer="adamw",
    weight_decay=0.05,
    grounding_steps=3_000,
    lessons=(400, 800, 1_500),
    precision="32-true",
    minutes=2.0,
    validate_every=1_000,
)
#: Controls are right half of the time whatever they learn; they need not learn long.
CONTROL_SETTINGS = replace(SCENES_SETTINGS, steps=2_000)

#: NLVR (v1): three boxes a picture, which are read as three pictures.
NLVR: dict[str, Any] = {**SCENES, "pictures": 3, "domains": ("nlvr",)}
NLVR_SETTINGS = replace(SCENES_SETTINGS, steps=3_000, lessons=(), validate_every=250)

#: Appendix G: NLVR2 with frozen CLIP features of text and pictures; what is not printed is as in Table 4.
NLVR2_CLIP: dict[str, Any] = {
    "text": "clip",
    "image_encoder": "clip",
    "tokenizer": None,
    "image_size": 224,
    "patch_size": 32,
    "domains": ("nlvr2",),
    "class_names": ("false", "true"),
}
#: A processor without bfloat16 of its own takes many times as long in it; for a GPU there is ``--precision``.
NLVR2_CLIP_SETTINGS = replace(
    _table_4(3e-4),
    epochs=25,
    warmup_epochs=1,
    batch_size=128,
    graph_weight=0.0,
    augment=False,
    precision="32-true",
)


def _statements(
    sizes: Mapping[str, Any], settings: TrainingSettings, architecture: str = "conditional_nac", **changes: Any
) -> Recipe:
    make = StatementPerceiverIOConfig if architecture == "statement_perceiver_io" else ConditionalCircuitConfig
    return Recipe(architecture, make(**{**sizes, **changes}), settings, "statements")


RECIPES: dict[str, Recipe] = {
    "ni-digits": Recipe("neural_interpreter", NI_DIGITS, TrainingSettings(steps=10_000, routing_weight=0.08)),
    "ni-digits-unrewarded": Recipe("neural_interpreter", NI_DIGITS, TrainingSettings(steps=10_000)),
    "ni-digits-printed": Recipe("neural_interpreter", NI_DIGITS_PRINTED, PRINTED_SETTINGS),
    "vit-digits": Recipe("vision_transformer", VIT_DIGITS, TrainingSettings(steps=10_000)),
    "vit-digits-printed": Recipe("vision_transformer", VisionTransformerConfig(), PRINTED_SETTINGS),
    **{rung: _circuit(rung, DIGITS, SMALL_SETTINGS, "digits") for rung in LADDER},
    **{f"{rung}-images": _circuit(rung, {**SMALL, **IMAGES}, SMALL_SETTINGS, "images") for rung in LADDER},
    **{
        f"{rung}-printed": _circuit(
            rung, {**IMAGES, "classes": 200}, _table_4(5e-4 if rung == "perceiver-io" else 3e-4), "images"
        )
        for rung in LADDER
    },
    "nac-scale-free-imagenet": _circuit("nac-scale-free", IMAGENET, IMAGENET_SETTINGS, "images"),
    "nac-scenes": _statements(SCENES, SCENES_SETTINGS),
    "pio-scenes": _statements(SCENES, SCENES_SETTINGS, "statement_perceiver_io"),
    "nac-scenes-words-only": _statements(SCENES, CONTROL_SETTINGS, sees="sentence"),
    "nac-scenes-pictures-only": _statements(SCENES, CONTROL_SETTINGS, sees="pictures"),
    "nac-nlvr": _statements(NLVR, NLVR_SETTINGS),
    "nac-nlvr2-clip": _statements(NLVR2_CLIP, NLVR2_CLIP_SETTINGS),
    **BLOCK_RECIPES,
    **TEXT_RECIPES,
    **NUMBER_RECIPES,
    **MATRIX_RECIPES,
    **POINT_RECIPES,
    **SEQUENCE_RECIPES,
}

#: Several recipes under one name, trained one after the other.
FAMILIES: dict[str, tuple[str, ...]] = {
    "nac-images": tuple(LADDER),
    "nac-images-printed": tuple(f"{rung}-printed" for rung in LADDER),
    "nac-nlvr2": ("nac-scenes", "pio-scenes", "nac-scenes-words-only", "nac-scenes-pictures-only"),
    "block-operations": tuple(BLOCK_RECIPES),
    "ni-pgm-sweep": tuple(SWEEP),
}


def named(name: str, sources: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the recipes of a name: one, or those of a family.

    ``nac-images`` is trained on digits, or on pictures where ``sources`` has ``images``.

    Raises:
        ValueError: neither a recipe nor a family.
    """
    if name in RECIPES:
        return (name,)
    if name not in FAMILIES:
        known = (*FAMILIES, *(other for other in RECIPES if other not in SWEEP))
        raise ValueError(f"unknown recipe {name!r}; there are {', '.join(known)}")
    if name == "nac-images" and "images" in (sources or {}):
        return tuple(f"{rung}-images" for rung in LADDER)
    return FAMILIES[name]
