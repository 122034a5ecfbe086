"""Pruning through the API: orders and curves of the core, keep-lists, models that open again, refusals in words."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

from routescope import zoo
from routescope.data import load
from routescope.nn.adapters.transformers import from_transformers
from routescope.nn.inputs.text import Text
from routescope.nn.network import Changes
from routescope.routing import Intervention, Scores, score
from routescope.routing.caused.pruning import KeepList, find_order, retained, shares_of
from routescope.zoo import checkpoint, opened
from routescope_app.services.errors import NotFound
from tests.app import serving
from tests.app.api.follow import app_of, compare, ended, start
from tests.app.serving import EXPERTS, is_problem
from tests.core.nn.adapters.families import model_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST: dict[str, Any] = {
    "model": EXPERTS, "data": ["sums", "listops"], "samples": 4, "points": 2, "draws": 2, "seed": 3,
}  # fmt: skip
TEXTS = Text(("def f(x): return x", "1 + 2 = 3", ""))
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


@pytest.fixture(scope="module", autouse=True)
def _experts(_own_data_folder: Path) -> None:
    serving.make_experts()


async def pruned(client: httpx.AsyncClient, **changes: Any) -> dict[str, Any]:
    job = await ended(client, await start(client, "prunings", REQUEST | changes))
    assert job["state"] == "done" and job["kind"] == "pruning", job
    body: dict[str, Any] = (await client.get(job["result"])).json()
    return body


async def unpacked(client: httpx.AsyncClient, job: str, keep: str, folder: Path) -> KeepList:
    """Unpack the archive of a pruned model into a folder; gives its keep-list."""
    answer = await client.get(f"/api/v1/prunings/{job}/model", params={"keep": keep})
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip", answer.text
    assert len(answer.content) == int(answer.headers["content-length"])
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(folder)
    return KeepList.from_json((folder / "keep-list.json").read_text())


async def test_chosen_counts_have_a_figure_a_keep_list_and_a_model(client: httpx.AsyncClient, tmp_path: Path) -> None:
    result = await pruned(client, order="tokens", keep=[8, 6, 2, 4], draws=0)
    assert result["complete"] and sorted({figure["keep"] for figure in result["curve"]}) == [0.25, 0.875]
    assert [figure["domain"] for figure in result["baseline"]] == ["sums", "listops", "all"]
    last, url = result["chosen"][-1], f"/api/v1/prunings/{result['id']}"
    assert (last["domain"], last["experts"], last["share"]) == ("all", 20, 20 / 32)
    asked = await client.get(f"{url}/keep-list", params={"keep": "8,6,2,4"})
    assert "attachment" in asked.headers["content-disposition"]
    kept = KeepList.from_json(asked.text)
    assert [len(layer.kept) for layer in kept.layers] == [8, 6, 2, 4]
    for layer in kept.layers:
        going = [unit for unit in result["sequence"] if unit.startswith(layer.name + ".")]
        assert set(layer.dropped) == set(going[: 8 - len(layer.kept)])
    model = zoo.load(EXPERTS)
    scores = [score(model, load(name), Intervention(drop=kept.dropped), 2) for name in REQUEST["data"]]
    assert last["figure"]["value"] == pytest.approx(Scores.join(scores).figure)

    written = await unpacked(client, result["id"], "8,3,2,5", tmp_path)
    assert [len(layer.kept) for layer in written.layers] == [8, 3, 2, 5]
    expected = written.view(model)(TEXTS)
    torch.testing.assert_close(checkpoint.load(tmp_path / "model.safetensors")(TEXTS), expected, **CLOSE)
    assert not torch.allclose(model(TEXTS), expected, atol=1e-3)
    left = (app_of(client).services.settings.data_dir / "pruned").glob("*")
    assert not list(left), "nothing is left of what was made"
    for part in ("keep-list", "model"):
        refused = await client.get(f"{url}/{part}", params={"keep": "9"})
        assert "cannot keep 9 of 8" in is_problem(refused, 422)["detail"]
        is_problem(await client.get(f"{url}/{part}", params={"keep": "8;8"}), 422)
    former = await pruned(client, order="use", draws=0, points=1)
    assert (former["order"], former["sequence"]) == ("tokens", result["sequence"])


@pytest.mark.slow
@pytest.mark.parametrize("order", ["tokens", "weight", "effect", "greedy"])
async def test_orders_and_curves_are_those_of_the_core(client: httpx.AsyncClient, order: str) -> None:
    """The order is found on the last samples of a set, the curve is of the first."""
    result = await pruned(client, order=order, at_once=12)
    model, seed = zoo.load(EXPERTS), REQUEST["seed"]
    whole = [load(name) for name in REQUEST["data"]]
    going = find_order(model, [each.take(slice(len(each) - 2, None)) for each in whole], order, together=12, seed=seed)
    shares, sets = shares_of(model, most=REQUEST["points"]), [each.take(slice(2)) for each in whole]
    curves = retained(model, sets, {order: going}, shares, draws=REQUEST["draws"], seed=seed + 1)
    rows = {(row["order"], row["domain"], row["keep"]): row for row in curves.to_dict("records")}
    assert result["sequence"] == list(going) and len(result["curve"]) == 3 * REQUEST["points"]
    for point in result["curve"]:
        mine, random = (rows[name, point["domain"], point["keep"]] for name in (order, "random"))
        names = {"value": "figure", "low": "low", "high": "high"}
        changes = {"value": "change", "low": "change_low", "high": "change_high"}
        compare(point["figure"], {name: mine[column] for name, column in names.items()})
        compare(point["change"], {name: mine[column] for name, column in changes.items()})
        compare(point["random"], {name: random[column] for name, column in names.items()})
        assert (point["share"], point["draws"]) == (pytest.approx(mine["share"]), REQUEST["draws"])


async def test_of_all_layers_together_those_go_that_come_first(client: httpx.AsyncClient) -> None:
    asked = {"order": "chance", "scope": "all", "points": 3, "draws": 0}
    result = await pruned(client, **asked)
    assert [point["experts"] for point in result["curve"] if point["domain"] == "all"] == [31, 20, 8]
    again = await start(client, "prunings", REQUEST | asked)
    assert again["state"] == "done", "the same request is the same job"


async def test_an_order_that_is_not_known_yet_gives_no_keep_list(client: httpx.AsyncClient) -> None:
    info = zoo.info(EXPERTS)
    stored = {"model": info.id, "revision": info.revision, "order": "effect", "scope": "layer", "seed": 0}
    prunings = app_of(client).services.prunings
    with pytest.raises(NotFound, match="not known yet"):
        prunings.keep_list(stored | {"sequence": [], "complete": False}, [8])
    _, kept = prunings.keep_list(stored | {"sequence": [], "complete": True}, [8])  # of which nobody can go
    assert not kept.dropped


@pytest.mark.slow
async def test_what_is_known_can_be_read_while_it_runs_and_a_cancelled_one_goes_on(client: httpx.AsyncClient) -> None:
    asked = REQUEST | {"order": "tokens", "samples": 16, "draws": 4, "points": 6}
    job = await start(client, "prunings", asked)
    url, seen = f"/api/v1/prunings/{job['id']}", dict[str, Any]()
    while len(seen.get("curve", ())) < 3:
        job = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
        assert job["state"] in {"queued", "running"}, "read before it is done"
        answer = await client.get(url)
        seen = answer.json() if answer.status_code == 200 else {}
        await asyncio.sleep(0.02)
    assert not seen["complete"] and len(seen["sequence"]) == 32 and job["total"] == 6 * (1 + 4)
    assert (await client.get(f"{url}/keep-list", params={"keep": "5"})).status_code == 200
    cancelled = (await client.delete(f"/api/v1/jobs/{job['id']}")).json()
    assert cancelled["state"] == "cancelled"
    kept = (await client.get(url)).json()
    assert not kept["complete"] and kept["curve"][:3] == seen["curve"][:3], "what was known stays known"
    again = await ended(client, await start(client, "prunings", asked))
    body = (await client.get(again["result"])).json()
    assert body["complete"] and body["curve"][:3] == seen["curve"][:3] and len(body["curve"]) == 18


# -- models of transformers ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mixtures")
    for family in ("olmoe", "mixtral", "deepseek_v3"):
        model_of(family).save_pretrained(folder / family)
    weights = folder / "mixtral" / "model.safetensors"
    save_file({**load_file(weights), "mtp.norm.weight": torch.zeros(4)}, weights, {"format": "pt"})
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theirs(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    chosen = serving.settings(
        tmp_path_factory.mktemp("theirs"), model_folders=(str(folder),), max_pruned_model_bytes=2**18
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("routescope_app.services.measuring.prunings.MAX_SCORES", 300)
        async with serving.serving(chosen) as client:
            yield client
    opened.use(())


@pytest.mark.parametrize("family", ["olmoe", "mixtral"])
async def test_the_archive_of_a_model_of_transformers_is_one(
    theirs: httpx.AsyncClient, tmp_path: Path, folder: Path, family: str
) -> None:
    result = await pruned(theirs, model=family, data=["sums"], order="weight", draws=0, points=1)
    count = result["layers"][0]["experts"] - 2
    await unpacked(theirs, result["id"], str(count), tmp_path / "small")
    small = AutoModelForCausalLM.from_pretrained(tmp_path / "small", local_files_only=True)
    whole = from_transformers(AutoModelForCausalLM.from_pretrained(folder / family, local_files_only=True))
    named = json.loads((tmp_path / "small" / "keep-list.json").read_text())
    kept = await theirs.get(f"/api/v1/prunings/{result['id']}/keep-list", params={"keep": str(count)})
    unread = "multi-token prediction (MTP) (1 tensor, 16 bytes)" if family == "mixtral" else None
    assert named.get("not_written") == kept.json().get("not_written") == unread
    assert (await theirs.get(f"/api/v1/models/{family}")).json()["unread"] == unread
    gone = set(whole.units) - {unit for layer in named["layers"] for unit in layer["kept"]}
    assert len(gone) == 2 * len(result["layers"])
    with torch.no_grad():
        expected = whole.view(Changes(drop=tuple(sorted(gone))))(TEXTS)
        torch.testing.assert_close(from_transformers(small)(TEXTS), expected, **CLOSE)
        assert not torch.allclose(whole(TEXTS), expected, atol=1e-4)

    counts = ",".join([str(count), *(str(count + 1) for _ in result["layers"][1:])])
    answer = await theirs.get(f"/api/v1/prunings/{result['id']}/model", params={"keep": counts})
    assert f"eave {count} in each, or {count + 1}" in is_problem(answer, 422)["detail"]
    kept = await theirs.get(f"/api/v1/prunings/{result['id']}/keep-list", params={"keep": counts})
    assert kept.status_code == 200, "views may keep different numbers"


async def test_limits_and_groups_are_named(theirs: httpx.AsyncClient, tmp_path: Path) -> None:
    asked = REQUEST | {"model": "olmoe", "data": ["sums"], "order": "greedy", "samples": 16, "draws": 0}
    detail = is_problem(await theirs.post("/api/v1/prunings", json=asked), 422)["detail"]
    assert "up to 300 sets times samples are accepted" in detail and "more experts that go at once" in detail
    result = await pruned(theirs, model="deepseek_v3", data=["sums"], order="chance", seed=0, draws=1, points=1)
    answer = await theirs.get(f"/api/v1/prunings/{result['id']}/keep-list", params={"keep": "2"})
    assert "Layer 2 needs 1 of its 2 groups" in is_problem(answer, 422)["detail"]
    answer = await theirs.get(f"/api/v1/prunings/{result['id']}/keep-list", params={"keep": "3"})
    assert [len(layer["kept"]) for layer in answer.json()["layers"]] == [3] * len(result["layers"])
    asked = REQUEST | {"model": "deepseek_v3", "data": ["sums"], "order": "chance", "keep": [2], "draws": 0}
    failed = await ended(theirs, await start(theirs, "prunings", asked))
    assert failed["state"] == "failed" and "needs 1 of its 2 groups" in failed["problem"]["detail"]
    url = f"/api/v1/prunings/{failed['id']}"
    stored = (await theirs.get(url)).json()
    assert len(stored["sequence"]) == 12 and not stored["curve"], "it is refused before curves are measured"
    written = await pruned(theirs, model="moe-bytes", data=["sums"], order="tokens", draws=0, points=1)
    answer = await theirs.get(f"/api/v1/prunings/{written['id']}/model", params={"keep": "8"})
    assert "bytes; up to 262,144 are written" in is_problem(answer, 422)["detail"]
