"""The one client of the API: in the same process by default, over HTTP when the API runs elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import httpx
import numpy as np
from starlette.types import ASGIApp

from app.api import schemas
from app.api.addresses import segment
from app.api.block_client import BlockClient
from app.api.statement_client import StatementClient
from app.settings import Settings

BASE = "/api/v1"


@dataclass(frozen=True)
class FieldArray:
    """A field of a trace, or an array of a map."""

    values: np.ndarray
    dims: tuple[str, ...]


@dataclass(frozen=True)
class EdgeList:
    """Links of a graph, the most probable first.

    Attributes:
        i, j: positions of the modules, i < j.
        p: link probabilities.
        total: links that there are, with those that were not asked for.
    """

    i: np.ndarray
    j: np.ndarray
    p: np.ndarray
    total: int

    @classmethod
    def read(cls, content: bytes, count: int, total: int) -> Self:
        """What ``/graph/edges`` sends: all i, all j (16 bits each), all p (float32)."""
        i, j = (np.frombuffer(content, "<u2", count, 2 * count * place) for place in (0, 1))
        return cls(i, j, np.frombuffer(content, "<f4", count, 4 * count), total)


class ApiProblem(Exception):
    """The API refused or failed; ``detail`` is meant for people."""

    def __init__(
        self, title: str, detail: str, status: int, instance: str = "", retry_after: int | None = None
    ) -> None:
        super().__init__(f"{title}: {detail}")
        self.title = title
        self.detail = detail
        self.status = status
        self.instance = instance
        self.retry_after = retry_after


class ApiClient(StatementClient, BlockClient):
    """Methods mirror the routes; answers are the schemas of :mod:`app.api.schemas`.

    Args:
        app: the ASGI app of this process; used when ``url`` is None.
        url: address of an API elsewhere.
        token: its secret, or None.
        timeout: seconds for one request.
    """

    def __init__(
        self, app: ASGIApp | None = None, url: str | None = None, token: str | None = None, timeout: float = 60
    ) -> None:
        if app is None and url is None:
            raise ValueError("an ApiClient needs an app or a url")
        transport = (
            httpx.ASGITransport(app=app, raise_app_exceptions=False) if url is None and app is not None else None
        )
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.AsyncClient(
            transport=transport, base_url=url or "http://127.0.0.1", headers=headers, timeout=timeout, trust_env=False
        )

    @classmethod
    def of(cls, app: ASGIApp, settings: Settings) -> Self:
        """The client that ``settings`` ask for."""
        return cls(app=app, url=settings.api_url, token=settings.secret)

    async def close(self) -> None:
        await self._client.aclose()

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request below ``/api/v1``; raises ApiProblem for every error."""
        try:
            response = await self._client.request(method, BASE + path, **options)
        except httpx.TimeoutException as error:
            raise ApiProblem("No answer", "The API did not answer in time; please try again.", 504) from error
        except httpx.HTTPError as error:
            raise ApiProblem("Not reachable", "The API cannot be reached; is it running?", 502) from error
        if response.is_success:
            return response
        raise _problem(response)

    # -- models, data, health --------------------------------------------------------------------------------

    async def health(self) -> schemas.Health:
        return schemas.Health.model_validate_json((await self.request("GET", "/health")).content)

    async def models(self) -> list[schemas.ModelInfo]:
        return schemas.Models.model_validate_json((await self.request("GET", "/models")).content).items

    async def model(self, model_id: str) -> schemas.ModelDetail:
        return schemas.ModelDetail.model_validate_json(
            (await self.request("GET", f"/models/{segment(model_id)}")).content
        )

    async def data(self, inputs: schemas.Inputs | None = "images") -> list[schemas.DataSet]:
        """Data sets of pictures, of statements, of blocks, or with None all of them."""
        params = {} if inputs is None else {"inputs": inputs}
        return schemas.DataSets.model_validate_json((await self.request("GET", "/data", params=params)).content).items

    # -- graphs ----------------------------------------------------------------------------------------------

    async def graph(self, model_id: str) -> schemas.Graph:
        """The links of a model; ApiProblem of status 404 for models without any."""
        path = f"/models/{segment(model_id)}/graph"
        return schemas.Graph.model_validate_json((await self.request("GET", path)).content)

    async def graph_edges(self, model_id: str, least: float = 0.0, most: int | None = None) -> EdgeList:
        """Links above a probability, the most probable first."""
        params = {"least": least} | ({} if most is None else {"most": most})
        response = await self.request("GET", f"/models/{segment(model_id)}/graph/edges", params=params)
        return EdgeList.read(response.content, int(response.headers["X-Count"]), int(response.headers["X-Total"]))

    async def graph_matrix(self, model_id: str, which: str = "learned") -> np.ndarray:
        """Link probabilities (unit, unit), in the order of the model's units."""
        path = f"/models/{segment(model_id)}/graph/matrix"
        return (await self._array(path, which=which)).values

    async def graph_module(
        self, model_id: str, unit: str, sample: str | None = None, samples: int = 1_000
    ) -> schemas.GraphModule:
        """One module; with a sample also where it reads and what it gives to the output."""
        params = {"samples": samples} | ({} if sample is None else {"sample": sample})
        path = f"/models/{segment(model_id)}/graph/modules/{segment(unit)}"
        return schemas.GraphModule.model_validate_json((await self.request("GET", path, params=params)).content)

    # -- samples ---------------------------------------------------------------------------------------------

    async def samples(
        self,
        *,
        origin: str | None = None,
        set: str | None = None,
        label: int | None = None,
        wrong: bool | None = None,
        model: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> schemas.Samples:
        query = {
            "origin": origin, "set": set, "label": label, "wrong": wrong, "model": model,
            "limit": limit, "offset": offset,
        }  # fmt: skip
        response = await self.request("GET", "/samples", params={k: v for k, v in query.items() if v is not None})
        return schemas.Samples.model_validate_json(response.content)

    async def sample(self, sample_id: str, model: str | None = None) -> schemas.Sample:
        params = {"model": model} if model else {}
        response = await self.request("GET", f"/samples/{segment(sample_id)}", params=params)
        return schemas.Sample.model_validate_json(response.content)

    async def add_sample(
        self, content: bytes, *, file_name: str = "picture.png", name: str | None = None, label: int | None = None,
        origin: str = "upload",
    ) -> schemas.Sample:  # fmt: skip
        fields = {"name": name, "label": None if label is None else str(label), "origin": origin}
        response = await self.request(
            "POST",
            "/samples",
            files={"file": (file_name, content, "application/octet-stream")},
            data={k: v for k, v in fields.items() if v is not None},
        )
        return schemas.Sample.model_validate_json(response.content)

    async def change_sample(self, sample_id: str, changes: Mapping[str, Any]) -> schemas.Sample:
        response = await self.request("PATCH", f"/samples/{segment(sample_id)}", json=dict(changes))
        return schemas.Sample.model_validate_json(response.content)

    async def delete_sample(self, sample_id: str) -> None:
        await self.request("DELETE", f"/samples/{segment(sample_id)}")

    async def image(self, sample_id: str, scale: int = 1, view: str = "network") -> bytes:
        """PNG."""
        params = {"scale": scale, "view": view}
        return (await self.request("GET", f"/samples/{segment(sample_id)}/image", params=params)).content

    # -- traces ----------------------------------------------------------------------------------------------

    async def trace(
        self,
        model: str,
        sample: str,
        *,
        drop: Sequence[str] = (),
        mute: Sequence[str] = (),
        iterations: int | None = None,
        keep_edges: float | None = None,
        fields: Sequence[str] = ("compatibility", "types"),
    ) -> schemas.TraceInfo:
        """Record a trace, or find it when it was recorded before."""
        body = {
            "model": model,
            "sample": sample,
            "intervention": {
                "drop": list(drop),
                "mute": list(mute),
                "iterations": iterations,
                "keep_edges": keep_edges,
            },
            "fields": list(fields),
        }
        return schemas.TraceInfo.model_validate_json((await self.request("POST", "/traces", json=body)).content)

    async def trace_info(self, trace_id: str) -> schemas.TraceInfo:
        response = await self.request("GET", f"/traces/{segment(trace_id)}")
        return schemas.TraceInfo.model_validate_json(response.content)

    async def field(self, trace_id: str, name: str) -> FieldArray:
        """One field as an array."""
        return await self._array(f"/traces/{segment(trace_id)}/fields/{segment(name)}")

    async def _array(self, path: str, **params: str) -> FieldArray:
        response = await self.request("GET", path, params=params or {"format": "binary"})
        shape = tuple(int(n) for n in response.headers["X-Shape"].split(",") if n)
        dims = tuple(d for d in response.headers["X-Dims"].split(",") if d)
        dtype = np.dtype(response.headers["X-Dtype"]).newbyteorder("<")
        return FieldArray(np.frombuffer(response.content, dtype).reshape(shape), dims)

    async def trace_file(self, trace_id: str, format: str = "netcdf") -> bytes:
        response = await self.request("GET", f"/traces/{segment(trace_id)}/file", params={"format": format})
        return response.content

    # -- evaluations -----------------------------------------------------------------------------------------

    async def evaluation(
        self,
        model: str,
        *,
        data: Sequence[str] = (),
        samples: int = 1_000,
        intervention: Mapping[str, Any] | None = None,
        controls: int = 10,
    ) -> schemas.Evaluation:
        """Score an intervention and wait for the result."""
        body = {"model": model, "data": list(data), "samples": samples, "controls": controls}
        body["intervention"] = dict(intervention or {})
        return schemas.Evaluation.model_validate_json((await self.request("POST", "/evaluations", json=body)).content)

    # -- jobs ------------------------------------------------------------------------------------------------

    async def start_importance(self, model: str, **request: Any) -> schemas.Job:
        """Fields of :class:`app.api.schemas.ImportanceRequest`."""
        return await self._start("/importances", model, request)

    async def start_embedding(self, model: str, **request: Any) -> schemas.Job:
        """Fields of :class:`app.api.schemas.EmbeddingRequest`."""
        return await self._start("/embeddings", model, request)

    async def start_observation(self, model: str, **request: Any) -> schemas.Job:
        """Fields of :class:`app.api.schemas.ObservationRequest`."""
        return await self._start("/observations", model, request)

    async def _start(self, path: str, model: str, request: Mapping[str, Any]) -> schemas.Job:
        response = await self.request("POST", path, json={"model": model, **request})
        return schemas.Job.model_validate_json(response.content)

    async def jobs(self, kind: str | None = None, state: str | None = None) -> list[schemas.Job]:
        query = {"kind": kind, "state": state}
        response = await self.request("GET", "/jobs", params={k: v for k, v in query.items() if v is not None})
        return schemas.Jobs.model_validate_json(response.content).items

    async def job(self, job_id: str) -> schemas.Job:
        return schemas.Job.model_validate_json((await self.request("GET", f"/jobs/{segment(job_id)}")).content)

    async def cancel_job(self, job_id: str, release: bool = False) -> schemas.Job:
        """``release`` gives up the own interest alone: others who asked for the same go on waiting for it."""
        params = {"release": "true"} if release else None
        response = await self.request("DELETE", f"/jobs/{segment(job_id)}", params=params)
        return schemas.Job.model_validate_json(response.content)

    async def importance(self, job_id: str) -> schemas.Importance:
        response = await self.request("GET", f"/importances/{segment(job_id)}")
        return schemas.Importance.model_validate_json(response.content)

    async def embedding(self, job_id: str) -> schemas.Embedding:
        response = await self.request("GET", f"/embeddings/{segment(job_id)}")
        return schemas.Embedding.model_validate_json(response.content)

    async def embedding_array(self, job_id: str, name: str) -> FieldArray:
        return await self._array(f"/embeddings/{segment(job_id)}/arrays/{segment(name)}")

    async def observation(self, job_id: str) -> schemas.Observation:
        response = await self.request("GET", f"/observations/{segment(job_id)}")
        return schemas.Observation.model_validate_json(response.content)


def _problem(response: httpx.Response) -> ApiProblem:
    try:
        body = schemas.Problem.model_validate_json(response.content)
    except ValueError:
        return ApiProblem(
            "Unexpected answer", f"The API answered with status {response.status_code}.", response.status_code
        )
    retry = response.headers.get("Retry-After", "")
    retry_after = int(retry) if retry.isdigit() else None
    return ApiProblem(body.title, body.detail, response.status_code, body.instance, retry_after)
