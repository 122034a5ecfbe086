"""Text encoders of conditional circuits: from sentences to one vector a piece, and one for the whole sentence.

Every encoder is a ``TextEncoder``; nobody else knows how a sentence becomes pieces. Words are trained along with the
network and need nothing else; CLIP and MiniLM are frozen and come from a folder or a package.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

if TYPE_CHECKING:
    from core.nn.conditional_circuit_config import ConditionalCircuitConfig

PADDING, START, UNKNOWN = "[PAD]", "[START]", "[UNK]"
#: What words that training did not see are spelled with; everything else is one unknown piece.
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"()-/&%"


class TextEncoder(nn.Module):
    """From sentences to vectors.

    Attributes:
        features: of the vector of every piece.
    """

    features: int

    def pieces(self, sentence: str) -> list[tuple[str, bool]]:
        """The pieces that a sentence is read as, in order, and whether training saw the word that each belongs to."""
        raise NotImplementedError

    def forward(self, sentences: Sequence[str]) -> tuple[Float[Tensor, "S T d"], Bool[Tensor, "S T"]]:
        """A vector for each piece of each sentence, and which pieces are no padding."""
        raise NotImplementedError

    def pooled(self, sentences: Sequence[str]) -> Float[Tensor, "S d"]:
        """One vector a sentence, the encoder's own view of it: the mean over its pieces unless it has another."""
        x, there = self(sentences)
        weights = there.to(x.dtype)[..., None]
        return (x * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


@lru_cache(maxsize=16)
def _word_pieces(words: tuple[str, ...]) -> Any:
    """Known words whole; others as their longest known beginnings, and then in characters."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    listed = [PADDING, START, UNKNOWN, *words, *CHARACTERS, *(f"##{c}" for c in CHARACTERS)]
    vocabulary = {piece: at for at, piece in enumerate(dict.fromkeys(listed))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=64))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def vocabulary_size(words: tuple[str, ...]) -> int:
    """Pieces that there are for so many known words."""
    return int(_word_pieces(words).get_vocab_size())


class WordEncoder(TextEncoder):
    """Words, trained along: embeddings beside learned positions, then layers of a Transformer."""

    def __init__(self, config: "ConditionalCircuitConfig") -> None:
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
        self._ids: dict[str, list[int]] = {}

    def pieces(self, sentence: str) -> list[tuple[str, bool]]:
        """Words in lower case; those of an unknown word are its spelling."""
        encoded = _word_pieces(self.words).encode(sentence)
        split: dict[int | None, int] = {}
        for word in encoded.word_ids:
            split[word] = split.get(word, 0) + 1
        found = [
            (piece, split[word] == 1 and piece in self._known)
            for piece, word in zip(encoded.tokens, encoded.word_ids, strict=True)
        ]
        return found[: self.most - 1]

    def ids(self, sentence: str) -> list[int]:
        """Numbers of the pieces, a start first; what exceeds ``most_pieces`` is cut off."""
        found = self._ids.get(sentence)
        if found is None:
            tokenizer = _word_pieces(self.words)
            found = [tokenizer.token_to_id(START), *tokenizer.encode(sentence).ids][: self.most]
            if len(self._ids) >= 50_000:
                self._ids.clear()
            self._ids[sentence] = found
        return found

    def forward(self, sentences: Sequence[str]) -> tuple[Float[Tensor, "S T d"], Bool[Tensor, "S T"]]:
        """A vector for each piece in the context of its sentence, the start's first."""
        rows = [self.ids(sentence) for sentence in sentences]
        longest, device = max(map(len, rows), default=1), self.positions.device
        ids = torch.zeros(len(rows), longest, dtype=torch.long)
        there = torch.zeros(len(rows), longest, dtype=torch.bool)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = torch.tensor(row)
            there[at, : len(row)] = True
        ids, there = ids.to(device), there.to(device)
        x = self.embed(ids) + self.positions[:longest]
        if not rows:  # an attention of torch cannot do without any
            return x, there
        return self.layers(x, src_key_padding_mask=~there), there


def text_encoder(config: "ConditionalCircuitConfig") -> TextEncoder:
    """The encoder that a config names."""
    if config.text == "words":
        return WordEncoder(config)
    from core.nn.frozen_encoders import frozen_text_encoder

    return frozen_text_encoder(config)
