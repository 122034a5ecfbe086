"""Circuits that sentences design: signatures, codes and link probabilities of a conditional circuit, compared.

A conditional Neural Attentive Circuit generates its circuit from a sentence (section 4.4 and Appendix G of the paper):
a signature s_i and a code c_i for each module, and from the signatures P_ij (Equation 2).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
import torch
import xarray as xr
from jaxtyping import Bool, Float, Float32, Int64

from routescope.nn.network import DesignedNetwork, Network
from routescope.routing.files import load_dataset, save_dataset
from routescope.routing.graphs.layout import layout, parted
from routescope.routing.progress import PieceRunner, Progress, at_once, in_turns

BATCH = 64
#: A link is drawn where it is likelier than this (paper, section 4.4).
THRESHOLD = 0.5
#: A word, or a part of one, and whether the text encoder knows it.
Piece = tuple[str, bool]


class DesignError(ValueError):
    """Sentences or a model that give no designs; the message says what would be accepted."""


@dataclass(frozen=True, eq=False)
class SentenceDesign:
    """Circuit that one sentence designs.

    Attributes:
        P: link probabilities, symmetric, 1 on the diagonal.
        signatures, codes: s_i and c_i of each module; codes are None where they were not kept.
        text: the text encoder's own embedding of the sentence.
        pieces: the words as the text encoder takes them.
        text_attention: weight of each piece in the query of each module; None where it was not kept. Each row sums to
            less than 1: the text encoder's own start, and its end if it has one, are no pieces.
    """

    sentence: str
    P: Float32[np.ndarray, "module module"]
    signatures: Float32[np.ndarray, "module d_sig"]
    codes: Float32[np.ndarray, "module d_code"] | None
    text: Float32[np.ndarray, " text_feature"]
    pieces: tuple[Piece, ...]
    text_attention: Float32[np.ndarray, "module piece"] | None = None


@dataclass(frozen=True, eq=False)
class Designs:
    """Circuits that some sentences design.

    Attributes:
        table: a row for each sentence, with ``text`` and further columns (kind, object, ...).
        units: names of the modules that take part.
        lower: P_ij of each pair i > j, row by row: the lower triangle without its diagonal.
        signatures: s_i of each module.
        codes: c_i of each module; None where they were not kept.
        text: the text encoder's own, pooled embeddings.
        pieces: of each sentence, the words as the text encoder takes them.
        attrs: model and revision.
        text_attention: of each sentence, (module, piece), as in ``SentenceDesign``; None where it was not kept. Files
            have none.
    """

    table: pd.DataFrame
    units: tuple[str, ...]
    lower: Float32[np.ndarray, "sentence pair"]
    signatures: Float32[np.ndarray, "sentence module d_sig"]
    codes: Float32[np.ndarray, "sentence module d_code"] | None
    text: Float32[np.ndarray, "sentence text_feature"]
    pieces: tuple[tuple[Piece, ...], ...]
    attrs: dict[str, str]
    text_attention: tuple[Float32[np.ndarray, "module piece"], ...] | None = None

    def __len__(self) -> int:
        return len(self.table)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences, in their order."""
        return tuple(self.table["text"])

    @property
    def P(self) -> Float32[np.ndarray, "sentence module module"]:
        """Link probabilities, whole: made from ``lower`` with every use."""
        return from_lower(self.lower, len(self.units))

    @property
    def unknown(self) -> Bool[np.ndarray, " sentence"]:
        """Whether a sentence has a word, no punctuation, that the text encoder does not know."""
        return np.array([not all(is_known for _, is_known in pieces) for pieces in self.pieces], dtype=bool)

    def __getitem__(self, index: int) -> SentenceDesign:
        """The design of one sentence."""
        return SentenceDesign(
            sentence=str(self.table["text"].iloc[index]),
            P=from_lower(self.lower[index], len(self.units)),
            signatures=self.signatures[index],
            codes=None if self.codes is None else self.codes[index],
            text=self.text[index],
            pieces=self.pieces[index],
            text_attention=None if self.text_attention is None else self.text_attention[index],
        )

    def __iter__(self) -> Iterator[SentenceDesign]:
        return (self[index] for index in range(len(self)))

    def take(self, rows: Any) -> Self:
        """Return the sentences at ``rows`` (positions, a mask or a slice)."""
        rows = np.arange(len(self))[rows]
        return replace(
            self,
            table=self.table.iloc[rows].reset_index(drop=True),
            lower=self.lower[rows],
            signatures=self.signatures[rows],
            codes=None if self.codes is None else self.codes[rows],
            text=self.text[rows],
            pieces=tuple(self.pieces[row] for row in rows),
            text_attention=None if self.text_attention is None else tuple(self.text_attention[row] for row in rows),
        )

    def save(self, path: str | Path) -> Path:
        """Write one NetCDF file, which appears whole or not at all."""
        arrays: dict[str, Any] = {
            "lower": (("sentence", "pair"), self.lower),
            "signatures": (("sentence", "module", "signature_feature"), self.signatures),
            "text": (("sentence", "text_feature"), self.text),
            "rows": (("sentence",), [json.dumps(row) for row in self.table.to_dict("records")]),
            "pieces": (("sentence",), [json.dumps(sentence_pieces) for sentence_pieces in self.pieces]),
            "units": (("module",), list(self.units)),
        }
        if self.codes is not None:
            arrays["codes"] = (("sentence", "module", "code_feature"), self.codes)
        return save_dataset(xr.Dataset(arrays, attrs=self.attrs), path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of ``save``."""
        stored = load_dataset(path)
        return cls(
            table=pd.DataFrame([json.loads(row) for row in stored["rows"].values]),
            units=tuple(str(unit) for unit in stored["units"].values),
            lower=stored["lower"].values,
            signatures=stored["signatures"].values,
            codes=stored["codes"].values if "codes" in stored else None,
            text=stored["text"].values,
            pieces=tuple(
                tuple((text, bool(is_known)) for text, is_known in json.loads(row)) for row in stored["pieces"].values
            ),
            attrs={name: str(value) for name, value in stored.attrs.items()},
        )


def from_lower(lower: Float32[np.ndarray, "*S pair"], units: int) -> Float32[np.ndarray, "*S module module"]:
    """Return symmetric matrices (..., module, module) with 1 on the diagonal, from their lower triangles."""
    P = np.empty((*lower.shape[:-1], units, units), dtype=np.float32)
    rows, columns = np.tril_indices(units, -1)
    P[..., rows, columns] = P[..., columns, rows] = lower
    P[..., range(units), range(units)] = 1
    return P


def designs_of(
    model: Network,
    sentences: Sequence[str] | pd.DataFrame,
    *,
    codes: bool = True,
    text_attention: bool = False,
    batch: int = BATCH,
    progress: Progress | None = None,
    turn: PieceRunner = at_once,
) -> Designs:
    """Return the circuits that some sentences design.

    Every sentence is computed once, in an order that does not depend on the given one: the same sentences have the same
    designs, bit by bit, in whatever order and however often they are named.

    Args:
        model: a network that is designed by sentences, or a view of one.
        sentences: texts, or a table with a column ``text``, whose other columns are kept.
        codes: keep the codes, which maps do not need and which are large.
        text_attention: keep to which pieces the generator attended for each module.
        batch: sentences that are computed at once.
        progress: called with (sentences done, sentences in all, what is done) before the first and after each batch; an
            exception that it raises cancels.
        turn: runs each batch.

    Raises:
        DesignError: no sentence, an empty one, or a model that designs no circuits.
    """
    if not isinstance(model, DesignedNetwork):
        raise DesignError("this model designs no circuits from sentences; a conditional Neural Attentive Circuit does")
    table = sentences if isinstance(sentences, pd.DataFrame) else pd.DataFrame({"text": list(sentences)})
    texts = [str(text) for text in table["text"]]
    if not texts or not all(text.strip() for text in texts):
        raise DesignError("give at least one sentence, and no empty one")
    report = progress or (lambda done, total, what: None)
    different = sorted(set(texts), key=lambda text: (len(text), text))  # short beside short: little is padded
    units = [model.all_units.index(unit) for unit in model.units]
    rows, columns = np.tril_indices(len(units), -1)
    parts: dict[str, list[np.ndarray]] = {"lower": [], "signatures": [], "codes": [], "text": []}
    pieces = [tuple((str(piece), bool(is_known)) for piece, is_known in model.text.pieces(text)) for text in different]
    attention: list[np.ndarray] = []

    def design(start: int) -> int:
        some = tuple(different[start : start + batch])
        with torch.inference_mode():
            made = model.design(some)
            parts["lower"].append(model.link_probability(made)[:, rows, columns].float().cpu().numpy())
            parts["signatures"].append(made.signatures[:, units].float().cpu().numpy())
            if codes:
                parts["codes"].append(made.codes[:, units].float().cpu().numpy())
            if text_attention:
                weights = made.text_attention[:, units].float().cpu().numpy()
                # The encoder's own start comes before the pieces; its end, if it has one, and padding after them.
                attention.extend(
                    sample[:, 1 : 1 + len(pieces[start + at])].astype(np.float32) for at, sample in enumerate(weights)
                )
            parts["text"].append(model.text.pooled(some).float().cpu().numpy())
        return start + len(some)

    report(0, len(different), "designing circuits")
    for done in in_turns(map(design, range(0, len(different), batch)), turn):
        report(done, len(different), "designing circuits")
    position = {text: index for index, text in enumerate(different)}
    order = np.array([position[text] for text in texts])
    whole = {name: np.concatenate(arrays)[order] for name, arrays in parts.items() if arrays}
    return Designs(
        table=table.reset_index(drop=True),
        units=tuple(model.units),
        lower=whole["lower"],
        signatures=whole["signatures"],
        codes=whole.get("codes"),
        text=whole["text"],
        pieces=tuple(pieces[index] for index in order),
        attrs={"model": model.id, "revision": model.revision},
        text_attention=tuple(attention[index] for index in order) if text_attention else None,
    )


@dataclass(frozen=True, eq=False)
class DesignComparison:
    """Differences of a second circuit from a first one of the same modules.

    Attributes:
        gained: pairs i < j with a link (P_ij above the threshold) in the second alone; by i, then j.
        lost: with one in the first alone.
        mean_change: mean |P_ij' - P_ij| over pairs.
        correlation: Pearson's, of the two lower triangles; 1 for equal ones, NaN where just one of them is constant.
        module_change: for each module, mean |P_ij' - P_ij| over the other modules j.
        code_change: for each module, 1 - cos(c_i', c_i), from 0 to 2; None where codes were not kept.
    """

    gained: Int64[np.ndarray, "edge 2"]
    lost: Int64[np.ndarray, "edge 2"]
    mean_change: float
    correlation: float
    module_change: Float[np.ndarray, " module"]
    code_change: Float[np.ndarray, " module"] | None


def compare(first: SentenceDesign, other: SentenceDesign, threshold: float = THRESHOLD) -> DesignComparison:
    """Return the changes from the first circuit to the other; raises DesignError for other numbers of modules."""
    if first.P.shape != other.P.shape:
        raise DesignError(
            f"circuits of the same modules can be compared; here one has {len(first.P)}, one {len(other.P)}"
        )
    rows, columns = np.triu_indices(len(first.P), 1)
    before, after = (design.P[rows, columns].astype(np.float64) for design in (first, other))
    pairs = np.stack([rows, columns], axis=1).astype(np.int64)
    change = np.abs(other.P.astype(np.float64) - first.P)
    return DesignComparison(
        gained=pairs[(after > threshold) & ~(before > threshold)],
        lost=pairs[(before > threshold) & ~(after > threshold)],
        mean_change=float(np.abs(after - before).mean()) if len(pairs) else 0.0,
        correlation=_correlation(before, after),
        module_change=change.sum(axis=1) / max(len(change) - 1, 1),
        code_change=None if first.codes is None or other.codes is None else _turned(first.codes, other.codes),
    )


def _correlation(before: np.ndarray, after: np.ndarray) -> float:
    if np.array_equal(before, after):
        return 1.0
    a, b = before - before.mean(), after - after.mean()
    lengths = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip(a @ b / lengths, -1, 1)) if lengths > 0 else float("nan")


def _turned(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return 1 - cosine, row by row; exactly 0 for equal rows."""
    a, b = (vectors.astype(np.float64) for vectors in (before, after))
    cosine = (a * b).sum(axis=1) / np.maximum(np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1), 1e-12)
    return np.where((a == b).all(axis=1), 0.0, np.clip(1 - cosine, 0, 2))


def shared_layout(designs: Designs, seed: int = 0) -> Float[np.ndarray, "module 2"]:
    """Return one position for each module, for the circuits of all these sentences: see ``layout.layout``.

    Modules attract each other by the mean over sentences of cos(s_i, s_j), without the part that all modules share:
    circuits without a sparse prior are dense, and the differences of their modules would be lost in one heap. Modules
    on top of each other are pushed apart. Neither the order of the sentences nor their repeats change the positions.
    """
    first = np.unique(np.array(designs.sentences, dtype=np.str_), return_index=True)[1]
    mean = np.zeros((len(designs.units), len(designs.units)))
    for index in first:
        s = designs.signatures[index].astype(np.float64)
        s /= np.maximum(np.linalg.norm(s, axis=1, keepdims=True), 1e-12)
        mean += s @ s.T
    values, axes = np.linalg.eigh(mean / len(first))
    vectors = axes * np.sqrt(np.maximum(values, 0))  # with just these cosines
    return parted(layout(vectors - vectors.mean(axis=0), seed), seed)
