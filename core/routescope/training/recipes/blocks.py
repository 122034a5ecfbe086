"""Networks of blocks that ``routescope train`` knows: SMFRs, and what they are compared with, on each task.

Sizes of the digit tasks are of the paper's grids (Block-Operations, A.2). On block-permuted MNIST every network has
about 4 million parameters, and the FNNs within an SMFR four hidden layers of 400 units (A.2.4); the batch size is not
printed, nor is the number of steps of the digit tasks.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from routescope.data.blocks.tasks import TASKS
from routescope.nn.blocks.config import BlockFNNConfig, BlockTransformerConfig, SMFRConfig
from routescope.training.settings import Recipe, TrainingSettings


@dataclass(frozen=True)
class BlockTrainingSettings(TrainingSettings):
    """Settings of the training of a network of blocks (A.2): Adam at a constant rate, gradients clipped at 0.1.

    Attributes:
        objective: mean squared distance of the output blocks to one-hot ones, or the cross-entropy of their digits.
        preparation_steps: of addmul: steps of the preparation stage, after which interference begins.
        alternate: of double: which number of the second pair is low, see core/routescope/data/blocks/sums.py.
        program: of ALGO: whether each iteration has a subtask of its own.
        bias_steps, bias: of block-permuted MNIST (SMFR_bias): during so many steps so much is added to the logits of
            the first Multiplexer with which its first blocks get the strips in their own order.
        chosen_from: share of the steps, at the end, in which the best measurement on validation gives the weights.
    """

    steps: int = 10_000
    batch_size: int = 32
    learning_rate: float = 3e-4
    least_learning_rate: float = 3e-4
    augment: bool = False
    precision: str = "32-true"
    optimizer: Literal["radam", "adamw", "adam"] = "adam"
    gradient_clipping: float = 0.1
    validate_every: int = 250
    objective: Literal["squared-error", "cross-entropy"] = "squared-error"
    preparation_steps: int = 0
    alternate: bool = False
    program: Literal["drawn", "same"] = "drawn"
    bias_steps: int = 0
    bias: float = 0.0
    chosen_from: float = 0.1

    def for_steps(self, steps: int) -> Self:
        """Return the settings for so many steps: fewer steps keep interference's share, more keep its length."""
        interference = round(min(1.0, steps / self.steps) * (self.steps - self.preparation_steps))
        preparation = steps - interference if self.preparation_steps else 0
        return replace(super().for_steps(steps), preparation_steps=preparation)


def sizes_of(task: str) -> dict[str, Any]:
    """Return the fields of a config that follow from its task."""
    block_task = TASKS[task]
    return {
        "task": block_task.name,
        "values": block_task.values,
        "outputs": block_task.outputs,
        "block_size": block_task.block_size,
        "classes": block_task.classes,
        "iterations": block_task.iterations,
        "repeats": len(block_task.values) == len(block_task.outputs),
    }


ALGO_SETTINGS = BlockTrainingSettings(steps=50_000)
DOUBLE_SETTINGS = BlockTrainingSettings(steps=8_000)
ADDMUL_SETTINGS = BlockTrainingSettings(steps=8_000, preparation_steps=6_000, validate_every=100)
BPMNIST_SETTINGS = BlockTrainingSettings(
    steps=25_000,
    batch_size=64,
    precision="bf16-mixed",
    validate_every=500,
    minutes=1.0,
    objective="cross-entropy",
    stored="int8",
)
#: Contained FNNs of SMFRs on block-permuted MNIST (A.2.4).
LARGE: dict[str, Any] = {**sizes_of("bpmnist"), "logit_scale": 1.0, "hidden": 400, "layers": 4}

BLOCK_RECIPES: dict[str, Recipe] = {
    "smfr-algo": Recipe("smfr", SMFRConfig(**sizes_of("algo"), depth=1, width=8), ALGO_SETTINGS, "blocks"),
    "fnn-algo": Recipe("block_fnn", BlockFNNConfig(**sizes_of("algo"), hidden=300, layers=3), ALGO_SETTINGS, "blocks"),
    "transformer-algo": Recipe(
        "block_transformer",
        BlockTransformerConfig(**sizes_of("algo"), features=32, heads=4, internal=400, layers=1),
        ALGO_SETTINGS,
        "blocks",
    ),
    "smfr-double": Recipe("smfr", SMFRConfig(**sizes_of("double"), depth=1, width=8), DOUBLE_SETTINGS, "blocks"),
    "fnn-double": Recipe(
        "block_fnn", BlockFNNConfig(**sizes_of("double"), hidden=200, layers=3), DOUBLE_SETTINGS, "blocks"
    ),
    "smfr-addmul": Recipe(
        "smfr", SMFRConfig(**sizes_of("addmul"), depth=2, width=6, layers=2), ADDMUL_SETTINGS, "blocks"
    ),
    "fnn-addmul": Recipe(
        "block_fnn", BlockFNNConfig(**sizes_of("addmul"), hidden=200, layers=3), ADDMUL_SETTINGS, "blocks"
    ),
    "smfr-bpmnist": Recipe("smfr", SMFRConfig(**LARGE, depth=1, width=4), BPMNIST_SETTINGS, "blocks"),
    "smfr-bpmnist-bias": Recipe(
        "smfr",
        SMFRConfig(**LARGE, depth=1, width=4),
        replace(BPMNIST_SETTINGS, bias_steps=300, bias=5.0),
        "blocks",
    ),
    "smfr-bpmnist-no-context": Recipe(
        "smfr", SMFRConfig(**LARGE, depth=1, width=6, context=False), BPMNIST_SETTINGS, "blocks"
    ),
    "fnn-bpmnist": Recipe(
        "block_fnn", BlockFNNConfig(**{**LARGE, "hidden": 970, "layers": 4}), BPMNIST_SETTINGS, "blocks"
    ),
    "transformer-bpmnist": Recipe(
        "block_transformer",
        BlockTransformerConfig(
            **{**sizes_of("bpmnist"), "logit_scale": 1.0}, features=256, heads=8, internal=1200, layers=2
        ),
        BPMNIST_SETTINGS,
        "blocks",
    ),
}
