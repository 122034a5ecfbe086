"""Register data sets, list them and load their samples.

A data set registers itself beside the function that makes its samples::

    @dataset(DatasetInfo(name="circle", title="Symbols in a circle", splits={"validation": 40}, inputs="symbols"))
    def circle(request: SampleRequest) -> Samples: ...

The modules of ``routescope.data`` are found by themselves; another package names the module that registers its data
sets in the entry point group ``routescope.datasets``.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from routescope.data.samples import DataError, DatasetInfo, NoSplit, SampleRequest, Samples, check_limit
from routescope.nn.config import Config
from routescope.nn.registry import Discovery

ENTRY_POINTS = "routescope.datasets"
#: The order of lists: by kind of input, then by ``order``, then as registered.
KINDS = ("images", "statements", "blocks", "text", "numbers", "matrices", "points", "listops", "bytes")

Maker = Callable[[SampleRequest], Samples]


class Registered(NamedTuple):
    """A data set, its place among those of the same kind, and the function that makes its samples."""

    info: DatasetInfo
    order: int
    make: Maker


_registered: dict[str, Registered] = {}
_lock = threading.Lock()
_discover_bundled = Discovery({__package__: [str(Path(__file__).parent)]})
_discover_others = Discovery({}, ENTRY_POINTS)


def dataset(*infos: DatasetInfo, order: int = 0) -> Callable[[Maker], Maker]:
    """Decorate the function that makes the samples of one data set, or of several; a notebook's cell may run again.

    Args:
        infos: of the data sets; the function is told which one is asked for.
        order: place in lists among data sets of the same kind of input; equal ones stand as they were registered.

    Raises:
        ValueError: a name that another data set has.
    """

    def register(make: Maker) -> Maker:
        if not make.__module__.startswith(f"{__package__}."):
            _discover_bundled()
        with _lock:
            for info in infos:
                entry = Registered(info, order, make)
                other = _registered.setdefault(info.name, entry).make
                if (other.__module__, other.__qualname__) != (make.__module__, make.__qualname__):
                    raise ValueError(f"there is a data set {info.name!r} already")
                _registered[info.name] = entry
        return make

    return register


def unregister(name: str) -> None:
    """Remove a data set that was registered under a name."""
    with _lock:
        del _registered[name]


def known_datasets() -> dict[str, DatasetInfo]:
    """Return every data set by its name, in the order of lists."""
    _discover_bundled()
    _discover_others()
    with _lock:
        entries = list(_registered.values())

    def place(entry: Registered) -> tuple[int, int]:
        inputs = entry.info.inputs
        return KINDS.index(inputs) if inputs in KINDS else len(KINDS), entry.order

    return {entry.info.name: entry.info for entry in sorted(entries, key=place)}


def load(
    name: str,
    split: str = "validation",
    source: str | None = None,
    limit: int | None = None,
    *,
    exclude_shown: bool = True,
    classes: Sequence[str] = (),
    side: int | None = None,
    whole: bool = False,
) -> Samples:
    """Load one split of a data set into memory.

    Args:
        name: a name of ``known_datasets()``.
        split: ``train``, ``validation`` or ``test``, where the data set or the source has it.
        source: a folder of parquet files, one such file, or a name on the hub that holds the real data set; see the
            data set for others. None: the samples that need no internet.
        limit: only the first samples. Without a source, the first samples are balanced by class; ``street-digits`` and
            ``scenes``, which are generated, also give more than their usual size.
        exclude_shown: leave digits that pages show and score out of real training data.
        classes: names of the classes that a network was trained on, in the order of its labels. Pictures of a user get
            the labels of these names.
        side: of the pictures that a network takes, in pixels. Pictures of a user are brought to it.
        whole: take all pictures of a user's source without splits, instead of four fifths for training and one fifth
            for every other split.

    Returns:
        ``Samples`` of the subclass that the data set makes.

    Raises:
        DataError: an unknown name, a limit below 1, a source that cannot be read, other classes or another size of
            pictures than asked for; the message says what is accepted.
        NoSplit: the data set has no such split; it is a DataError.
    """
    known = known_datasets()
    if name not in known:
        raise DataError(f"there is no data set {name!r}; there are {in_words(known)}")
    info = known[name]
    if info.needs_source and source is None:
        raise DataError(f"{info.title} is read from where its user has it: give {name}=FOLDER")
    splits = tuple(info.splits) if source is None else ("train", "validation", "test")
    if split not in splits:
        raise NoSplit(f"{name} has no split {split!r}; there are {', '.join(splits)}")
    check_limit(limit)
    if source is not None and not info.reads_sources:
        raise DataError(f"{info.title}: samples are bundled or generated and read from nowhere; got {name}={source}")
    return _registered[name].make(
        SampleRequest(info, split, limit, source, tuple(classes), side, whole=whole, exclude_shown=exclude_shown)
    )


def options_for(config: Config, name: str) -> dict[str, Any]:
    """Return the options of ``load`` for a network of this config and one of its domains.

    Panels of matrices keep their size: networks bring them to their own.
    """
    info = known_datasets().get(name)
    side = None if info is not None and info.inputs == "matrices" else config.picture_side
    return {"classes": config.class_names, "side": side, "whole": name in config.held_out}


def parse_sources(options: Iterable[str]) -> dict[str, str]:
    """Return options ``mnist=SOURCE`` as a dict; raises DataError for unknown or double names, or no source."""
    sources: dict[str, str] = {}
    known = known_datasets()
    for option in options:
        name, separator, source = option.partition("=")
        name, source = name.strip(), source.strip()
        if not separator or name not in known or not source:
            raise DataError(f"{option!r} is not NAME=SOURCE with NAME one of {in_words(known)}")
        if name in sources:
            raise DataError(f"{name} is given two sources: {sources[name]} and {source}")
        sources[name] = source
    return sources


def in_words(names: Iterable[str]) -> str:
    """Return names of data sets for a message; numbered names that follow each other as "boolean-01 to boolean-30"."""
    words: list[str] = []
    for _, run in groupby(names, key=lambda name: name.rstrip("0123456789")):
        numbered = list(run)
        words += numbered if len(numbered) < 3 else [f"{numbered[0]} to {numbered[-1]}"]
    return ", ".join(words)


def with_same_inputs(datasets: Sequence[Samples]) -> tuple[tuple[int, ...], ...]:
    """Group the positions of data sets that hold the same inputs, so that one run of a network answers for a group.

    Data sets are in one group where ``DatasetInfo.inputs_of`` says so and the hashes of all samples agree, in order.
    """
    known = known_datasets()
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for position, samples in enumerate(datasets):
        info = known.get(samples.name)
        first = samples.name if info is None else info.inputs_of or info.name
        hashes = samples.hashes if info is not None else (str(position),)
        groups.setdefault((first, hashes), []).append(position)
    return tuple(tuple(positions) for positions in groups.values())
