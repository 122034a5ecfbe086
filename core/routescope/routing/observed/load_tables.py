"""Observed load of experts as tables, with the columns of the page's files."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from routescope.nn.experts import RoutedLayer
from routescope.routing.observed.load import Load

#: Name of a table -> its columns.
COLUMNS = {
    "load": ("layer", "expert", "load", "weight"),
    "balance": (
        "layer", "experts", "effective", "most_over_mean", "dead", "token_entropy", "specialisation", "shuffled",
        "shuffled_high", "by_token", "tokens_shuffled", "tokens_shuffled_high", "tokens_of_texts_shuffled",
        "tokens_of_texts_shuffled_high",
    ),
    "domains": ("layer", "expert", "data", "share", "shuffled_low", "shuffled_high"),
    "tokens": ("layer", "expert", "token", "share", "shuffled_low", "shuffled_high"),
    "together": ("layer", "expert", "other", "over_independence"),
    "alike": ("layer", "expert", "other", "alike"),
    "written": ("layer", "expert", "other", "cosine", "low", "high", "tokens"),
    "exemplars": ("expert", "weight", "set", "sample", "token"),
}  # fmt: skip
#: Tables with a matrix for each layer: rows, columns and values.
MATRICES = {
    "domains": ("expert", "data", "share"),
    "tokens": ("expert", "token", "share"),
    "together": ("expert", "other", "over_independence"),
    "alike": ("expert", "other", "alike"),
    "written": ("expert", "other", "cosine"),
}

Row = tuple[Any, ...]


def table(load: Load, name: str) -> pd.DataFrame:
    """Return one table of all layers, NaN for no number; raises ValueError for names outside ``COLUMNS``."""
    if name not in COLUMNS:
        raise ValueError(f"there is no table {name!r}; there are {', '.join(COLUMNS)}")
    return pd.DataFrame(list(_rows(load, name)), columns=list(COLUMNS[name]))


def _rows(load: Load, name: str) -> Iterator[Row]:
    if name == "exemplars":
        yield from (
            (exemplar.unit, exemplar.weight, exemplar.set, exemplar.sample, exemplar.token)
            for exemplar in load.exemplars
        )
        return
    for at, layer in enumerate(load.layers):
        if name == "load":
            mean = load.weight[at] / max(1, load.tokens)
            yield from zip([layer.name] * layer.experts, layer.units, load.load[at], mean, strict=False)
        elif name == "balance":
            yield _balance(load, at, layer)
        elif name == "domains":
            yield from _shares(layer, load.domains, load.of_domain[at], load.low[at], load.high[at])
        elif name == "tokens":
            if (kinds := load.by_token) is not None:
                yield from _shares(layer, kinds.kinds, kinds.share[at], kinds.low[at], kinds.high[at])
        else:
            yield from _pairs(layer, *_matrices(load, at, name))


def _balance(load: Load, at: int, layer: RoutedLayer) -> Row:
    kinds, nothing = load.by_token, (np.nan,) * 5
    even = load.effective[at], load.load[at].max() * layer.experts, len(load.dead[at]), load.token_entropy[at]
    by_set = load.specialised[at], load.null[at], load.null_high[at]
    if kinds is None:
        return layer.name, layer.experts, *even, *by_set, *nothing
    by_token = kinds.specialised[at], kinds.null[at], kinds.null_high[at], kinds.within[at], kinds.within_high[at]
    return layer.name, layer.experts, *even, *by_set, *by_token


def _shares(layer: RoutedLayer, names: Sequence[str], *shares: Float[np.ndarray, "E names"]) -> Iterator[Row]:
    for e, unit in enumerate(layer.units):
        for n, name in enumerate(names):
            yield layer.name, unit, name, *(share[e, n] for share in shares)


def _matrices(load: Load, at: int, name: str) -> list[Float[np.ndarray, "E E"]]:
    """Return the numbers of every two experts of a layer; none where pairs were not compared."""
    kinds, written = load.by_token, load.written
    of: dict[str, tuple[np.ndarray | None, ...]] = {
        "together": (load.lift,),
        "alike": (None if kinds is None else kinds.alike,),
        "written": () if written is None else (written.cosine, written.low, written.high, written.tokens),
    }
    return [every[at] for every in of[name] if every is not None]


def _pairs(layer: RoutedLayer, *matrices: Float[np.ndarray, "E E"]) -> Iterator[Row]:
    if not matrices:
        return
    for e, unit in enumerate(layer.units):
        for f, other in enumerate(layer.units):
            yield layer.name, unit, other, *(matrix[e, f] for matrix in matrices)
