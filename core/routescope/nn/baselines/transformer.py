"""A Transformer whose tokens are blocks, to which SMFRs are compared."""

from typing import cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.blocks.config import BlockTransformerConfig
from routescope.nn.blocks.network import BlockModel, OutputProbes
from routescope.nn.blocks.operations import Passed
from routescope.nn.registry import register


@register("block_transformer", family="Transformer on blocks", config=BlockTransformerConfig)
class BlockTransformer(BlockModel):
    """An encoder over the blocks that are read, and a decoder with a learned query for each block that comes out.

    The paper prints heads, internal dimensions and numbers of layers; its width, its queries and its normalisation are
    choices made here (PyTorch's own layers, normalised after, without dropout).
    """

    Config = BlockTransformerConfig
    config: BlockTransformerConfig

    def __init__(self, config: BlockTransformerConfig) -> None:
        super().__init__(config)
        M, N, d = len(config.inputs), len(config.outputs), config.features
        self.embed = nn.Linear(config.block_size, d)
        self.place = nn.Parameter(0.02 * torch.randn(M, d))
        self.query = nn.Parameter(0.02 * torch.randn(N, d))
        sizes = (d, config.heads, config.internal, 0.0)
        self.encoder = nn.ModuleList(nn.TransformerEncoderLayer(*sizes, batch_first=True) for _ in range(config.layers))
        self.decoder = nn.ModuleList(nn.TransformerDecoderLayer(*sizes, batch_first=True) for _ in range(config.layers))
        self.out = nn.Linear(d, config.block_size)

    def once(
        self,
        x: Float[Tensor, "B M s"],
        iteration: int,
        bias: Float[Tensor, "B M w"] | None = None,
        seen: list[Passed] | None = None,
    ) -> Float[Tensor, "B N s"]:
        read = self.embed(x) + self.place
        for layer in self.encoder:
            read = layer(read)
        made = self.query.expand(len(x), -1, -1)
        for layer in self.decoder:
            made = layer(made, read)
        return cast(OutputProbes, self.probes).blocks(self.out(made), step=iteration)

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        return super().coordinates() | {"block": self.config.outputs}
