"""Vocabularies of other language models: characters, and the tokens of a tokenizer."""

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Union

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.mixture.vocabulary import BYTES, PART, START_TEXT, ByteVocabulary, TokenVocabulary

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer
    from transformers import PreTrainedTokenizerBase

#: What a tokenizer can be given as; a path is that of ``tokenizer.json`` or of its folder.
AnyTokenizer = Union["Tokenizer", "PreTrainedTokenizerBase", str, Path]

#: Without a tokenizer, a vocabulary of at most this many tokens is read as bytes and a few signs.
MOST_BYTE_TOKENS = BYTES + 128
#: How tokenizers after SentencePiece write a space.
SPACE = "\u2581"
#: What the library tokenizers raises, beside Python's exceptions, where its regular expressions take too many steps.
PANIC = "PanicException"
#: The file of a tokenizer in a folder.
TOKENIZER = "tokenizer.json"
#: A text with capitals, accents, white space and signs of several bytes, by which changes of a tokenizer are seen.
PROBE = "An \u00c9t\u00e9\tin  1,000 \u20ac \u2126 \U0001f600\n"


class Characters(TokenVocabulary):
    """Every character is a token, numbered by its place among ``characters``: makeMoE and nanoGPT on characters.

    Args:
        characters: all of them, in the order of their numbers, such as ``"".join(sorted(set(text)))``.
        size: tokens that the model knows; None: as many as characters.
        start: the token that starts a text; None: the first character of a text is given.

    Raises:
        ValueError: a character twice, or more characters than tokens.
    """

    def __init__(self, characters: str, size: int | None = None, start: int | None = None) -> None:
        self._places = {character: number for number, character in enumerate(characters)}
        self._characters, self.size, self.start = characters, len(characters) if size is None else size, start
        if len(self._places) != len(characters):
            raise ValueError("a character is twice in the vocabulary: list every character once")
        if len(characters) > self.size:
            raise ValueError(f"the vocabulary has {len(characters)} characters, and the model knows {self.size} tokens")

    def ids(self, text: str) -> tuple[int, ...]:
        """Return the ids of the characters of a text; raises ValueError for a character that the vocabulary lacks."""
        if unknown := sorted(set(text) - set(self._places)):
            listed = ", ".join(map(repr, unknown[:5]))
            raise ValueError(f"the vocabulary of this model lacks {listed}: leave such characters out of texts")
        return tuple(self._places[character] for character in text)

    def text(self, ids: Sequence[int]) -> str:
        """The characters of tokens; other tokens are left out."""
        return "".join(self._characters[token] for token in ids if token < len(self._characters))

    def token(self, token: int) -> str:
        """A character."""
        if token == self.start:
            return START_TEXT
        return self._characters[token] if token < len(self._characters) else f"<{token}>"


