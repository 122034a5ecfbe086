"""The encoder of a matrix's panels: from a small picture to one token."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from core.nn.inputs.matrices import CONTEXT

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
        """One token a panel; answers are at the place of the gap."""
        B, P, h, w = panels.shape
        ink = 1 - panels.reshape(B * P, 1, h, w)  # of white panels nothing is left
        embedded: Tensor = self.scale(self.embed(self.convolutions(ink).flatten(1))).view(B, P, -1)
        places = F.pad(self.places[:CONTEXT], (0, 0, 0, P - CONTEXT)) + F.pad(
            self.places[CONTEXT:].expand(P - CONTEXT, -1), (0, 0, CONTEXT, 0)
        )
        return embedded + places
