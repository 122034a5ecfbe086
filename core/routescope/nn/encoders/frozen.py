"""Frozen encoders of text and of pictures (Appendix G): CLIP-base, and MiniLM for text.

*Neural Attentive Circuits* (Rahaman, Weiss et al., NeurIPS 2022), Section 4.4 and Appendix G: text features are those
before pooling, one vector a token. Where the paper is silent:

* Pictures give the patches of the last layer of CLIP's vision tower, without its class token: every token then has a
  place in a picture, and what the class token knows of the whole is in the patches' own attention.
* Pictures are brought to CLIP's side as they are, not cropped, so that nothing at their edges is lost.
* The text encoder's own view of a sentence is CLIP's pooled output, before its projection; MiniLM's is the mean over
  its pieces, at length 1, as its makers use it.

Their weights get no gradients and are in no checkpoint: a config keeps their fingerprint.
"""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Float32
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.frozen_weights import Frozen, FrozenWeightsError, frozen
from routescope.nn.encoders.text import TextEncoder, is_punctuation

#: What CLIP's pictures are normalised with unless its folder says otherwise.
CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD = (0.26862954, 0.26130258, 0.27577711)
#: Features of sentences that are kept (bytes), since frozen weights give the same ones again, and how many run at once.
MOST_BYTES = 256 << 20
SENTENCES_AT_ONCE = 128
#: The start, one piece, and the end.
FEWEST_PIECES = 3


def _latest(features: dict[str, tuple[Tensor, Tensor]]) -> dict[str, tuple[Tensor, Tensor]]:
    """The features used last, up to ``MOST_BYTES``."""
    room, first = MOST_BYTES, len(features)
    for pieces, pooled in reversed(features.values()):
        room -= pieces.nbytes + pooled.nbytes
        if room < 0:
            break
        first -= 1
    return dict(islice(features.items(), first, None))


def _parted(rows: Float32[np.ndarray, "row d"]) -> tuple[Tensor, Tensor]:
    """Pieces and pooled vector of a sentence, from the rows in which they are kept."""
    read = torch.from_numpy(np.array(rows))
    return read[:-1], read[-1]


class FrozenTextEncoder(TextEncoder):
    """A sentence through a pretrained network: one vector for each of its pieces, its start and its end included."""

    here: Tensor

    def __init__(self, weights: Frozen, most_pieces: int) -> None:
        super().__init__()
        sizes = weights.pretrained.config
        sizes = sizes.text_config if weights.kind == "clip" else sizes
        if most_pieces < FEWEST_PIECES:
            raise ValueError(f"most_pieces must be at least {FEWEST_PIECES} (start, a piece, end), not {most_pieces}")
        self.weights = weights
        self.features = int(sizes.hidden_size)
        self.most = min(most_pieces, int(sizes.max_position_embeddings))
        self.register_buffer("here", torch.zeros(()), persistent=False)  # follows the network to devices and formats
        self._kept: dict[str, tuple[Tensor, Tensor]] = {}

    def pieces(self, sentence: str) -> list[tuple[str, bool]]:
        """Pieces of words in lower case, "##" before those that go on with a word; known unless they stand for any."""
        encoded = self._tokenize([sentence], padding=False)[0]
        pieces, before = [], None
        for at in range(1, len(encoded.ids) - 1):
            first, last = encoded.offsets[at]
            word = encoded.word_ids[at]
            named = sentence[first:last].strip().lower()
            is_known = encoded.ids[at] != self.weights.tokenizer.unk_token_id or is_punctuation(named)
            pieces.append((("##" if word == before else "") + named, is_known))
            before = word
        return pieces

    def count(self, sentence: str) -> int:
        """Pieces of a whole sentence, its start and its end included."""
        return len(self.weights.tokenizer([sentence], truncation=False, padding=False, verbose=False).input_ids[0])

    def forward(self, sentences: Sequence[str]) -> tuple[Float[Tensor, "S T d"], Bool[Tensor, "S T"]]:
        """Features before pooling, of the start, the pieces and the end; what exceeds ``most_pieces`` is cut off."""
        rows = [pieces for pieces, _ in self._features(sentences)]
        if not rows:
            return self.here.new_zeros(0, 1, self.features), self.here.new_zeros(0, 1, dtype=torch.bool)
        is_piece = pad_sequence([torch.ones(len(pieces), dtype=torch.bool) for pieces in rows], batch_first=True)
        return pad_sequence(rows, batch_first=True).to(self.here), is_piece.to(self.here.device)

    def pooled(self, sentences: Sequence[str]) -> Float[Tensor, "S d"]:
        """CLIP's pooled output; for MiniLM the mean over the pieces, at length 1."""
        rows = [pooled for _, pooled in self._features(sentences)]
        return torch.stack(rows).to(self.here) if rows else self.here.new_zeros(0, self.features)

    def _tokenize(self, sentences: Sequence[str], *, padding: bool) -> Any:
        options = {"truncation": True, "max_length": self.most, "add_special_tokens": True}
        return self.weights.tokenizer(list(sentences), padding=padding, **options).encodings

    def _features(self, sentences: Sequence[str]) -> list[tuple[Float[Tensor, "T d"], Float[Tensor, " d"]]]:
        """Return the pieces and the pooled vector of each sentence, on the CPU; each is computed once."""
        kept = self._kept  # others may put another one in its place meanwhile
        stored = self.weights.sentences.get(self.most, {})
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in kept and sentence not in stored]
        made: dict[str, tuple[Tensor, Tensor]] = {}
        for start in range(0, len(new), SENTENCES_AT_ONCE):
            some = new[start : start + SENTENCES_AT_ONCE]
            made.update(zip(some, self._computed(some), strict=True))
        read = {sentence: _parted(stored[sentence]) for sentence in sentences if sentence in stored}
        computed = kept | made
        asked = {sentence: computed[sentence] for sentence in sentences if sentence not in read}
        self._kept = _latest({**{old: kept[old] for old in kept if old not in asked}, **asked})
        return [read[sentence] if sentence in read else asked[sentence] for sentence in sentences]

    def lengths(self, sentences: Sequence[str]) -> list[int]:
        """Numbers of pieces that are read of each sentence, its start and its end included."""
        return [len(encoding.ids) for encoding in self._tokenize(sentences, padding=False)]

    def rows(self, sentences: Sequence[str]) -> Float32[np.ndarray, "row d"]:
        """Newly computed features of sentences: of each a row for every piece, then a row for the whole sentence."""
        rows = [row for pieces, pooled in self._computed(sentences) for row in (pieces, pooled[None])]
        return torch.cat(rows).float().numpy()

    def _computed(self, sentences: Sequence[str]) -> list[tuple[Tensor, Tensor]]:
        device = self.here.device
        model = self.weights.on(device)
        # outside inference mode, since tensors made in it could take no part in training later
        with torch.inference_mode(False), torch.no_grad(), torch.autocast(device.type, enabled=False):
            encodings = self._tokenize(sentences, padding=True)
            ids = torch.tensor([encoding.ids for encoding in encodings], device=device)
            is_piece = torch.tensor([encoding.attention_mask for encoding in encodings], device=device)
            if self.weights.kind == "clip":
                output = model.text_model(input_ids=ids, attention_mask=is_piece)
                x, pooled = output.last_hidden_state, output.pooler_output
            else:
                x = model(input_ids=ids, attention_mask=is_piece).last_hidden_state
                shares = is_piece[..., None].to(x.dtype)
                pooled = F.normalize((x * shares).sum(dim=1) / shares.sum(dim=1), dim=-1)
            rows = zip(x.cpu(), pooled.cpu(), is_piece.sum(dim=1).tolist(), strict=True)
            return [(pieces[:count].clone(), whole.clone()) for pieces, whole, count in rows]


