"""Every block of code in every document runs, plots included, and prints the documented output."""

import doctest
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import routescope as rs
from routescope.cli import build
from routescope.experiments.shared.schema import record_files, text_of
from routescope.nn import registry
from tests.core.nn.adapters.families import byte_tokenizer, model_of
from tests.core.routing.logs.test_readers import flat, npy

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Commands that train for minutes, serve until they are stopped, or write into a running service; that their options
#: exist is tested in `test_house.py`, and what they do in the tests of their own.
NOT_RUN = {"train", "reproduce", "serve", "open", "token"}
#: Commands that take `--limit`, the number of samples.
MEASURING = {"evaluate", "importance", "compare", "check", "prune"}
#: Words that stand for something of the reader's own.
PLACEHOLDER = re.compile(r"\b(FOLDER|MODEL|FILE|ADDRESS)\b")


def blocks(path: Path, language: str) -> list[str]:
    """The code of a document's blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


def commands(path: Path) -> list[str]:
    """The lines of a document's blocks that call the program, without their comments."""
    lines = "\n".join(blocks(path, "")).replace("\\\n", " ").splitlines()
    return [line.split(" #")[0].strip() for line in lines if line.startswith("routescope ")]


def cheap(path: Path) -> list[str]:
    """The commands of a document that a test can run."""
    return [line for line in commands(path) if line.split()[1] not in NOT_RUN and not PLACEHOLDER.search(line)]


def drawn(tokens: int, layers: int, slots: int, experts: int, seed: int = 0) -> np.ndarray:
    """Experts (token, layer, slot) of a log; no token takes an expert twice."""
    draws = np.random.default_rng(seed)
    return np.array([[draws.permutation(experts)[:slots] for _ in range(layers)] for _ in range(tokens)])


def response(name: str, experts: np.ndarray) -> str:
    return json.dumps({"id": name, "choices": [{"index": 0, "routed_experts": npy(experts.astype(np.uint8))}]}) + "\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that documents name."""
    folder = tmp_path_factory.mktemp("desk")
    for seed, name in enumerate(("my-mixture", "first-folder", "second-folder")):
        model_of("olmoe", seed=seed, vocab_size=300, bos_token_id=299).save_pretrained(folder / name)
        byte_tokenizer().save(str(folder / name / "tokenizer.json"))
    eight = drawn(6, 2, 8, 16)
    (folder / "responses.jsonl").write_text(response("a", drawn(5, 2, 2, 16)) + response("b", drawn(4, 2, 2, 16, 1)))
    (folder / "rollout.jsonl").write_text(response("0", eight))
    meta = {"id": "a", "prompt_tokens": 2, "completion_tokens": len(eight) - 1, "routed_experts": flat(eight)}
    (folder / "answers.jsonl").write_text(json.dumps({"text": "", "meta_info": meta}))
    record = {"step": 0, "stage": "pre_dispatch", "block": "decoder", "rank": 0, "num_tokens": len(eight), "topk": 8}
    traced = (json.dumps(record | {"layer": at, "top_indices": eight[:, at].tolist()}) + "\n" for at in range(2))
    (folder / "router_trace_rank0.jsonl").write_text("".join(traced))
    rows = [f"{layer},{expert}" for token in drawn(4, 2, 10, 16) for layer, row in enumerate(token) for expert in row]
    (folder / "moe_trace.csv").write_text("\n".join(["layer,expert", *rows]) + "\n")
    np.savez(folder / "router_logits.npz", router_logits=np.random.default_rng(0).normal(size=(2, 7, 6)))
    (folder / "expert_distribution.csv").write_text("layer_id,expert_id,count\n0,0,12\n0,3,4\n1,2,16\n")
    (folder / "stream.txt").write_text(f"data: {response('a', drawn(5, 2, 2, 16))}\ndata: [DONE]\n")
    ranks = ((rank, drawn(3, 1, 2, 6, rank)[:, 0].tolist()) for rank in (0, 1))
    record = {"step": 0, "layer": 0, "num_tokens": 3, "topk": 2}
    (folder / "ranks.jsonl").write_text(
        "".join(json.dumps(record | {"rank": rank, "top_indices": table}) + "\n" for rank, table in ranks)
    )
    (folder / "experts.jsonl").write_text('{"0": [2, 1]}\n{"1": [0, 2]}\n')
    (folder / "profile.json").write_text('{"version": 1, "pruned_experts": {"0": [3], "1": [1]}}')
    (folder / "reviews.jsonl").write_text(
        "".join(json.dumps({"text": f"A good film, {at} of 9: def f(x):\n    return x"}) + "\n" for at in range(3))
    )
    (folder / "reviews.csv").write_text("body,language\nfor i in range(3):,python\nEin guter Film,german\n")
    for digit in ("3", "8"):
        (folder / "digits" / digit).mkdir(parents=True)
    for name in ("digit.png", "left.png", "right.png", "digits/3/a.png", "digits/8/a.png"):
        Image.fromarray(np.random.default_rng(0).integers(0, 255, (32, 32, 3), np.uint8)).save(folder / name)
    (folder / "runs" / "results").mkdir(parents=True)
    (sweep,) = (path for path in record_files() if path.name.startswith("ni-sweep-"))
    (folder / "ni-sweep-0123456789ab.json").write_text(text_of(sweep))
    return folder