class Tokenised(TokenVocabulary):
    """The tokens of a tokenizer: a copy of it, without the padding and truncation that it may have.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``, an ``AutoTokenizer`` of transformers, or the path of ``tokenizer.json``
            or of its folder.
        size: tokens that the model knows.
        start: the token that starts a text; None: the first token of a text is given.

    Raises:
        NotAdaptable: a tokenizer that cannot be read as ``tokenizer.json``.
        TypeError: something else than a tokenizer.
    """

    def __init__(self, tokenizer: AnyTokenizer, size: int, start: int | None) -> None:
        self._tokenizer, self._written = plain_tokenizer(tokenizer)
        self.size, self.start = size, start
        self._byte_level = '"ByteLevel"' in json.dumps(json.loads(self._written).get("decoder"))
        self._loss = self._lost()

    def save(self, folder: Path) -> None:
        """Write the tokenizer to a folder, as it was given."""
        (folder / TOKENIZER).write_text(self._written, encoding="utf-8")

    def ids(self, text: str) -> tuple[int, ...]:
        """Return a text's tokens, none added around it; raises ValueError for an unknown token, or bad Unicode."""
        return self.ends(text)[0]

    def ends(self, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tokens of a text, and bytes of the text up to the end of each.

        Where several tokens spell one character, each has its own bytes if the tokenizer is of bytes; else the last of
        them has all bytes of the character.

        Raises:
            ValueError: a token that the model does not know, or a text that is no Unicode.
        """
        made = self._encoded(text)
        ids = tuple(made.ids)
        if ids and max(ids) >= self.size:
            raise ValueError(f"the tokenizer has a token {max(ids)}, and the model knows {self.size} tokens")
        before = [0]  # bytes before each character
        for character in text:
            before.append(before[-1] + len(character.encode()))
        spans, ends, last = made.offsets, list[int](), 0
        for number, (start, stop) in enumerate(spans):
            shared = number + 1 < len(spans) and spans[number + 1][0] < stop
            if shared:  # the next token spells a part of the same character
                base = max(last, before[start])
                end = min(base + self._bytes_of_token(made.tokens[number]), before[stop])
            else:
                end = before[stop]
            last = max(last, end)
            ends.append(last)
        if ends:
            ends[-1] = before[-1]
        return ids, tuple(ends)

    def _encoded(self, text: str) -> "Encoding":
        """The tokens of a text as the library tokenizers gives them.

        Raises:
            ValueError: a text that is no Unicode, or that a rule of the tokenizer takes too many steps for.
        """
        try:
            return self._tokenizer.encode(text, add_special_tokens=False)
        except TypeError:
            raise ValueError(
                "a text has bytes that are no UTF-8, which its tokenizer cannot read: leave the text out"
            ) from None
        except BaseException as error:
            if type(error).__name__ != PANIC:
                raise
            raise ValueError(
                "the rules of its tokenizer take too many steps for a text: leave the text out, or use a tokenizer"
                " with simpler rules"
            ) from None

    def _bytes_of_token(self, name: str) -> int:
        """Bytes that a token of bytes spells; 0 for others."""
        if self._byte_level:
            return len(name)
        return 1 if len(name) == 6 and name.startswith("<0x") and name.endswith(">") else 0

    def text(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode([token for token in ids if token != self.start], skip_special_tokens=True))

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

    @property
    def loss(self) -> str | None:
        """The change that the tokenizer makes to texts, in words; None: tokens spell every byte."""
        return self._loss

    def _lost(self) -> str | None:
        spelled = self.text(self._encoded(PROBE).ids)
        for form, words in _LOSSES:
            if form(spelled) == form(PROBE):
                return words
        return "the tokenizer changes texts, such as signs that it does not know"


def _plain(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


#: From the least change to the largest: texts that are alike so, and what a tokenizer then changes.
_LOSSES = (
    (lambda text: text, None),
    (lambda text: text.strip(), None),
    (lambda text: unicodedata.normalize("NFC", text), "the tokenizer normalises Unicode"),
    (lambda text: unicodedata.normalize("NFKC", text), "the tokenizer normalises Unicode"),
    (lambda text: "".join(text.split()), "the tokenizer changes white space"),
    (lambda text: "".join(unicodedata.normalize("NFKC", text).split()).casefold(), "the tokenizer lowercases texts"),
    (lambda text: "".join(_plain(text).split()).casefold(), "the tokenizer lowercases texts or strips accents"),
)


def plain_tokenizer(tokenizer: AnyTokenizer) -> "tuple[Tokenizer, str]":
    """A copy of a tokenizer that neither pads nor truncates nor post-processes, and its JSON as it was given.

    Raises:
        NotAdaptable: a tokenizer that cannot be read as ``tokenizer.json``.
        TypeError: something else than a tokenizer.
    """
    from tokenizers import Tokenizer

    written = _written(tokenizer)
    content = json.loads(written)
    # A post-processor adds tokens around a text and moves the offsets of tokens; padding and truncation change tokens.
    content |= {"padding": None, "truncation": None, "post_processor": None}
    return Tokenizer.from_str(json.dumps(content)), written


def _written(tokenizer: AnyTokenizer) -> str:
    """A tokenizer as the JSON of ``tokenizer.json``."""
    from tokenizers import Tokenizer

    if isinstance(tokenizer, str | Path):
        file = Path(tokenizer).expanduser()
        file = file / TOKENIZER if file.is_dir() else file
        if not file.is_file():
            raise NotAdaptable(f"{file} does not exist: name a {TOKENIZER}, or a folder with one")
        try:
            return str(Tokenizer.from_file(str(file)).to_str())
        except Exception as error:  # the library raises nothing narrower
            raise NotAdaptable(f"{file} cannot be read as a {TOKENIZER}: {error}") from error
    fast = tokenizer if isinstance(tokenizer, Tokenizer) else _fast(tokenizer)
    try:
        return str(fast.to_str())
    except Exception as error:  # the library raises nothing narrower
        raise NotAdaptable(f"the tokenizer has parts in Python, which {TOKENIZER} cannot hold: {error}") from error


def _fast(tokenizer: object) -> "Tokenizer":
    """The tokenizer of the library tokenizers that one of transformers stands on."""
    from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

    if isinstance(tokenizer, PreTrainedTokenizerFast):
        return tokenizer.backend_tokenizer
    kind = type(tokenizer).__name__
    if isinstance(tokenizer, PreTrainedTokenizerBase):
        raise NotAdaptable(f"{kind} is a slow tokenizer, without a {TOKENIZER}: pass one that has it")
    raise TypeError(
        f"a tokenizer is a tokenizers.Tokenizer, an AutoTokenizer or the path of a {TOKENIZER}, not of type {kind}"
    )


def vocabulary_of(
    vocabulary: TokenVocabulary | AnyTokenizer | None, size: int, kind: str, start: int | None = None
) -> TokenVocabulary:
    """The vocabulary of a model that scores ``size`` tokens.

    Args:
        vocabulary: a tokenizer, as ``Tokenised`` takes it; None: the bytes of texts.
        kind: what the model is called, for messages.
        start: the token that starts a text, where a tokenizer is given; None: its own, if it says one.

    Raises:
        NotAdaptable: no vocabulary for tokens that are no bytes, or one with more tokens than the model.
        TypeError: something else than a vocabulary or a tokenizer.
    """
    if vocabulary is None:
        if not BYTES <= size <= MOST_BYTE_TOKENS:
            raise NotAdaptable(
                f"{kind} knows {size:,} tokens, which are no bytes: give its tokenizer, or for a model of characters "
                "Characters of routescope.nn.adapters.vocabulary"
            )
        return ByteVocabulary(size)
    if not isinstance(vocabulary, TokenVocabulary):
        return Tokenised(vocabulary, size, _own_start(vocabulary) if start is None else start)
    if vocabulary.size > size:
        raise NotAdaptable(f"the vocabulary has {vocabulary.size:,} tokens, and {kind} knows {size:,}")
    return vocabulary


def _own_start(tokenizer: AnyTokenizer) -> int | None:
    """The token that starts a text by a tokenizer of transformers, or else the token that ends texts."""
    from tokenizers import Tokenizer

    if isinstance(tokenizer, str | Path | Tokenizer):
        return None
    begins, ends = tokenizer.bos_token_id, tokenizer.eos_token_id
    return ends if begins is None else begins
