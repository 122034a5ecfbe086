"""Models that read something else than samples: what is refused, and what goes on for them and for the others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope import assets
from tests.app.serving import BLOCKS, CIRCUIT, MODEL, STATEMENTS, is_problem, make_circuit, running, serving, settings

SAMPLE = "mnist.validation.1"
OTHERS: dict[str, dict[str, Any]] = {
    "a-larger-picture": {"image_size": 64},
    "a-grey-picture": {"image_channels": 1},
    "a-sequence": {"tokenizer": "symbols", "max_length": 9},
    "another-domain": {"domains": ("images", "images-ood"), "held_out": ("images-ood",)},
}


@pytest.fixture(scope="module", autouse=True)
def _others(_tiny_model: None) -> Iterator[None]:
    paths = [make_circuit(name, **sizes) for name, sizes in OTHERS.items()]
    yield
    for path in paths:
        path.unlink()
    assert not any((assets.data_dir() / "checkpoints" / name / "model.safetensors").exists() for name in OTHERS)


@pytest.mark.parametrize("model", OTHERS)
async def test_its_graph_is_there_and_what_it_does_not_read_is_refused(client: httpx.AsyncClient, model: str) -> None:
    place = f"/api/v1/models/{model}"
    assert (await client.get(place)).status_code == (await client.get(f"{place}/graph")).status_code == 200
    module = (await client.get(f"{place}/graph/modules/m1")).json()
    assert module["drop_effect"] is None and len(module["neighbours"]) == 11
    if not model.startswith("a-"):
        return
    asked: list[tuple[str, dict[str, Any]]] = [
        ("traces", {"sample": SAMPLE, "fields": ["confidence"]}), ("evaluations", {"samples": 9}),
        ("importances", {"samples": 9}), ("embeddings", {"samples": 9}),
    ]  # fmt: skip
    for position, body in asked:
        answer = await client.post(f"/api/v1/{position}", json={"model": model, **body})
        assert "32 x 32" in is_problem(answer, 422)["detail"]
    is_problem(await client.get(f"/api/v1/samples/{SAMPLE}", params={"model": model}), 422)
    is_problem(await client.get(f"{place}/graph/modules/m1", params={"sample": SAMPLE}), 422)


async def test_every_model_says_whether_it_reads_samples(client: httpx.AsyncClient) -> None:
    models = {item["id"]: item for item in (await client.get("/api/v1/models")).json()["items"]}
    fields = {name: item["samples"] for name, item in models.items()}
    assert not any(fields[name] for name in OTHERS if name.startswith("a-")) and fields["another-domain"]
    assert fields[CIRCUIT] and fields[MODEL] and not fields[STATEMENTS] and not fields[BLOCKS]
    for name, reads in fields.items():
        asked = await client.post("/api/v1/traces", json={"model": name, "sample": SAMPLE, "fields": []})
        assert asked.status_code == (201 if reads else 422), name
        assert (await client.get(f"/api/v1/models/{name}")).json()["samples"] == reads


async def test_others_are_warmed_up_all_the_same(tmp_path: Path) -> None:
    chosen = settings(tmp_path, max_measured_samples=1_000)
    async with running(chosen) as app:
        services = app.state.services
        infos = {info.id: info for info in services.inference.models()}
        keep = [infos[name] for name in (*OTHERS, CIRCUIT)]
        services.inference.models = lambda: keep
        await services.warm_up()
        assert all(services.gallery.known_scores(infos[CIRCUIT], dataset) for dataset in services.gallery.datasets())
    async with serving(chosen) as client:
        answer = await client.post("/api/v1/evaluations", json={"model": CIRCUIT, "samples": 1_000, "controls": 0})
        assert answer.json()["cached"]
