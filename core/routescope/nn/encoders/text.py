"""Text encoders of conditional circuits: from sentences to one vector a piece, and one for the whole sentence.

Every encoder is a ``TextEncoder``; nobody else knows how a sentence becomes pieces. Words are trained along with the
network and need nothing else; CLIP and MiniLM are frozen and come from a folder or a package.
"""

import unicodedata
from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from routescope.assets import require
from routescope.nn.circuit_config import ConditionalCircuitConfig

PADDING, START, UNKNOWN = "[PAD]", "[START]", "[UNK]"
#: What words that training did not see are spelled with; everything else is one unknown piece.
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"()-/&%"
#: Sentences whose pieces are kept.
MOST_KEPT = 4096


class TextEncoder(nn.Module):
    """From sentences to vectors.

    Attributes:
        features: of the vector of every piece.
        most: pieces of a sentence that are read, a start and an end included; what exceeds them is cut off.
    """

    features: int
    most: int

    @abstractmethod
    def pieces(self, sentence: str) -> list[tuple[str, bool]]:
        """The pieces that a sentence is read as, in order, and whether training saw the word that each belongs to.

        A piece that stands for any unknown word is named in the sentence's own characters; punctuation is no word, and
        counts as known.
        """

    @abstractmethod
    def count(self, sentence: str) -> int:
        """Pieces of a whole sentence, a start and an end included: where there are more than ``most``, it is cut."""

    @abstractmethod
    def forward(self, sentences: Sequence[str]) -> tuple[Float[Tensor, "S T d"], Bool[Tensor, "S T"]]:
        """A vector for each piece of each sentence, and which pieces are no padding."""

    def pooled(self, sentences: Sequence[str]) -> Float[Tensor, "S d"]:
        """Return one vector for each sentence: the mean over its pieces, unless the encoder has another."""
        x, is_piece = self(sentences)
        weights = is_piece.to(x.dtype)[..., None]
        return (x * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


def is_punctuation(piece: str) -> bool:
    """Whether a piece is of marks alone, such as a full stop (Unicode's categories P)."""
    return bool(piece) and all(unicodedata.category(character).startswith("P") for character in piece)


def _vocabulary(words: tuple[str, ...]) -> dict[str, int]:
    """Return the pieces that words are read as, and their ids."""
    listed = [PADDING, START, UNKNOWN, *words, *CHARACTERS, *(f"##{c}" for c in CHARACTERS)]
    return {piece: at for at, piece in enumerate(dict.fromkeys(listed))}


@lru_cache(maxsize=16)
def _word_pieces(words: tuple[str, ...]) -> Any:
    """Known words whole; others as their longest known beginnings, and then in characters."""
    require("tokenizers")
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.WordPiece(_vocabulary(words), unk_token=UNKNOWN, max_input_chars_per_word=64))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def vocabulary_size(words: tuple[str, ...]) -> int:
    """Return the number of pieces that these words are read as."""
    return len(_vocabulary(words))


@lru_cache(maxsize=MOST_KEPT)
def _ids(words: tuple[str, ...], most: int, sentence: str) -> list[int]:
    tokenizer = _word_pieces(words)
    return [tokenizer.token_to_id(START), *tokenizer.encode(sentence).ids][:most]


class WordEncoder(TextEncoder):
    """Words, trained along: embeddings beside learned positions, then layers of a Transformer."""

    def __init__(self, config: ConditionalCircuitConfig) -> None:
        super().__init__()
        self.words, self.most = config.words, config.most_pieces
        self.features = config.text_features
        self.embed = nn.Embedding(vocabulary_size(config.words), self.features)
        self.positions = nn.Parameter(0.02 * torch.randn(config.most_pieces, self.features))
        layer = nn.TransformerEncoderLayer(
            self.features,
            config.text_heads,
            2 * self.features,
            dropout=0.0,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )
        self.layers = nn.TransformerEncoder(
            layer, config.text_layers, norm=nn.LayerNorm(self.features), enable_nested_tensor=False
        )
        self._known = frozenset(config.words)

    def pieces(self, sentence: str) -> list[tuple[str, bool]]:
        """Words in lower case; those of an unknown word are its spelling, or the word itself if it has none."""
        encoded = _word_pieces(self.words).encode(sentence)
        split: dict[int | None, int] = {}
        for word in encoded.word_ids:
            split[word] = split.get(word, 0) + 1
        pieces = []
        for piece, word, (first, last) in zip(encoded.tokens, encoded.word_ids, encoded.offsets, strict=True):
            is_known = split[word] == 1 and piece in self._known
            named = sentence[first:last].lower() if piece == UNKNOWN else piece
            pieces.append((named, is_known or is_punctuation(named)))
        return pieces[: self.most - 1]

    def count(self, sentence: str) -> int:
        """Pieces of a whole sentence, its start included: one a known word, and one a letter of most others."""
        return 1 + len(_word_pieces(self.words).encode(sentence).ids)

    def ids(self, sentence: str) -> list[int]:
        """Numbers of the pieces, a start first; what exceeds ``most_pieces`` is cut off."""
        return _ids(self.words, self.most, sentence)

    def forward(self, sentences: Sequence[str]) -> tuple[Float[Tensor, "S T d"], Bool[Tensor, "S T"]]:
        """A vector for each piece in the context of its sentence, the start's first."""
        rows = [self.ids(sentence) for sentence in sentences]
        longest, device = max(map(len, rows), default=1), self.positions.device
        ids = torch.zeros(len(rows), longest, dtype=torch.long)
        is_piece = torch.zeros(len(rows), longest, dtype=torch.bool)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = torch.tensor(row)
            is_piece[at, : len(row)] = True
        ids, is_piece = ids.to(device), is_piece.to(device)
        x = self.embed(ids) + self.positions[:longest]
        if not rows:  # an attention of torch cannot do without any
            return x, is_piece
        return self.layers(x, src_key_padding_mask=~is_piece), is_piece
