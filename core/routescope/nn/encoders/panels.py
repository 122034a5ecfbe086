"""The encoder of panels, and the set of every answer with the context, of networks of matrices.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), section 4.3 and Appendix D: every architecture that the
paper compares has this scaffolding.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.inputs.matrices import ANSWERS, CONTEXT, PANELS, panel_names

ANSWER_NAMES = tuple(f"answer {answer}" for answer in range(1, ANSWERS + 1))
#: The smallest side of panels, in pixels.
LEAST_PANEL = 16
#: Convolutions go on until the picture has at most so many pixels a side.
LEAST_SIDE = 5


class PanelEncoder(nn.Module):
    """A shallow convolutional network, and a learned embedding of the place in the matrix that is added.

    Neural Interpreters, section 4.3: "Each panel (context and choice) is embedded with a shallow convolutional neural
    network to obtain an embedding vector". Its sizes are not printed; these are WReN's (Barrett et al. 2018): 3 x 3
    convolutions of stride 2, four for panels of 80 pixels, each with BatchNorm. (Norms over one panel would take away
    how dark its lines are.) Tokens are brought to one scale by BatchNorm too. That places are told, and how, is not
    printed either: WReN tags panels with them.

    Args:
        side: of a panel, in pixels.
        width: channels of every convolution.
        features: of a token (C).
    """

    def __init__(self, side: int, width: int, features: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        channels = 1
        while side > LEAST_SIDE:
            layers += [
                nn.Conv2d(channels, width, kernel_size=3, stride=2, padding=1),
                nn.BatchNorm2d(width),
                nn.ReLU(),
            ]
            channels, side = width, (side + 1) // 2
        self.convolutions = nn.Sequential(*layers)
        self.embed = nn.Linear(channels * side**2, features)
        self.scale = nn.BatchNorm1d(features)
        self.places = nn.Parameter(torch.randn(CONTEXT + 1, features))

    def forward(self, panels: Float[Tensor, "B 16 side side"]) -> Float[Tensor, "B 16 C"]:
        """Return one token for each panel; answers are at the position of the gap."""
        B, P, h, w = panels.shape
        ink = 1 - panels.reshape(B * P, 1, h, w)  # of white panels nothing is left
        embedded: Tensor = self.scale(self.embed(self.convolutions(ink).flatten(1))).view(B, P, len(self.scale.weight))
        places = F.pad(self.places[:CONTEXT], (0, 0, 0, P - CONTEXT)) + F.pad(
            self.places[CONTEXT:].expand(P - CONTEXT, -1), (0, 0, CONTEXT, 0)
        )
        return embedded + places


def brought_to(values: Float[Tensor, "B panels side side"], side: int) -> Float[Tensor, "B panels own own"]:
    """Return panels resized to ``side`` by pixel means; raises ValueError for another number of panels."""
    if values.dim() != 4 or values.shape[1] != PANELS:
        raise ValueError(f"a matrix is {CONTEXT} panels and {ANSWERS} answers; got {tuple(values.shape)}")
    return values if values.shape[-1] == side else F.interpolate(values, (side, side), mode="area")


def answer_sets(read: Float[Tensor, "B 16 C"], cls: Float[Tensor, "D C"]) -> Float[Tensor, "sets V C"]:
    """The sets of every answer of every matrix, one after the other (B * 8, V, C): CLS tokens, context, answer."""
    context = read[:, None, :CONTEXT].expand(-1, ANSWERS, -1, -1)
    tokens = cls.to(read.dtype).expand(len(read), ANSWERS, -1, -1)
    return torch.cat((tokens, context, read[:, CONTEXT:, None]), dim=2).flatten(0, 1)


def answer_scores(scores: Float[Tensor, "sets D"]) -> Float[Tensor, "B D 8"]:
    """The scores of the sets of ``answer_sets``, answer by answer."""
    return scores.unflatten(0, (-1, ANSWERS)).transpose(1, 2)


def element_names(domains: Sequence[str]) -> tuple[str, ...]:
    """Names of the elements of one answer's set: CLS tokens, the panels of the context, the answer."""
    return (*(f"cls:{domain}" for domain in domains), *panel_names()[:CONTEXT], "answer")


def token_names(elements: Sequence[str]) -> tuple[str, ...]:
    """Names of the tokens of a matrix: an element of the sets of answer 1, 2, ... 8, then the next element."""
    return tuple(
        f"answer:{k}" if element == "answer" else f"{element}:{k}"
        for element in elements
        for k in range(1, ANSWERS + 1)
    )


def checked_matrices(classes: int, image_size: int) -> None:
    """Raises ValueError where a config is none of a network that chooses among the answers of a matrix."""
    if classes != ANSWERS:
        raise ValueError(f"a network of matrices chooses among {ANSWERS} answers: classes={ANSWERS}, not {classes}")
    if image_size < LEAST_PANEL:
        raise ValueError(f"panels have a side of {LEAST_PANEL} pixels at least, not {image_size}")
