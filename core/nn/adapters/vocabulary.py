"""Which numbers a language model reads for a text: its bytes, or the tokens of its tokenizer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.nn.inputs.text import bytes_of, text_of
from core.nn.mixture.network import BYTES, START_TEXT, MixtureNetwork

if TYPE_CHECKING:
    from tokenizers import Tokenizer

#: Vocabularies of at most so many tokens are taken for bytes and a few signs where there is no tokenizer.
MOST_BYTE_TOKENS = BYTES + 128
#: How tokenizers after SentencePiece write a space, and how a character reads of which a token is a part.
SPACE, PART = "\u2581", "\ufffd"


class Vocabulary(ABC):
    """The tokens of a language model.

    Attributes:
        size: how many there are.
        start: the token that starts a text; None: there is none, and the first token of a text is given.
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
        """How one token reads."""


class Bytes(Vocabulary):
    """Every byte of UTF-8 is a token, numbered by its value; the next number starts a text, where there is one.

    Raises:
        ValueError: fewer tokens than bytes.
    """

    def __init__(self, size: int = BYTES + 1) -> None:
        if size < BYTES:
            raise ValueError(f"texts of bytes need {BYTES} tokens, and this model has {size}")
        self.size, self.start = size, BYTES if size > BYTES else None

    def ids(self, text: str) -> tuple[int, ...]:
        """The bytes of a text."""
        return tuple(bytes_of(text))

    def text(self, ids: Sequence[int]) -> str:
        """The text of bytes; other tokens are left out."""
        return text_of(bytes(each for each in ids if each < BYTES))

    def token(self, token: int) -> str:
        """A byte as it reads; one of a character of several bytes as a hexadecimal number."""
        return MixtureNetwork.token_text(token) if token <= BYTES else f"<{token}>"


class Tokenised(Vocabulary):
    """The tokens of a tokenizer of the library tokenizers.

    Args:
        tokenizer: such as ``tokenizers.Tokenizer.from_file("tokenizer.json")`` gives.
        size: tokens that the model knows.
        start: the token that starts a text.
    """

    def __init__(self, tokenizer: "Tokenizer", size: int, start: int | None) -> None:
        self._tokenizer, self.size, self.start = tokenizer, size, start

    def save(self, folder: Path) -> None:
        """Write the tokenizer to a folder."""
        self._tokenizer.save(str(folder / "tokenizer.json"))

    def ids(self, text: str) -> tuple[int, ...]:
        """What the tokenizer makes of a text, without the tokens that it adds.

        Raises:
            ValueError: a token that the model does not know.
        """
        found = tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)
        if found and max(found) >= self.size:
            raise ValueError(f"the tokenizer has a token {max(found)}, and the model knows {self.size}")
        return found

    def text(self, ids: Sequence[int]) -> str:
        """What the tokenizer makes of tokens."""
        return str(self._tokenizer.decode([each for each in ids if each != self.start], skip_special_tokens=True))

    def token(self, token: int) -> str:
        """A token with its spaces; one of a part of a character as the tokenizer names it."""
        if token == self.start:
            return START_TEXT
        name = self._tokenizer.id_to_token(token)
        if name is None:
            return f"<{token}>"
        if SPACE in name:
            return str(name).replace(SPACE, " ")
        text = str(self._tokenizer.decode([token], skip_special_tokens=False))
        return str(name) if PART in text or not text else text