@pytest.fixture(autouse=True)
def at_the_desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Code runs there, with figures in memory; networks that it registers are forgotten afterwards."""
    monkeypatch.chdir(desk)
    monkeypatch.setattr(registry, "_registered", dict(registry.ARCHITECTURES))
    plt.switch_backend("agg")
    yield
    plt.close("all")
    shutil.rmtree(desk / "half", ignore_errors=True)


def printed(path: Path) -> bool:
    """Whether the code of a document is a session at the prompt, with what it prints."""
    return any(block.startswith(">>>") for block in blocks(path, "python"))


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if printed(path)], ids=lambda path: path.name)
def test_sessions_print_what_they_say(path: Path) -> None:
    session = doctest.testfile(
        str(path), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert session.attempted > 15
    assert session.failed == 0


#: Document -> whether the names that its code leaves hold what it says.
LEFT_BY: dict[str, Callable[[dict[str, Any]], bool]] = {
    "routed.md": lambda names: (
        "re" in names["trace"]["token_text"].values[0] and names["wider"]["top_experts"].sizes["slot"] == 3
    ),
    "notebook.md": lambda names: (
        names["graph"].number_of_edges() > 0 and Path("trace.nc").is_file() and Path("trace.graphml").is_file()
    ),
    "embedding.md": lambda names: names["score_again"]({"drop": ["f1"], "mute": []})["words"] == "dropped f1",
    "logs.md": lambda names: names["log"].experts.shape == (9, 2, 2) and names["log"].num_experts == 128,
    "experiments.md": lambda names: Path("functions.png").stat().st_size > 1000,
    "architecture.md": lambda names: registry.ARCHITECTURES["my-network"].network is names["MyNetwork"],
}


@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS[1:] if blocks(path, "python") and not printed(path)], ids=lambda path: path.name
)
def test_code_runs_from_top_to_bottom(path: Path) -> None:
    """As printed, but with at most eight samples and shuffles."""
    names: dict[str, Any] = {}
    for block in blocks(path, "python"):
        smaller = re.sub(
            r"\b(limit|samples|shuffles)=(\d+)", lambda match: f"{match[1]}={min(8, int(match[2]))}", block
        )
        exec(compile(smaller, str(path), "exec"), names)
    assert LEFT_BY[path.name](names)


def test_five_tasks_take_four_lines_and_one_import(desk: Path) -> None:
    """Each task of the README runs alone after the import, and leaves what it says."""
    (block,) = blocks(ROOT / "README.md", "python")
    imports, *tasks = block.strip().split("\n\n")
    assert imports == "import routescope as rs" and len(tasks) == 5
    names: list[dict[str, Any]] = []
    for task in tasks:
        assert len(task.splitlines()) <= 4 and "import" not in task
        names.append({})
        exec(compile(f"{imports}\n{task}", "README.md", "exec"), names[-1])
    assert "<start>" in names[0]["trace"]["token_text"].values[0]
    score = names[1]["score"]
    assert score.scores.count == 3 and score.intervention.drop == ("l1.e2",) and score.change.value != 0
    assert plt.gca().get_images(), "usage of experts is drawn"
    assert len(rs.open(desk / "half").units) == 16


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if cheap(path)], ids=lambda path: path.name)
def test_commands_run(path: Path) -> None:
    """Each command runs as printed, but measures at most four samples."""
    program = build()
    for line in cheap(path):
        words = shlex.split(line)[1:]
        if words[0] in MEASURING and "--limit" not in words and "--index" not in words:
            words += ["--limit", "4"]
        result = CliRunner().invoke(program, words)
        assert result.exit_code == 0, f"{line}\n{result.output}\n{result.exception!r}"
        if "--json" in line:
            json.loads(result.stdout)


def test_every_block_of_code_has_a_language_that_is_run() -> None:
    languages = {(path.name, name) for path in DOCUMENTS for name in re.findall(r"^```(\w+)$", path.read_text(), re.M)}
    assert {language for _, language in languages} == {"python"}, languages


def test_a_figure_is_never_an_unweighted_mean_of_values() -> None:
    """``figure`` weighs samples by their bytes or tokens, as the command line does; ``value.mean()`` does not."""
    files = [*DOCUMENTS, *(ROOT / "core").rglob("*.py"), *(ROOT / "app").rglob("*.py")]
    assert [path.name for path in files if re.search(r"\.value\.mean\(", path.read_text())] == []
