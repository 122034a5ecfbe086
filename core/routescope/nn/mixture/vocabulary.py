"""Vocabularies of language models, and the vocabulary of bytes."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from routescope.nn.inputs.text import bytes_of, text_of

#: How many bytes there are, and the number of the token that starts a text of bytes.
BYTES, START = 256, 256
#: How the token that starts a text reads, and how part of a character does.
START_TEXT, PART = "<start>", "\ufffd"
#: How every byte and the start read, by number; bytes that are no character of their own as hexadecimal numbers.
TOKEN_TEXTS = (*map(chr, range(128)), *(f"\\x{byte:02x}" for byte in range(128, BYTES)), START_TEXT)


class TokenVocabulary(ABC):
    """The tokens of a language model.

    Attributes:
        size: number of tokens.
        start: the token that starts a text; None: the first token of a text is given, and is not scored.
    """

    size: int
    start: int | None

    @abstractmethod
    def ids(self, text: str) -> tuple[int, ...]:
        """The tokens of a text, without the one that starts it."""

    @abstractmethod
    def text(self, ids: Sequence[int]) -> str:
        """The text that tokens spell, without the one that starts it."""

    @abstractmethod
    def token(self, token: int) -> str:
        """Text of one token."""

    def ends(self, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tokens of a text, and bytes of the text up to the end of each.

        Bytes that no token spells belong to the token after them, at the end of a text to the last token: the last end
        is the number of bytes of the text.
        """
        ids = self.ids(text)
        ends, most = list(self.ends_of(ids)), len(bytes_of(text))
        if ends:
            ends = [*(min(end, most) for end in ends[:-1]), most]
        return ids, tuple(ends)

    def ends_of(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Bytes of the text that tokens spell, up to the end of each token."""
        ends = [0]
        for count in range(1, len(ids) + 1):
            text = self.text(ids[:count])
            partial = 0 if count == len(ids) else len(text) - len(text.rstrip(PART))
            ends.append(max(ends[-1], len(bytes_of(text[: len(text) - partial]))))
        return tuple(ends[1:])

    @property
    def loss(self) -> str | None:
        """The change that a tokenizer makes to texts, so that some bytes cost nothing; None: tokens spell all bytes."""
        return None


class ByteVocabulary(TokenVocabulary):
    """Every byte of UTF-8 is a token, numbered by its value; token 256 starts a text, if the model has it.

    Raises:
        ValueError: fewer tokens than bytes.
    """

    def __init__(self, size: int = BYTES + 1) -> None:
        if size < BYTES:
            raise ValueError(f"texts of bytes need {BYTES} tokens, and this model has {size}")
        self.size, self.start = size, START if size > START else None

    def ids(self, text: str) -> tuple[int, ...]:
        """The bytes of a text."""
        return tuple(bytes_of(text))

    def text(self, ids: Sequence[int]) -> str:
        """The text of bytes; other tokens are left out."""
        return text_of(bytes(token for token in ids if token < BYTES))

    def token(self, token: int) -> str:
        """A byte as it reads; one of a character of several bytes as a hexadecimal number."""
        return TOKEN_TEXTS[token] if token <= BYTES else f"<{token}>"

    def ends_of(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Return ends of tokens where each token is a byte."""
        return tuple(range(1, len(ids) + 1))
