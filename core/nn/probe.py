"""Named identity modules at the places of a network that route."""

from torch import Tensor, nn


class Probe(nn.Module):
    """An identity with a name, to which forward hooks can listen.

    A network passes every routing tensor through a probe, with the index of the step it belongs to.
    Nothing is kept or copied unless somebody listens.

    Args:
        name: public name of the quantity, such as ``"compatibility"``.
        dims: names of the tensor's axes in the order in which the network holds them.
        along: the axis along which it reports one tensor after the other, ``"step"`` or another that the network
            names with ``along(axis, iterations)``, such as ``"layer"``; None: once a forward, as step 0.
    """

    def __init__(self, name: str, dims: tuple[str, ...], along: str | None = "step") -> None:
        super().__init__()
        self.name = name
        self.dims = dims
        self.along = along

    @property
    def listening(self) -> bool:
        """Whether a hook is registered, so that costly side computations are worth doing."""
        return bool(self._forward_hooks)

    def forward(self, tensor: Tensor, step: int) -> Tensor:
        """Return ``tensor`` unchanged; ``step`` tells listeners where in the computation it stands."""
        return tensor

    def extra_repr(self) -> str:
        return f"{self.name}{self.dims}" + ("" if self.along == "step" else f" along {self.along}")
