"""Windows over texts that are longer than the context of a language model.

Symbols: B texts, W windows, V tokens of a window.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from routescope.nn.inputs.text import Text


@dataclass(frozen=True)
class WindowSettings:
    """The number of tokens of a text that one pass reads, and the treatment of longer texts.

    Attributes:
        context: tokens of one pass, besides the token that starts a text.
        stride: tokens from the start of a window to the start of the next; None: half of the context.
        cut: whether a longer text is cut after its first ``context`` tokens; else it is scored in windows.

    Raises:
        ValueError: a context below 1, or a stride outside 1 to ``context``.
    """

    context: int
    stride: int | None = None
    cut: bool = False

    def __post_init__(self) -> None:
        if self.context < 1:
            raise ValueError(f"a context has at least 1 token, not {self.context}")
        if self.stride is not None and not 1 <= self.stride <= self.context:
            raise ValueError(f"a stride is 1 to {self.context} tokens, the context, not {self.stride}")

    @property
    def step(self) -> int:
        """Tokens from the start of a window to the start of the next."""
        return self.stride or max(1, self.context // 2)

    def spans(self, tokens: int) -> Iterator[tuple[int, int, int]]:
        """The windows of a text of so many tokens, the token that starts it left out.

        Yields:
            The first token of a window, the token after its last, and its first token that no window before has.
        """
        begin, scored = 0, 0
        while scored < tokens or not begin:
            stop = min(begin + self.context, tokens)
            yield begin, stop, scored
            if self.cut:
                return
            begin, scored = begin + self.step, stop


@dataclass(frozen=True, eq=False)
class TokenBytes:
    """The tokens of one text, and where each ends.

    Attributes:
        ids: with the token that starts the text, if there is one.
        ends: bytes of the text up to the end of each token, 0 for the token that starts the text.
        started: whether the first token is the one that starts the text.
    """

    ids: tuple[int, ...]
    ends: tuple[int, ...]
    started: bool

    @property
    def text_tokens(self) -> int:
        """Tokens without the one that starts the text."""
        return len(self.ids) - self.started

    @property
    def bytes(self) -> int:
        """Bytes of the whole text."""
        return self.ends[-1] if self.ends else 0

    def bytes_before(self, token: int) -> int:
        """Bytes before a token, counted from the first one after the start."""
        number = token + self.started
        return self.ends[number - 1] if number else 0


@dataclass(frozen=True, eq=False)
class Truncation:
    """Ends of texts that one pass, or a cut, leaves out.

    Attributes:
        tokens, bytes: of each text.
    """

    tokens: Int64[Tensor, " B"]
    bytes: Int64[Tensor, " B"]


@dataclass(frozen=True, eq=False)
class Windows:
    """Texts as a network scores them: every token once, in the first window that has it.

    Attributes:
        inputs: a text for each window, with its tokens.
        sample: the text that each window is of.
        first: place in each window of the first token that is scored there.
        bytes: of the scored tokens of each text. The first token of a text without a start is given: its bytes do not
            count.
        left_out: tokens and bytes that no window has; all 0 unless texts are cut.
    """

    inputs: Text
    sample: Int64[Tensor, " W"]
    first: Int64[Tensor, " W"]
    bytes: Int64[Tensor, " B"]
    left_out: Truncation

    @classmethod
    def of(cls, texts: Sequence[str], tokens: Sequence[TokenBytes], reading: WindowSettings) -> "Windows":
        """Return the windows of texts by their ``tokens``; a text without tokens has no window and no weight."""
        names, ids, sample, first, scored, lost = [], [], [], [], [], []
        for row, (text, encoded) in enumerate(zip(texts, tokens, strict=True)):
            stop = 0
            start = encoded.ids[: encoded.started]
            for begin, stop, new in reading.spans(encoded.text_tokens) if encoded.ids else ():
                names.append(text)
                ids.append((*start, *encoded.ids[begin + encoded.started : stop + encoded.started]))
                sample.append(row)
                first.append(new - begin + encoded.started)
            end = encoded.bytes_before(stop)
            given = 0 if encoded.started else encoded.bytes_before(min(1, stop))
            scored.append(end - given)
            lost.append((encoded.text_tokens - stop, encoded.bytes - end))
        left = torch.tensor(lost, dtype=torch.long).reshape(-1, 2)
        return cls(
            Text(tuple(names), tuple(ids)),
            torch.tensor(sample, dtype=torch.long),
            torch.tensor(first, dtype=torch.long),
            torch.tensor(scored, dtype=torch.long),
            Truncation(left[:, 0], left[:, 1]),
        )

    @property
    def several(self) -> Int64[Tensor, " several"]:
        """Texts that have several windows."""
        return (self.sample.bincount(minlength=len(self.bytes)) > 1).nonzero()[:, 0]

    @property
    def fit(self) -> bool:
        """Whether every text is one window."""
        return self.sample.tolist() == list(range(len(self.bytes)))

    def nats(
        self, out: Float[Tensor, "W V"], mask: Bool[Tensor, "W V"] | None
    ) -> tuple[Float[Tensor, "B _"], Bool[Tensor, "B _"] | None]:
        """Nats of the scored tokens of each text, and which of them count (None: all).

        Where every text is one window these are ``out`` and ``mask``; else one sum for each text, in float64.

        Args:
            out: nats of each token of each window, given those before it.
            mask: which tokens are no padding; None: all.
        """
        if self.fit:
            return out, mask
        counts = torch.arange(out.shape[1]) >= self.first[:, None]
        counts = counts if mask is None else counts & mask.cpu()
        sums = out.cpu().double().masked_fill(~counts, 0.0).sum(dim=1)
        whole = torch.zeros(len(self.bytes), dtype=torch.float64).index_add(0, self.sample, sums)
        return whole[:, None], None
