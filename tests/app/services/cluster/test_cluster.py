"""The service on a Ray cluster of two nodes: the same bits as without, also when a node is killed in the midst."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastapi import FastAPI
from sqlalchemy import select

from routescope.training import cluster as cluster_module
from routescope.training.cluster import ClusterError
from routescope_app.services.cluster import pool as pool_module
from routescope_app.services.cluster.pool import Pool
from routescope_app.services.cluster.remote import Remote
from routescope_app.services.store import ScoreRow
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, client_of, running, settings
from tests.clusters import SHARED_BYTES, joined_cluster

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head and a further node, with a processor each."""
    with joined_cluster(head_processors=1, nodes=1) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def remote(cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FastAPI]:
    """The service with two actors on the cluster."""
    chosen = settings(tmp_path_factory.mktemp("remote"), ray_address=cluster.address, ray_actors=2)
    async with running(chosen) as app:
        pool = pool_of(app)
        await until(lambda: pool.living == 2)
        yield app


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def local(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FastAPI]:
    """The same without a cluster."""
    async with running(settings(tmp_path_factory.mktemp("local"))) as app:
        yield app


def pool_of(app: FastAPI) -> Pool:
    computing = app.state.services.computing
    assert isinstance(computing, Remote)
    return computing.pool


async def until(true: Any, seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


def tasks(app: FastAPI) -> int:
    return sum(each["tasks"] for each in pool_of(app).about())


def scored(app: FastAPI) -> dict[str, tuple[Any, ...]]:
    """All that was scored by this service, by what it depends on."""
    with app.state.services.store.reading() as session:
        rows = session.scalars(select(ScoreRow)).all()
        return {row.key: (row.count, row.correct, row.loss, row.predicted, row.measure) for row in rows}


async def test_a_cluster_without_room_is_refused_with_its_processors(
    cluster: Any, remote: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "START_SECONDS", 0.5)
    asked = replace(pool_of(remote)._settings, threads=3)
    refused = Pool(cluster.address, asked, actors=1, gpus=0, patience=1)
    with pytest.raises(ClusterError, match="processors of its nodes: 2, of each actor: 3"):
        await asyncio.to_thread(refused.open)
    assert pool_of(remote).living == 2


async def test_evaluations_and_maps_have_the_bits_that_they_have_here(remote: FastAPI, local: FastAPI) -> None:
    """Both nodes work, and each loads the model once."""

    async def asked(app: FastAPI) -> list[Any]:
        found: list[Any] = []
        async with client_of(app) as client:
            for changes in ({"drop": ["f1"], "iterations": 2}, {"mean": ["f2"]}, {"resample": ["f3"]}):
                body = {"model": MODEL, "samples": 300, "intervention": changes, "controls": 1}
                answer = (await client.post("/api/v1/evaluations", json=body)).raise_for_status().json()
                assert answer["state"] == "done"
                found.append((answer["id"], answer["accuracy"]))
            body = {"model": MODEL, "samples": 24, "method": "pca", "routing": "initial", "seed": 5}
            job = await ended(client, await start(client, "embeddings", body))
            assert job["state"] == "done", job
            for name in ("xy", "signatures", "unit", "correct"):
                answer = await client.get(f"{job['result']}/arrays/{name}")
                found.append(answer.raise_for_status().content)
        assert all(found)
        return found

    assert await asked(remote) == await asked(local)
    assert len(scored(local)) >= 9 and scored(remote) == scored(local)
    about = pool_of(remote).about()
    assert len(about) == 2
    for actor in about:
        assert actor["loads"] == {MODEL: 1} and actor["tasks"] >= 5


async def test_a_cancel_ends_the_work_and_says_how_far_it_was(remote: FastAPI) -> None:
    async with client_of(remote) as client:
        job = await start(client, "importances", {"model": MODEL, "samples": 3_000, "iterations": 2})
        seen: set[int] = set()
        async with asyncio.timeout(120):
            while len(seen) < 3:
                state = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
                assert state["state"] in {"queued", "running"}, state
                seen |= {state["done"]} if state["done"] else set()
        await client.delete(f"/api/v1/jobs/{job['id']}")
        assert (await ended(client, job))["state"] == "cancelled"
    before = tasks(remote)
    await asyncio.sleep(0.5)
    assert tasks(remote) - before <= 2, "beside what asks, what was begun at most"


async def test_a_node_is_killed_and_the_job_ends_with_the_same_bits(
    cluster: Any, remote: FastAPI, local: FastAPI
) -> None:
    asked = {"model": MODEL, "samples": 500}
    killed = next(node for node in cluster.worker_nodes if node is not cluster.head_node)
    async with client_of(remote) as client:
        job = await start(client, "importances", asked)
        async with asyncio.timeout(120):
            while not (state := (await client.get(f"/api/v1/jobs/{job['id']}")).json())["done"]:
                await asyncio.sleep(0.01)
        assert state["state"] == "running" and state["done"] < state["total"] / 2
        await asyncio.to_thread(cluster.remove_node, killed, allow_graceful=False)
        there = await ended(client, job)
        assert there["state"] == "done", there
        result = (await client.get(there["result"])).json()
    assert pool_of(remote).living == 1, "there is no room for the other one"
    async with client_of(local) as client:
        here = await ended(client, await start(client, "importances", asked))
        expected = (await client.get(here["result"])).json()
    for name in ("shapley", "single", "interactions", "baseline", "total"):
        assert result[name] == expected[name], name
    mine, theirs = scored(local), scored(remote)
    assert len(mine) >= 16 and {key: theirs[key] for key in mine} == mine


async def test_where_there_is_room_again_the_actor_comes_back(cluster: Any, remote: FastAPI) -> None:
    cluster.add_node(num_cpus=1, object_store_memory=SHARED_BYTES)  # which Ray does in the main thread alone
    await until(lambda: pool_of(remote).living == 2)


async def test_what_a_node_lacks_is_refused_in_words(remote: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    services = remote.state.services
    monkeypatch.setitem(services.gallery._contents, "mnist", "of other samples")
    async with client_of(remote) as client:
        answer = await client.post("/api/v1/evaluations", json={"model": MODEL, "data": ["mnist"], "samples": 40})
    assert answer.status_code == 422
    assert "nodes of the Ray cluster lack the samples of mnist.validation" in answer.json()["detail"]


async def test_other_versions_on_the_nodes_are_told_at_the_start(
    remote: FastAPI, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room is made for an actor of the second service, which is then not kept."""
    cluster.add_node(num_cpus=1, object_store_memory=SHARED_BYTES)  # which Ray does in the main thread alone
    monkeypatch.setattr(cluster_module, "__version__", "of tomorrow")
    with pytest.raises(ClusterError, match=r"have Routescope .*, and this machine of tomorrow"):
        async with running(settings(tmp_path, ray_address=cluster.address)):
            pass
