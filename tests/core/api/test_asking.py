"""Questions in one call: the same figures as the functions below, for every way to name a model and its data."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

import routescope as rs
from routescope.data import load
from routescope.data.pictures.sizing import from_picture
from routescope.data.text.sets import own_texts
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.routing import record, score
from routescope.routing.caused.pruning import KeepList
from routescope.zoo import catalogue, opened
from tests.core.nn.adapters.families import byte_tokenizer, model_of
from tests.core.nn.adapters.own import Mine, two_best

MODEL, PICTURES = "moe-bytes", "ni-digits"
TEXTS = ["def f(x):\n    return x", "two + two = four", "NA"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    (made / "mine.jsonl").write_text(
        "".join(json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate(TEXTS))
    )
    pd.DataFrame({"label": range(3), "text": TEXTS}).to_csv(made / "mine.csv", index=False)
    pd.DataFrame({"text": TEXTS}).to_csv(made / "mine.tsv", index=False, sep="\t")
    (made / "mine.txt").write_text(TEXTS[0])
    (made / "wrong.jsonl").write_text('{"words": "a"}\n')
    (made / "numbers.jsonl").write_text('{"text": 3}\n')
    (made / "empty.txt").write_text(" \n")
    (made / "broken.jsonl").write_text("{")
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 40, 3), np.uint8)).save(made / "digit.png")
    model_of("olmoe", vocab_size=300, bos_token_id=299).save_pretrained(made / "mixture")
    byte_tokenizer().save(str(made / "mixture" / "tokenizer.json"))
    return made


@pytest.fixture(autouse=True)
def _none_afterwards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Tests run in the folder; models that they open are forgotten."""
    monkeypatch.chdir(folder)
    yield
    opened.use(())
    catalogue.forget()


def of_picture() -> torch.Tensor:
    return from_picture(Image.open("digit.png"))[None].float() / 255


#: What somebody gives -> the inputs that the network then gets.
SAMPLES: dict[str, tuple[str, Callable[[], Any], Callable[[], Any]]] = {
    "a text": (MODEL, lambda: TEXTS[0], lambda: Text(TEXTS[0])),
    "texts": (MODEL, lambda: TEXTS, lambda: Text(TEXTS)),
    "a name in a list is a text": (MODEL, lambda: ["python", "mine.txt"], lambda: Text(["python", "mine.txt"])),
    "an assignment is a text": (MODEL, lambda: "python = 3\n", lambda: Text("python = 3\n")),
    "inputs": (MODEL, lambda: Text(TEXTS), lambda: Text(TEXTS)),
    "a file": (MODEL, lambda: "mine.jsonl", lambda: Text(TEXTS)),
    "a path": (MODEL, lambda: Path("mine.txt"), lambda: Text(TEXTS[0])),
    "a name": (MODEL, lambda: "sums", lambda: load("sums", "validation", limit=8).inputs(slice(None))),
    "a data set": (MODEL, lambda: load("sums").take([3, 5]), lambda: load("sums").inputs([3, 5])),
    "a picture's file": (PICTURES, lambda: "digit.png", of_picture),
    "files of pictures": (PICTURES, lambda: ["digit.png", "digit.png"], lambda: of_picture().expand(2, 3, 32, 32)),
    "a picture": (PICTURES, lambda: Image.open("digit.png"), of_picture),
    "levels": (PICTURES, lambda: np.asarray(Image.open("digit.png")), of_picture),
    "an array": (PICTURES, lambda: of_picture().numpy(), of_picture),
    "bytes of an array": (
        PICTURES, lambda: load("mnist", limit=2).images.numpy(), lambda: load("mnist", limit=2).inputs([0, 1]),
    ),
    "a tensor": (PICTURES, of_picture, of_picture),
    "numbers": ("ni-boolean", lambda: "0.1, 0.9, 0.5, 0.25, 1", lambda: torch.tensor([[0.1, 0.9, 0.5, 0.25, 1]])),
}  # fmt: skip


@pytest.mark.parametrize("case", SAMPLES)
def test_every_kind_of_sample_is_recorded(case: str) -> None:
    model, given, inputs = SAMPLES[case]
    network = rs.open(model)
    trace, expected = rs.record(network, given()), record(network, inputs())
    for name in expected.dataset.data_vars:
        np.testing.assert_array_equal(trace[name].values, expected[name].values)


def test_samples_of_a_data_set_are_named() -> None:
    assert list(rs.record(MODEL, "sums", limit=2)["sample"].values) == ["sums.validation.0", "sums.validation.1"]
    replaced = rs.record(PICTURES, "mnist", limit=4, mean="f1")
    assert replaced.intervention.mean == ("f1",), "the data set is the reference of mean"