class FrozenImageEncoder(nn.Module):
    """Pictures through CLIP's vision tower: the vectors of its patches, row by row, without the class token.

    Attributes:
        features: of a patch.
        grid: rows and columns of patches.
    """

    here: Tensor
    mean: Tensor
    std: Tensor

    def __init__(self, weights: Frozen) -> None:
        super().__init__()
        sizes = weights.pretrained.config.vision_config
        self.weights = weights
        self.features, self.side = int(sizes.hidden_size), int(sizes.image_size)
        self.grid = (self.side // int(sizes.patch_size),) * 2
        mean, std = normalisation(weights.folder)
        self.register_buffer("here", torch.zeros(()), persistent=False)
        self.register_buffer("mean", torch.tensor(mean)[:, None, None], persistent=False)
        self.register_buffer("std", torch.tensor(std)[:, None, None], persistent=False)

    def seen(self, images: Float[Tensor, "N 3 h w"]) -> Float[Tensor, "N 3 s s"]:
        """Pictures in [0, 1] as CLIP takes them: of its side, and normalised as in its training."""
        x = images.float()
        if tuple(x.shape[-2:]) != (self.side, self.side):
            x = F.interpolate(x, (self.side, self.side), mode="bicubic", antialias=True).clamp(0, 1)
        return (x - self.mean.float()) / self.std.float()

    @torch.no_grad()
    def forward(self, images: Float[Tensor, "N 3 h w"]) -> Float[Tensor, "N V d"]:
        """The patches' vectors after the last layer, in 32 bits whatever a training computes in, as sentences' are."""
        if not len(images):
            return self.here.new_zeros(0, self.grid[0] * self.grid[1], self.features)
        with torch.autocast(images.device.type, enabled=False):
            output = self.weights.on(images.device).vision_model(pixel_values=self.seen(images))
        patches: Tensor = output.last_hidden_state[:, 1:]
        return patches.to(self.here.dtype)


def normalisation(folder: Path) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and standard deviation of the channels that a CLIP was trained with: its folder's, or the usual ones."""
    path = folder / "preprocessor_config.json"
    if not path.is_file():
        return CLIP_MEAN, CLIP_STD
    settings = json.loads(path.read_text())
    return tuple(settings.get("image_mean", CLIP_MEAN)), tuple(settings.get("image_std", CLIP_STD))


def frozen_text_encoder(config: ConditionalCircuitConfig, folder: str | Path | None = None) -> FrozenTextEncoder:
    """Return the frozen text encoder of a config; raises FrozenWeightsError for missing or unreadable weights."""
    assert config.text != "words"
    return FrozenTextEncoder(frozen(config.text, folder), config.most_pieces)


def frozen_image_encoder(config: ConditionalCircuitConfig, folder: str | Path | None = None) -> FrozenImageEncoder:
    """CLIP's patches, for a config whose pictures are of CLIP's side and patches.

    Raises:
        FrozenWeightsError: its weights are not there or cannot be read, or cut pictures otherwise than the config says.
        ValueError: pictures of another number of channels than three.
    """
    encoder = FrozenImageEncoder(frozen("clip", folder))
    if encoder.grid != config.grid or encoder.side != config.image_size:
        patch = encoder.side // encoder.grid[0]
        raise FrozenWeightsError(
            f"the CLIP in {encoder.weights.folder} reads pictures of {encoder.side} pixels in patches of {patch}: set "
            f"image_size to {encoder.side} and patch_size to {patch}, not {config.image_size} and {config.patch_size}"
        )
    if config.image_channels != 3:
        raise ValueError(f"CLIP reads pictures of 3 channels, not {config.image_channels}")
    return encoder
