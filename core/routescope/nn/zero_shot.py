"""CLIP judging statements without any training: which of two sentences is nearer to the pictures.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Appendix G: the pictures of a sample side by side as
one, against the sentence and against a negated one (which the paper had written by GPT-J; here they are given). Not
verified: the paper's 53 % on NLVR2, for which it prints neither its negated sentences nor how it cropped.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from routescope.nn.encoders.frozen import FrozenImageEncoder, FrozenTextEncoder
from routescope.nn.encoders.frozen_weights import frozen
from routescope.nn.inputs.statements import Statements


def negation(sentence: str) -> str:
    """A sentence that says the opposite, where nobody wrote a better one: "It is not true that ..."."""
    statement = sentence.strip()
    return f"It is not true that {statement[:1].lower()}{statement[1:]}"


@torch.no_grad()
def clip_logits(inputs: Statements, negated: Sequence[str], folder: str | Path | None = None) -> Float[Tensor, "B 2"]:
    """Logits of false and true: cosines with the negated sentence and with the sentence, times CLIP's learned scale.

    Args:
        inputs: pictures in [0, 1], which are put side by side and brought to CLIP's square, and their sentences.
        negated: for every sample a sentence that says the opposite.
        folder: where CLIP lies; ``ROUTESCOPE_CLIP_FOLDER`` when None.

    Raises:
        ValueError: another number of negated sentences than of samples.
    """
    if len(negated) != len(inputs):
        raise ValueError(f"there are {len(negated)} negated sentences for {len(inputs)} samples")
    weights, device = frozen("clip", folder), inputs.images.device
    model = weights.on(device)
    text = FrozenTextEncoder(weights, model.config.text_config.max_position_embeddings).to(device)
    pictures = FrozenImageEncoder(weights).to(device)
    joined = torch.cat(inputs.images.unbind(dim=1), dim=-1)
    seen = model.visual_projection(model.vision_model(pixel_values=pictures.seen(joined)).pooler_output)
    cosines = [
        F.cosine_similarity(seen, model.text_projection(text.pooled(sentences)), dim=-1)
        for sentences in (negated, inputs.sentences)
    ]
    scale: Tensor = model.logit_scale.exp()
    return torch.stack(cosines, dim=-1) * scale
