"""A feed-forward network on all blocks, to which SMFRs are compared."""

from typing import cast

from jaxtyping import Float
from torch import Tensor

from routescope.nn.blocks.config import BlockFNNConfig
from routescope.nn.blocks.network import BlockModel, OutputProbes
from routescope.nn.blocks.operations import FNN, Passed
from routescope.nn.registry import register


@register("block_fnn", family="Feed-forward network", config=BlockFNNConfig)
class BlockFNN(BlockModel):
    """A feed-forward network that reads all numbers of all blocks, and gives those of all output blocks."""

    Config = BlockFNNConfig
    config: BlockFNNConfig

    def __init__(self, config: BlockFNNConfig) -> None:
        super().__init__(config)
        M, N, s = len(config.inputs), len(config.outputs), config.block_size
        self.fnn = FNN(M * s, N * s, config.hidden, config.layers)

    def once(
        self,
        x: Float[Tensor, "B M s"],
        iteration: int,
        bias: Float[Tensor, "B M w"] | None = None,
        seen: list[Passed] | None = None,
    ) -> Float[Tensor, "B N s"]:
        made: Tensor = self.fnn(x.flatten(1)).unflatten(1, (len(self.config.outputs), self.config.block_size))
        return cast(OutputProbes, self.probes).blocks(made, step=iteration)

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        return super().coordinates() | {"block": self.config.outputs}
