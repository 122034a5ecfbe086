"""Models that read something else than samples: what is refused, and what goes on for them and for the others."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from routescope import assets
from tests.app.serving import BLOCKS, CIRCUIT, MODEL, STATEMENTS, is_problem, make_circuit

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


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("model", OTHERS)
async def test_its_graph_is_there_and_what_it_does_not_read_is_refused(shared: httpx.AsyncClient, model: str) -> None:
    place = f"/api/v1/models/{model}"
    assert (await shared.get(place)).status_code == (await shared.get(f"{place}/graph")).status_code == 200
    module = (await shared.get(f"{place}/graph/modules/m1")).json()
    assert module["drop_effect"] is None and len(module["neighbours"]) == 11
    if not model.startswith("a-"):
        return
    asked: list[tuple[str, dict[str, Any]]] = [
        ("traces", {"sample": SAMPLE, "fields": ["confidence"]}), ("evaluations", {"samples": 9}),
        ("importances", {"samples": 9}), ("embeddings", {"samples": 9}),
    ]  # fmt: skip
    for position, body in asked:
        answer = await shared.post(f"/api/v1/{position}", json={"model": model, **body})
        assert "32 x 32" in is_problem(answer, 422)["detail"]
    is_problem(await shared.get(f"/api/v1/samples/{SAMPLE}", params={"model": model}), 422)
    is_problem(await shared.get(f"{place}/graph/modules/m1", params={"sample": SAMPLE}), 422)


@pytest.mark.asyncio(loop_scope="module")
async def test_every_model_says_whether_it_reads_samples(shared: httpx.AsyncClient) -> None:
    models = {item["id"]: item for item in (await shared.get("/api/v1/models")).json()["items"]}
    fields = {name: item["samples"] for name, item in models.items()}
    assert not any(fields[name] for name in OTHERS if name.startswith("a-")) and fields["another-domain"]
    assert fields[CIRCUIT] and fields[MODEL] and not fields[STATEMENTS] and not fields[BLOCKS]
    for name, reads in fields.items():
        asked = await shared.post("/api/v1/traces", json={"model": name, "sample": SAMPLE, "fields": []})
        assert asked.status_code == (201 if reads else 422), name
        assert (await shared.get(f"/api/v1/models/{name}")).json()["samples"] == reads
