"""The tasks of networks that route blocks (Block-Operations, section 5), by name.

The digit tasks have one digit a block, one-hot, and a task block that names the subtask; the fourth has strips of
pictures (``block_permuted``).
"""

from routescope.data.blocks.algo import ALGO, ROLES, Programs
from routescope.data.blocks.permuted import BLOCK_SIZE, PERMUTATIONS, SLOTS
from routescope.data.blocks.rules import DIGITS, MOST_PROGRAM, BlockTask, DigitTask, Draws
from routescope.data.blocks.sums import ADDMUL, DOUBLE, STAGES, Stage

__all__ = [
    "ADDMUL",
    "ALGO",
    "BPMNIST",
    "DIGITS",
    "DIGIT_TASKS",
    "DOUBLE",
    "MOST_PROGRAM",
    "ROLES",
    "STAGES",
    "TASKS",
    "BlockTask",
    "DigitTask",
    "Draws",
    "Programs",
    "Stage",
]

BPMNIST = BlockTask(
    name="bpmnist",
    title="Block-permuted MNIST",
    block_size=BLOCK_SIZE,
    values=SLOTS,
    subtasks=tuple("".join(str(strip + 1) for strip in permutation) for permutation in PERMUTATIONS),
    outputs=("digit",),
)

DIGIT_TASKS: dict[str, DigitTask] = {task.name: task for task in (ADDMUL, DOUBLE, ALGO)}
TASKS: dict[str, BlockTask] = {**DIGIT_TASKS, BPMNIST.name: BPMNIST}
