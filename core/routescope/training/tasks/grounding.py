"""Grounding: a picture tokenizer first learns to name what lies in each patch of a generated scene.

The paper's circuits for NLVR2 read frozen CLIP features, in which pictures come with words already. Circuits whose
tokenizer is trained along begin with this instead: a linear layer on every token says colour, shape and size of the
thing whose middle lies in the patch, or that there is none. The linear layers are thrown away; the tokenizer learns on
with the circuit.
"""

from collections.abc import Callable
from random import Random

import torch
import torch.nn.functional as F
from jaxtyping import Int64
from torch import Tensor, nn

from routescope.data.statements.scenes import COLOURS, SHAPES, SIZES
from routescope.data.statements.sets import StatementSet, quadruples
from routescope.nn.baselines.perceiver_io import StatementPerceiverIO
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit

#: Networks that read sentences, and pictures through a tokenizer of their own.
Reader = ConditionalNeuralAttentiveCircuit | StatementPerceiverIO
#: Samples that are drawn together.
QUADRUPLE = 4
#: What is named of a thing, in words.
NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("colour", tuple(COLOURS)),
    ("shape", tuple(SHAPES)),
    ("size", tuple(SIZES)),
)
#: Of the learning rate: it rises over the first steps and falls linearly to a little of itself.
RATE, WARMUP, LEAST = 3e-3, 50, 0.02
WEIGHT_DECAY = 0.01


def names_in_patches(scenes: StatementSet, grid: tuple[int, int]) -> Int64[Tensor, "N names P V"]:
    """For each picture and patch, the number of each name of the thing whose middle lies in it, from 1; 0 of none.

    Of several things in a patch the last one counts, which lies over the others.
    """
    rows, columns = grid
    found = torch.zeros(len(scenes), len(NAMES), scenes.images.shape[1], rows * columns, dtype=torch.int64)
    for sample, scene in enumerate(scenes.scenes):
        for picture, things in enumerate(scene.pictures if scene is not None else ()):
            for thing in things:
                patch = min(rows - 1, int(thing.y * rows)) * columns + min(columns - 1, int(thing.x * columns))
                for name, (attribute, words) in enumerate(NAMES):
                    found[sample, name, picture, patch] = words.index(getattr(thing, attribute)) + 1
    return found


def ground(
    model: Reader, steps: int, batch_size: int, seed: int, progress: Callable[[int, float], None] | None = None
) -> None:
    """Train the tokenizer of a network that reads statements, in place.

    Args:
        batch_size: samples a step, whole quadruples; half of them show different pictures.
        seed: of what is drawn, and of the layers that are thrown away.
        progress: called with (steps done, loss of the last one).
    """
    tokens, config = model.pictures.encoder, model.config
    device = next(tokens.parameters()).device
    generator = torch.Generator().manual_seed(seed)
    C = config.features  # what follows them are channels of the place
    heads = nn.ModuleList(nn.Linear(C, len(words) + 1) for _, words in NAMES)
    for weights in heads.parameters():
        weights.data = torch.randn(weights.shape, generator=generator) * C**-0.5
    heads.to(device)
    optimizer = torch.optim.AdamW([*tokens.parameters(), *heads.parameters()], lr=RATE, weight_decay=WEIGHT_DECAY)
    tokens.train()
    for step in range(steps):
        drawn = quadruples(Random(f"{seed} grounding {step}"), batch_size // QUADRUPLE, side=config.image_size)
        scenes = drawn.take(slice(0, None, 2))  # every pair of pictures is there twice
        wanted = names_in_patches(scenes, model.pictures.grid).to(device)
        images = scenes.images.to(device).float() / 255
        x = tokens(images.flatten(0, 1))[0][..., :C].unflatten(0, images.shape[:2])
        losses = [F.cross_entropy(head(x).flatten(0, 2), wanted[:, at].flatten()) for at, head in enumerate(heads)]
        loss = torch.stack(losses).sum()
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARMUP) * max(LEAST, 1 - step / steps)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if progress is not None:
            progress(step + 1, float(loss.detach()))