DATA: dict[str, tuple[Any, Callable[[], Any]]] = {
    "a name": ("sums", lambda: load("sums", limit=4)),
    "nothing": (None, lambda: load("python", limit=4)),
    "a data set": (load("sums", limit=6), lambda: load("sums", limit=4)),
    "a table": ("mine.csv", lambda: own_texts(TEXTS, "python")),
    "tabs": ("mine.tsv", lambda: own_texts(TEXTS, "python")),
    "lines": (Path("mine.jsonl"), lambda: own_texts(TEXTS, "python")),
    "one text": ("mine.txt", lambda: own_texts(TEXTS[:1], "python")),
    "texts": (TEXTS, lambda: own_texts(TEXTS, "python")),
}


@pytest.mark.parametrize("case", DATA)
def test_every_kind_of_data_is_scored_beside_the_whole_network(case: str) -> None:
    data, expected = DATA[case]
    network = rs.open(MODEL)
    done: list[tuple[int, int]] = []
    scored = rs.score(network, data, limit=4, drop=" l1.e2, l2.e1", progress=lambda *at: done.append(at))
    change = rs.Intervention(drop=("l1.e2", "l2.e1"))
    whole, without = score(network, expected()), score(network, expected(), change)
    assert (scored.figure, scored.interval) == (without.figure, without.interval)
    assert scored.baseline is not None and scored.baseline.figure == whole.figure
    assert scored.change is not None and scored.change.value == pytest.approx(without.figure - whole.figure)
    assert done[-1] == (2 * len(whole), 2 * len(whole))
    plain = rs.score(network, data, limit=4)
    assert plain.figure == whole.figure and plain.baseline is plain.change is plain.effect is None


