"""What holds of every data set: its facts, its order, its rows, its splits, its hash, its refusals."""

import hashlib
from dataclasses import fields, replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data import DataError, NoSplit, Samples, known_datasets, load, parse_sources
from routescope.data.catalogue import with_same_inputs
from routescope.nn.inputs.kind import Inputs
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text

#: By kind of input, in the order of lists; of numbered names the first and the last.
ORDER = (
    "mnist", "mnist-m", "street-digits", "images", "images-ood", "letters", "kmnist", "scenes", "nlvr", "nlvr2",
    "addmul", "double", "algo", "bpmnist", "python", "manual", "sums", "listops", "texts", "boolean-01", "boolean-30",
    "pgm-neutral", "pgm-small-extrapolation", "clouds", "listops-short", "listops-medium", "listops-long", "reviews",
)  # fmt: skip
#: One data set, or two, of every maker; those of longer expressions take long to draw.
NAMES = tuple(
    name
    for name in (*ORDER, "boolean-21")
    if not known_datasets()[name].needs_source and name not in ("listops-medium", "listops-long")
)
#: Sets whose samples of training are those of validation: all that there are.
WHOLE = ("addmul", "double")
FEW = 48
#: Hashes of splits that models are scored on: published figures are of exactly these samples.
PINNED = {
    "mnist": {"validation": "2141ae6c33d9e32c"},
    "scenes": {"validation": "92efe3af2439b2c6", "test": "0714bf17e6c7e23f"},
    "addmul": {"validation": "d8e21899a6a7d9e9", "test": "1db3cdc12a294e4a"},
    "double": {"validation": "e6585b3ff742b628", "test": "8f3af1865a99a7da"},
    "algo": {"validation": "baf7aa14dd2df3bf", "test": "0fde3ba349cae266"},
    "bpmnist": {"validation": "88b71ba62d2c9f54", "test": "0817a0129996ee25"},
    "python": {"validation": "30146a3bc6a0e95b", "test": "9280a2c72165641b"},
    "manual": {"validation": "4c07a6bf4c841c99", "test": "47354c010a82ae59"},
    "sums": {"validation": "d2a00a2efcf8a27d", "test": "429280cb238dd897"},
    "listops": {"validation": "5d96ed0d51b2dedf", "test": "76c005b621992d08"},
}


@cache
def few(name: str, split: str) -> Samples:
    return load(name, split, limit=FEW)


def splits_of(name: str) -> tuple[str, ...]:
    return tuple(known_datasets()[name].splits)


def as_tensor(inputs: object) -> torch.Tensor:
    """A batch as one tensor that tells its samples apart."""
    if isinstance(inputs, torch.Tensor):
        return inputs
    assert isinstance(inputs, Inputs)
    if isinstance(inputs, Text | Statements):
        texts = inputs.texts if isinstance(inputs, Text) else inputs.sentences
        return torch.tensor([int(hashlib.sha256(text.encode()).hexdigest()[:12], 16) for text in texts])
    return inputs.values  # type: ignore[attr-defined, no-any-return]


def test_lists_are_in_their_order() -> None:
    assert tuple(name for name in known_datasets() if name in ORDER) == ORDER
    kinds = [info.inputs for info in known_datasets().values()]
    assert kinds == sorted(kinds, key=kinds.index), "data sets of one kind stand together"
    assert sum(kind == "numbers" for kind in kinds) == 30 and sum(kind == "matrices" for kind in kinds) == 12


@pytest.mark.parametrize("name", NAMES)
def test_samples_have_the_facts_of_their_data_set(name: str) -> None:
    info = known_datasets()[name]
    for split in splits_of(name):
        data = few(name, split)
        assert (data.name, data.domain, data.split, data.classes) == (name, name, split, info.classes)
        assert (data.title, data.licence, data.stand_in_for) == (info.title, info.licence, info.stand_in_for)
        assert data.stand_in == info.stand_in == (info.stand_in_for is not None) == ("stand-in" in info.title)
        assert data.source is None and info.licence
        assert len(data) == len(data.hashes) == len(set(data.hashes)) == min(FEW, info.splits[split])
        assert len(data.inputs(slice(None))) == len(data.targets(slice(None))) == len(data)
        if info.classes:
            assert set(data.labels.tolist()) <= set(range(len(info.classes)))
        text = repr(data)
        assert text.startswith(f"{type(data).__name__}(name='{name}'") and len(text) <= 500


