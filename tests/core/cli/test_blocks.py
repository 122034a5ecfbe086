"""The command line on networks of blocks: digits and programs, what blocks are made of, routes and gates changed."""

import json
import re
from pathlib import Path

import pytest
import torch

from routescope.data import load
from routescope.data.blocks.tasks import ALGO
from routescope.routing import Intervention, Trace, score
from routescope.training.recipes.blocks import sizes_of
from tests.core.cli.program import refused, run_json, save, saved, words_of
from tests.core.routing.small import small

ROUTER, PLAIN, SUMS, STRIPS, IMAGES = (
    "untrained-router", "untrained-plain", "untrained-sums", "untrained-strips", "untrained-looker-on",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _models() -> None:
    for name, architecture, sizes in (
        (ROUTER, "smfr", sizes_of("algo") | {"depth": 1, "width": 3}),
        (PLAIN, "block_fnn", sizes_of("algo")),
        (SUMS, "smfr", sizes_of("double") | {"depth": 0}),
        (STRIPS, "smfr", sizes_of("bpmnist") | {"depth": 1, "width": 2}),
        (IMAGES, "perceiver_io", {"image_size": 32, "domains": ("mnist",), "classes": 10}),
    ):
        save(name, small(architecture, **sizes))


def test_models_and_data_say_what_they_read() -> None:
    assert run_json("models", ROUTER)["inputs"] == "blocks"
    text = words_of("models", ROUTER)
    assert "SMFR (block-operations)" in text and "reads blocks: A, B, C, D, E, task" in text
    assert "units: 1.1, 1.2, 1.3; 4 steps" in text and "multiplexer_weights" in text
    assert "units: none" in words_of("models", PLAIN)
    assert "a subtask for every iteration" in words_of("data")


@pytest.mark.parametrize("name", [ROUTER, PLAIN])
def test_answers_after_every_iteration_are_those_of_the_network(name: str) -> None:
    digits, program = [3, 1, 4, 1, 5], [0, 3, 4]
    found = run_json("trace", name, "--digits", "3,1,4,1,5", "--program", "1,assign D,5")
    assert found == run_json("trace", name, "--digits", "31415", "--program", "1,4,5")
    assert found["intervention"]["iterations"] == 3
    states = ALGO.states(torch.tensor([digits]), torch.tensor([program]))[0]
    blocks = ALGO.encode(torch.tensor([digits]), torch.tensor([program]))
    for row in found["answers"]:
        with torch.no_grad():
            made = saved(name).run(blocks, row["iteration"])[0].argmax(-1)
        assert list(row["digits"].values()) == made.tolist()
        assert list(row["right"].values()) == states[row["iteration"]].tolist()
        assert row["subtask"] == ALGO.subtasks[program[row["iteration"] - 1]]
    assert [row["iteration"] for row in found["answers"]] == [1, 2, 3]
    assert bool(found["made_of"]) == (name == ROUTER)
    text = words_of("trace", name, "--digits", "31415", "--program", "1")
    assert "A = 3 B = 1 C = 4 D = 1 E = 5" in text and "assign A" in text and "no:" in text


def test_what_blocks_are_made_of_is_what_the_trace_holds(tmp_path: Path) -> None:
    change = ("--drop", "1.2", "--mute-routes", "A>1.1", "--copy-routes", "D>1.3", "--gates", "E=0.25,A=1")
    file = tmp_path / "trace.nc"
    found = run_json("trace", ROUTER, "--index", 3, *change, "-o", file)
    trace = Trace.load(file)
    levels = json.loads(trace.dataset.attrs["levels"])
    steered = {"mute_routes": ("A>1.1",), "copy_routes": ("D>1.3",), "gates": {"E": 0.25, "A": 1}}
    assert trace.intervention == Intervention(drop=("1.2",), **steered)
    assert found["intervention"]["gates"] == {"A": 1.0, "E": 0.25}
    assert list(found["made_of"]) == ["i1.l1", "i1.l2", "i2.l1", "i2.l2"]
    weights = trace["multiplexer_weights"].isel(sample=0)
    for number, (step, rows) in enumerate(found["made_of"].items()):
        sources, blocks = levels[number % 2 : number % 2 + 2]
        assert [row["block"] for row in rows] == [name for name in blocks if name != "1.2"]
        for row in rows:
            of_block = weights.sel(step=step).isel(block=blocks.index(row["block"])).to_numpy()
            assert row["sources"] == pytest.approx(
                {source: float(of_block[sources.index(source)]) for source in row["sources"]}, abs=1e-6
            )
            assert sum(row["sources"].values()) == pytest.approx(1, abs=1e-4)
            assert list(row["sources"].values()) == sorted(row["sources"].values(), reverse=True)
    first = {row["block"]: row for row in found["made_of"]["i1.l1"]}
    assert first["1.1"]["sources"]["A"] == first["1.3"]["gate"] == 0
    assert next(iter(first["1.3"]["sources"].items())) == ("D", 1)
    last = {row["block"]: row["gate"] for row in found["made_of"]["i2.l2"]}
    assert (last["E"], last["A"]) == (0.25, 1)
    text = words_of("trace", ROUTER, "--index", 3, *change)
    assert "routed from D 100.0 % (gate 0.00)" in text and "computed (gate 1.00)" in text


def test_a_picture_under_another_permutation() -> None:
    own = run_json("trace", STRIPS, "--index", 2)
    other = run_json("trace", STRIPS, "--index", 2, "--program", 6)
    assert own["sample"] == other["sample"] == "bpmnist.validation.2"
    assert own["label"] == other["label"] == other["answers"][0]["right"]["digit"]
    assert own["predictions"] != other["predictions"]
    assert "--index" in refused("trace", STRIPS, "--digits", "1234")


def test_sums_have_one_subtask() -> None:
    found = run_json("trace", SUMS, "--digits", "1,2,9,4", "--program", "second pair")
    assert found["answers"][0]["right"] == {"answer": 3} and found["label"] == 3
    assert "one subtask" in refused("trace", SUMS, "--digits", "1294", "--program", "1,2")
    assert "1 iteration" in refused("trace", SUMS, "--iterations", 2)


def test_evaluate_changes_routes_and_gates() -> None:
    found = run_json("evaluate", ROUTER, "--limit", 40, "--mute-routes", "A>1.1,1.1>E", "--gates", "1.2=0")
    change = Intervention(mute_routes=("A>1.1", "1.1>E"), gates={"1.2": 0})
    data = load("algo", "validation", limit=40)
    assert found["loss"] == pytest.approx(score(saved(ROUTER), data, change).mean_loss, rel=1e-5)
    assert found["loss"] != found["baseline"]["loss"]
    beyond = run_json("evaluate", ROUTER, "--limit", 40, "--iterations", 5)
    right = load("algo", "validation", limit=40).labels_at(5).numpy()
    predicted = score(saved(ROUTER), data, Intervention(iterations=5)).predicted
    assert beyond["accuracy"] == pytest.approx((predicted == right).mean())
    printed = words_of("evaluate", ROUTER, "--limit", 4, "--copy-routes", "1.3>E", "--gates", "A=0.5")
    assert "forced copies 1.3>E, fixed gates A at 0.5" in printed


def test_importance_of_hidden_blocks() -> None:
    found = run_json("importance", ROUTER, "--limit", 30)
    assert found["units"] == ["1.1", "1.2", "1.3"] and found["exact"]
    assert sum(each["value"] for each in found["shapley"]) == pytest.approx(found["total"])
    assert "no units" in refused("importance", PLAIN)
    assert "does not report what each unit adds" in refused("importance", ROUTER, "--kind", "mean", "--limit", 4)


@pytest.mark.parametrize(
    ("options", "accepted"),
    [
        (("--digits", "1,2"), "5 digits from 0 to 9"),
        (("--digits", "1,2,3,4,10"), "5 digits from 0 to 9"),
        (("--digits", "12345", "--program", "6"), "5 \\(assign E\\)"),
        (("--digits", "12345", "--program", "0"), "1 \\(assign A\\)"),
        (("--program", ",".join(["1"] * 17)), "up to 16 subtasks"),
        (("--sentence", "A star."), "--digits DIGITS"),
        (("--gates", "1.1"), "a number from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused(options: tuple[str, ...], accepted: str) -> None:
    assert re.search(accepted, refused("trace", ROUTER, *options))


def test_other_networks_take_no_digits() -> None:
    assert "not --digits: give --image FILE" in refused("trace", IMAGES, "--digits", "12345")
    assert "routes no blocks" in refused("trace", IMAGES, "--mute-routes", "A>1.1")
    assert "does not read algo; it reads mnist" in refused("trace", IMAGES, "--data", "algo")