def test_options_of_an_intervention_are_those_of_the_command_line(folder: Path) -> None:
    """Rules, files of units and lists; an intervention in place of options is the same."""
    kept = rs.prune(MODEL, "sums", keep=0.5, limit=2).keep
    (folder / "keep.json").write_text(kept.to_json())
    for given, units in (
        ("l3.*", tuple(f"l3.e{at}" for at in range(1, 9))),
        (["l1.e1", "l2.e2"], ("l1.e1", "l2.e2")),
        ("@keep.json", tuple(sorted(kept.dropped))),
    ):
        trace = rs.record(MODEL, "x", mute=given)
        assert trace.intervention == rs.Intervention(mute=units)
        assert rs.record(MODEL, "x", intervention=rs.Intervention(mute=units)).intervention == trace.intervention
    assert len(rs.record(MODEL, "x", drop="least:3").intervention.drop) == 3


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "no model": (lambda: rs.open("no-such-model"), "unknown model 'no-such-model'; there are"),
    "no folder": (lambda: rs.open("a/folder"), "name a folder with a config.json and safetensors"),
    "no routers": (lambda: rs.open(Mine()), "pass routers=... and experts=..."),
    "routers of a name": (lambda: rs.open(MODEL, "*.gate"), "are for an nn.Module: leave them out"),
    "context of pictures": (lambda: rs.open(PICTURES, context=9), "leave context, stride and cut out"),
    "large context": (lambda: rs.open(MODEL, context=999), "up to 256 tokens"),
    "no file": (lambda: rs.record(MODEL, "none.txt"), "there is no file none.txt: give a file that exists"),
    "a folder": (lambda: rs.score(MODEL, Path("mixture")), "files of texts end with .jsonl, .csv, .tsv, .parquet"),
    "another column": (lambda: rs.score(MODEL, "wrong.jsonl"), "no column 'text'; it has words"),
    "no string": (lambda: rs.score(MODEL, "numbers.jsonl"), "the text of row 1 is no string"),
    "an empty file": (lambda: rs.score(MODEL, "empty.txt"), "give a file with at least one visible character"),
    "a broken file": (lambda: rs.score(MODEL, "broken.jsonl"), "broken.jsonl is no .jsonl table"),
    "no texts": (lambda: rs.score(MODEL, []), "has no head for nothing"),
    "no data set": (lambda: rs.score(MODEL, "nothing"), "no data set 'nothing'; there are mnist"),
    "no head": (lambda: rs.score(MODEL, "mnist"), "moe-bytes has no head for mnist; it has python, manual"),
    "no reader of texts": (lambda: rs.dataset("mine.txt"), "give model=, such as model='moe-bytes'"),
    "texts of pictures": (lambda: rs.score(PICTURES, TEXTS), "give model="),
    "a text for pictures": (lambda: rs.record(PICTURES, "hello"), "this network reads a picture"),
    "text for a picture": (lambda: rs.record(PICTURES, "mine.txt"), "no picture that can be read; give a PNG"),
    "an empty text": (lambda: rs.record(MODEL, " "), "the text is empty"),
    "no units": (lambda: rs.importance("fnn-addmul"), "fnn-addmul has no units to ablate"),
    "unknown units": (lambda: rs.score(MODEL, "sums", drop="e9"), "unknown units: e9; this model has l1.e1"),
    "both": (lambda: rs.score(MODEL, drop="l1.e1", intervention=rs.Intervention()), "give intervention=..., or drop"),
    "no keep-list": (lambda: rs.record(MODEL, "x", drop="@none.json"), "none.json does not exist; give a keep-list"),
    "no order": (lambda: rs.prune(MODEL, by="size"), "an order is one of tokens, weight"),  # type: ignore[arg-type]
    "no experts": (lambda: rs.prune(PICTURES), "this one has none"),
    "a log's precision": (
        lambda: rs.compare(rs.record(MODEL, "x"), MODEL, "sums", precisions=("float32", None)), "is a log: precisions",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_say_what_is_accepted(case: str) -> None:
    ask, words = REFUSED[case]
    with pytest.raises((ValueError, KeyError)) as refused:
        ask()
    text = str(refused.value)
    assert words in text and "\n" not in text and len(text) < 2_000, text


def test_every_kind_of_model_is_opened(folder: Path) -> None:
    module = Mine()
    plain = rs.open(module, "layers.*.gate", "layers.*.experts", choose=two_best, context=64)
    of_folder = rs.open(folder / "mixture")
    transformers = rs.open(model_of("olmoe", vocab_size=300, bos_token_id=299), vocabulary="mixture/tokenizer.json")
    for network in (plain, of_folder, transformers, rs.open("mixture", context=16, stride=8)):
        assert rs.open(network) is network and isinstance(network, RoutedNetwork)
        assert rs.score(network, TEXTS, drop="l1.e2").change is not None
    assert (plain.reading.context, network.reading.step) == (64, 8)  # type: ignore[union-attr]
    assert rs.score(of_folder, TEXTS).figure == rs.score(transformers, TEXTS).figure


def test_a_pruned_model_is_saved_and_opened(folder: Path, tmp_path: Path) -> None:
    pruned = rs.prune(MODEL, ["sums", "python"], keep=0.5, limit=2)
    assert {samples.split for samples in pruned.measured} == {"test"}
    small = rs.open(pruned.save(tmp_path / "half"))
    assert (small.id, len(small.units)) == ("half", 16)
    other = rs.open(rs.prune(MODEL, TEXTS, keep=0.75, by="chance").save(tmp_path / "below" / "half"))
    assert (other.id, len(other.units)) == ("half-2", 24), "two folders of one name are two models"
    assert KeepList.from_json((tmp_path / "half" / "keep-list.json").read_text()) == pruned.keep
    torch.testing.assert_close(small(Text(TEXTS)), pruned.view(Text(TEXTS)), atol=1e-5, rtol=1e-5)
    cost = pruned.cost(draws=1)
    assert set(cost["domain"]) == {"sums", "python", "all"} and set(cost["order"]) == {"tokens", "random"}
    (tmp_path / "half" / "model.safetensors").unlink()
    assert {"half-2", MODEL} <= set(rs.models().index) and "half" not in rs.models().index


def test_two_routings_are_compared_whatever_they_are() -> None:
    change = rs.Intervention(drop=("l1.e1",))
    models = rs.compare(MODEL, MODEL, "sums", limit=2, interventions=(None, change))
    traces = rs.compare(rs.record(MODEL, "sums", limit=2), rs.record(MODEL, "sums", limit=2, drop="l1.e1"))
    assert models.names[1].endswith("dropped l1.e1") and models.nats is not None and traces.bits() is None
    for one, other in zip(models.by_layer(), traces.by_layer(), strict=True):
        assert (one.layer, one.same, one.overlap) == (other.layer, other.same, other.overlap)
    bits = models.bits()
    assert bits is not None and bits["same"]["tokens"] + bits["differ"]["tokens"] == len(models)


def test_tables_of_models_and_data_sets() -> None:
    models, sets = rs.models(), rs.datasets()
    assert models.loc[MODEL, "reads"] == "text" and "python" in models.loc[MODEL, "domains"]
    assert sets.loc["mnist", "splits"].startswith("train") and sets.loc["street-digits", "stand_in_for"]


def test_observed_and_caused_figures_take_names() -> None:
    load_of_sums = rs.load_of(MODEL, "sums,python", limit=2, shuffles=2)
    assert load_of_sums.domains == ("sums", "python") and load_of_sums.texts == 4
    assert rs.importance(PICTURES, "mnist", limit=4, permutations=0).units == rs.open(PICTURES).units
    assert rs.observe(PICTURES, "mnist", limit=4, shuffles=2).dataset.sizes["unit"] == 5
    assert len(rs.type_map(PICTURES, "mnist", "pca", samples=4).xy) > 4
    assert rs.check(MODEL, "sums", limit=2).samples == 2