@given(st.sampled_from(NAMES), st.lists(st.integers(-FEW, FEW - 1), max_size=6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_rows_are_taken_in_any_order_and_keep_all_that_belongs_to_them(
    name: str, rows: list[int], as_positions: bool
) -> None:
    data = few(name, splits_of(name)[-1])
    rows = [row % len(data) for row in rows]
    chosen = torch.tensor(rows, dtype=torch.int64) if as_positions else rows
    taken = data.take(chosen)
    assert taken.hashes == tuple(data.hashes[row] for row in rows) and taken.info is data.info
    for column in fields(data):
        values, before = getattr(taken, column.name), getattr(data, column.name)
        if isinstance(before, torch.Tensor | np.ndarray | tuple) and len(before) == len(data):
            for position, row in enumerate(rows):
                assert np.array_equal(np.asarray(values[position], object), np.asarray(before[row], object)), (
                    column.name
                )
    if rows:
        assert torch.equal(taken.targets(slice(None)), data.targets(chosen))
        assert torch.equal(as_tensor(taken.inputs(slice(None))), as_tensor(data.inputs(chosen)))
        assert [taken.rules_of(0)] == [data.rules_of(rows[0])]
    assert data.take(slice(2, 5)).hashes == data.hashes[2:5]


@pytest.mark.parametrize("name", NAMES)
def test_splits_share_no_sample_and_begin_alike_however_many_are_loaded(name: str) -> None:
    for one, other in combinations(splits_of(name), 2):
        if name not in WHOLE or "test" in (one, other):
            assert not set(few(name, one).hashes) & set(few(name, other).hashes)
    for split in splits_of(name)[:2]:
        again, whole = load(name, split, limit=7), few(name, split)
        assert again.hashes == whole.hashes[:7] and torch.equal(again.labels, whole.labels[:7])
        assert torch.equal(as_tensor(again.inputs(slice(3))), as_tensor(whole.inputs(slice(3))))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_there_is_refused_with_what_is(name: str) -> None:
    with pytest.raises(NoSplit, match=f"{name} has no split 'dev'; there are {', '.join(splits_of(name))}"):
        load(name, "dev")
    for limit in (0, -3, True, 2.5):
        with pytest.raises(DataError, match="limit is a whole number above 0"):
            load(name, limit=limit)  # type: ignore[arg-type]
    if not known_datasets()[name].reads_sources:
        with pytest.raises(DataError, match=f"read from nowhere; got {name}=folder"):
            load(name, source="folder")


def test_unknown_names_and_sources_that_are_needed() -> None:
    with pytest.raises(DataError, match="no data set 'mnits'; there are mnist, .*, boolean-01 to boolean-30, "):
        load("mnits")
    for name in ("nlvr", "nlvr2", "texts"):
        with pytest.raises(DataError, match=f"give {name}=FOLDER"):
            load(name)


@given(st.dictionaries(st.sampled_from(ORDER), st.text(min_size=1).filter(lambda text: text == text.strip())))
@settings(max_examples=50, deadline=None)
def test_sources_come_back(sources: dict[str, str]) -> None:
    assert parse_sources([f"{name}={source}" for name, source in sources.items()]) == sources


@pytest.mark.parametrize("option", ["mnist", "mnist=", "=folder", "cifar=folder", "", "mnist=  "])
def test_sources_of_another_form_are_refused(option: str) -> None:
    with pytest.raises(DataError, match="NAME=SOURCE"):
        parse_sources([option])
    with pytest.raises(DataError, match="two sources"):
        parse_sources(["mnist=a", "mnist=b"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PINNED)
def test_splits_that_are_scored_never_change(name: str) -> None:
    for split, digest in PINNED[name].items():
        data = load(name, split)
        assert len(data) == len(set(data.hashes)) == known_datasets()[name].splits[split]
        assert data.content_hash()[:16] == digest, split


def test_the_hash_of_the_content_is_of_name_split_pixels_labels_and_words() -> None:
    def of(samples: Samples, *parts: bytes) -> bool:
        start = f"{samples.name}.{samples.split}".encode()
        return samples.content_hash() == hashlib.sha256(b"".join((start, *parts))).hexdigest()

    for name in ("mnist", "scenes", "sums", "algo"):
        data = few(name, "validation").take([3, 1])
        labels = np.asarray(data.labels, dtype="<i8").tobytes()
        words = "\n".join(data.sentences if name == "scenes" else data.hashes).encode()  # type: ignore[attr-defined]
        pixels = data.images.numpy().tobytes() if name in ("mnist", "scenes") else b""  # type: ignore[attr-defined]
        assert of(data, pixels, labels, *([] if name == "mnist" else [words]))
        assert data.content_hash() != few(name, "validation").take([1, 3]).content_hash()


def test_data_sets_with_the_same_inputs_are_grouped_by_name_and_hashes() -> None:
    """Functions 1 to 20 are pre-trained on some points, 21 to 30 adapted to on others; unknown sets are alone."""
    names = ("boolean-21", "boolean-03", "boolean-20", "mnist", "boolean-30", "boolean-01")
    sets = [load(name, "validation", limit=4) for name in names]
    assert with_same_inputs(sets) == ((0, 4), (1, 2, 5), (3,))
    others = [sets[5], load("boolean-02", "test", limit=4), load("boolean-03", "validation", limit=3)]
    assert with_same_inputs(others) == ((0,), (1,), (2,)) and with_same_inputs([]) == ()
    unknown = replace(sets[0], info=replace(sets[0].info, name="nowhere"))
    assert with_same_inputs([unknown, unknown]) == ((0,), (1,))
    for name, info in known_datasets().items():
        if info.inputs_of is not None:
            first = load(info.inputs_of, limit=3)
            assert torch.equal(load(name, limit=3).values, first.values)  # type: ignore[attr-defined]
            assert known_datasets()[info.inputs_of].inputs_of is None
