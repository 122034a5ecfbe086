"""Every variant of a Neural Interpreter learns an easy problem; what is frozen stays, and what is learned moves.

The problem: the colour of a picture, or in the second domain the colour that it lacks. Batches, loss and optimiser are
those of trainings. Scripts have two iterations: of the last step CLS tokens alone are read, which know no positions.
"""

from dataclasses import replace
from typing import Any

import pytest
import torch

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.training.settings import TrainingSettings
from routescope.training.tasks.mixture import Mixture
from routescope.training.tasks.pictures import Classification, Shuffled

STEPS = 40
CONFIG = NeuralInterpreterConfig(
    features=16, code_features=8, type_features=4, iterations=2, functions=3, heads=2, key_features=4,
    type_inference_width=8, position_features=4, image_size=16, patch_size=8, domains=("colour", "lack"), classes=4,
)  # fmt: skip
SETTINGS = TrainingSettings(
    steps=STEPS, batch_size=32, learning_rate=1e-2, decay_share=1.0, augment=False, optimizer="adamw"
)
#: What no bundled network is: every field has each of its values somewhere.
VARIANTS: dict[str, dict[str, Any]] = {
    "two scripts, modlin positions, learned signatures": {
        "scripts": 2, "relative_position": "modlin", "frozen_signatures": False,
    },
    "three lines of code, no positions, frozen codes": {"locs": 3, "relative_position": None, "frozen_codes": True},
    "three scripts, frozen patch embeddings": {"scripts": 3, "frozen_patch_embeddings": True},
    "frozen convolutions": {"frozen_patch_embeddings": True, "tokenizer": "convolutional"},
    "routing fixed at initialisation": {"frozen_type_inference": True},
    "all of it": {
        "scripts": 2, "locs": 2, "relative_position": "modlin", "frozen_signatures": False, "frozen_codes": True,
        "frozen_patch_embeddings": True,
    },
}  # fmt: skip
#: What each field of a config freezes.
FREEZES = {
    "frozen_signatures": "signatures",
    "frozen_codes": "codes",
    "frozen_patch_embeddings": "tokens",
    "frozen_type_inference": "type inference",
}


@pytest.fixture(scope="module")
def data() -> Mixture:
    generator = torch.Generator().manual_seed(0)
    labels, domain = torch.arange(64) % 4, torch.arange(64) // 4 % 2
    pictures = torch.randint(90, 150, (64, 3, 16, 16), generator=generator)
    for picture, label, lacks in zip(pictures, labels.tolist(), domain.tolist(), strict=True):
        if label < 3:  # the last label is that of grey
            picture[label] += -80 if lacks else 80
    return Mixture(pictures.to(torch.uint8), labels, domain, CONFIG.domains, (("colours", 64),))


def trained(config: NeuralInterpreterConfig, data: Mixture) -> tuple[list[float], NeuralInterpreter, NeuralInterpreter]:
    """The loss of every step, the network as it started, and as it became."""
    torch.manual_seed(SETTINGS.seed)
    start = NeuralInterpreter(config)
    torch.manual_seed(SETTINGS.seed)
    task = Classification("neural_interpreter", config, SETTINGS)
    task.log = lambda *_, **__: None  # type: ignore[method-assign]  # there is no trainer that shows it
    made = task.configure_optimizers()
    optimizer, schedule = made["optimizer"], made["lr_scheduler"]["scheduler"]
    batches, losses = Shuffled(data, SETTINGS.batch_size, SETTINGS.seed), []
    with torch.enable_grad():
        for step in range(SETTINGS.steps):
            loss = task.training_step(batches[step], step)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(task.parameters(), SETTINGS.gradient_clipping)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
    assert isinstance(task.model, NeuralInterpreter)
    return losses, start, task.model.eval()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_loss_falls_what_is_frozen_stays_and_all_else_moves(variant: str, data: Mixture) -> None:
    config = replace(CONFIG, **VARIANTS[variant])
    assert config != CONFIG
    losses, start, model = trained(config, data)
    assert sum(losses[:5]) / 5 > 1.2, "four classes are not known at the start"
    assert sum(losses[-5:]) / 5 < 0.7 * sum(losses[:5]) / 5
    frozen = {part for name, part in FREEZES.items() if getattr(config, name)}
    before = start.parts()
    for part, parameters in model.parts().items():
        for place, (now, then) in enumerate(zip(parameters, before[part], strict=True)):
            assert now.equal(then) == (part in frozen), (part, place)
    scripts = list(model.scripts)
    assert len(scripts) == config.scripts and all(len(script.locs) == config.locs for script in scripts)
