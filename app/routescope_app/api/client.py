"""The client of the API: in the same process by default, over HTTP when the API runs elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Self, TypeVar

import httpx
from starlette.types import ASGIApp

from routescope_app.api.addresses import segment
from routescope_app.api.schemas.base import Problem, Reply
from routescope_app.api.schemas.catalogue import (
    DataSet,
    DataSets,
    Kind,
    Kinds,
    ModelDetail,
    ModelInfo,
    Models,
    Sample,
    Samples,
    SampleTables,
    ScoredTable,
    TraceInfo,
)
from routescope_app.api.schemas.results import Importance, Observation
from routescope_app.api.schemas.snapshots import Snapshot, Snapshots
from routescope_app.api.schemas.unit_sets import UnitSet
from routescope_app.api.schemas.users import MOST_ENDED, WITHIN, EndedLogin, EndedLogins, TokenHashes, User
from routescope_app.settings import Settings

BASE = "/api/v1"
#: Seconds within which an API has to say who its users are.
USERS_SECONDS = 3.0
Answer = TypeVar("Answer", bound=Reply)


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


class ApiClient:
    """``request`` and ``ask`` reach every route; the other methods are the requests that the pages make.

    Answers are the schemas of :mod:`routescope_app.api.schemas`. Every error is an :class:`ApiProblem`.

    Args:
        app: the ASGI app of this process; used when ``url`` is None.
        url: address of an API elsewhere.
        token: its secret, or None.
        timeout: seconds for one request.
        on_behalf: gives further headers of each request, which say for whom it is asked.
        by_login: whether they for whom it is asked came in by the login form, and may log out.
    """

    def __init__(
        self,
        app: ASGIApp | None = None,
        url: str | None = None,
        token: str | None = None,
        timeout: float = 60,
        on_behalf: Callable[[], Mapping[str, str]] = dict,
        by_login: Callable[[], bool] = bool,
    ) -> None:
        if app is None and url is None:
            raise ValueError("an ApiClient needs an app or a url")
        transport = (
            httpx.ASGITransport(app=app, raise_app_exceptions=False, client=(WITHIN, 0))
            if url is None and app is not None
            else None
        )
        self._on_behalf = on_behalf
        self.by_login = by_login
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.AsyncClient(
            transport=transport,
            base_url=url or "http://127.0.0.1",
            headers=headers,
            timeout=timeout,
            trust_env=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # many browsers share this client
        )

    @classmethod
    def of(
        cls,
        app: ASGIApp,
        settings: Settings,
        on_behalf: Callable[[], Mapping[str, str]] = dict,
        by_login: Callable[[], bool] = bool,
    ) -> Self:
        """The client that ``settings`` ask for."""
        return cls(app=app, url=settings.api_url, token=settings.secret, on_behalf=on_behalf, by_login=by_login)

    async def close(self) -> None:
        await self._client.aclose()

    # -- any route -------------------------------------------------------------------------------------------

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer to a request below ``/api/v1``; ``options`` are those of ``httpx``.

        Raises:
            ApiProblem: for every answer that is no success, and where there is none.
        """
        options["headers"] = {**self._on_behalf(), **options.get("headers", {})}
        try:
            response = await self._client.request(method, BASE + path, **options)
        except httpx.TimeoutException as error:
            raise ApiProblem("No answer", "The API did not answer in time; please try again.", 504) from error
        except httpx.HTTPError as error:
            raise ApiProblem("Not reachable", "The API cannot be reached; is it running?", 502) from error
        if response.is_success:
            return response
        raise _problem(response)

    async def ask(self, answer: type[Answer], method: str, path: str, **options: Any) -> Answer:
        """The answer to a request, read as the schema that its route has; raises ApiProblem as ``request``."""
        return answer.model_validate_json((await self.request(method, path, **options)).content)

    # -- models and data sets --------------------------------------------------------------------------------

    async def models(self) -> list[ModelInfo]:
        return (await self.all_models()).items

    async def all_models(self) -> Models:
        """The models, and those that cannot be used, with the reason."""
        return await self.ask(Models, "GET", "/models")

    async def model(self, model_id: str) -> ModelDetail:
        return await self.ask(ModelDetail, "GET", f"/models/{segment(model_id)}")

    async def data(self) -> list[DataSet]:
        """Data sets of pictures."""
        return (await self.ask(DataSets, "GET", "/data", params={"inputs": "images"})).items

    async def all_data(self) -> list[DataSet]:
        """Data sets of every kind of input."""
        return (await self.ask(DataSets, "GET", "/data")).items

    async def kinds(self) -> dict[str, Kind]:
        """Kinds of input by their names."""
        return {each.name: each for each in (await self.ask(Kinds, "GET", "/inputs")).items}

    async def keep_units(self, units: Sequence[str]) -> str:
        """Has a set of units kept; what stands for it where units are named."""
        return (await self.ask(UnitSet, "POST", "/unit-sets", json={"units": list(units)})).name

    # -- samples ---------------------------------------------------------------------------------------------

    async def samples(
        self,
        *,
        origin: str | None = None,
        set: str | None = None,
        label: int | None = None,
        wrong: bool | None = None,
        model: str | None = None,
        find: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Samples:
        query = {
            "origin": origin, "set": set, "label": label, "wrong": wrong, "model": model, "find": find,
            "limit": limit, "offset": offset,
        }  # fmt: skip
        return await self.ask(Samples, "GET", "/samples", params={k: v for k, v in query.items() if v is not None})

    async def sample(self, sample_id: str, model: str | None = None) -> Sample:
        params = {"model": model} if model else {}
        return await self.ask(Sample, "GET", f"/samples/{segment(sample_id)}", params=params)

    async def tables(
        self,
        *,
        inputs: str | None = None,
        set: str | None = None,
        label: int | None = None,
        find: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        rows: int | None = None,
    ) -> SampleTables:
        query = {
            "inputs": inputs, "set": set, "label": label, "find": find, "limit": limit, "offset": offset, "rows": rows,
        }  # fmt: skip
        params = {name: value for name, value in query.items() if value is not None}
        return await self.ask(SampleTables, "GET", "/tables", params=params)

    async def written(self, inputs: str | None = None, *, limit: int, offset: int = 0, rows: int = 20) -> SampleTables:
        """Samples that this browser wrote, of one kind of input or of all, and those of everybody; newest first."""
        params: dict[str, str | int] = {"limit": limit, "offset": offset, "rows": rows}
        params |= {} if inputs is None else {"inputs": inputs}
        return await self.ask(SampleTables, "GET", "/samples/written", params=params)

    async def table(self, sample_id: str, model: str | None = None) -> ScoredTable:
        params = {"model": model} if model else {}
        return await self.ask(ScoredTable, "GET", f"/tables/{segment(sample_id)}", params=params)

    async def change_sample(self, sample_id: str, changes: Mapping[str, Any]) -> Sample:
        return await self.ask(Sample, "PATCH", f"/samples/{segment(sample_id)}", json=dict(changes))

    async def delete_sample(self, sample_id: str) -> None:
        await self.request("DELETE", f"/samples/{segment(sample_id)}")

    async def user(self) -> User:
        """On whose behalf it is asked, and whether the service is read-only."""
        return await self.ask(User, "GET", "/user")

    async def token_hashes(self) -> TokenHashes:
        """Hashes of accepted tokens and of ended logins, for a page with its own server."""
        return await self.ask(TokenHashes, "GET", "/users/tokens", timeout=USERS_SECONDS)

    async def end_logins(self, ended: Mapping[str, int]) -> None:
        """Logins are over, by the hash of the cookie and when each would have expired; for a page's own server."""
        items = [EndedLogin(digest=digest, until=until) for digest, until in ended.items()]
        for at in range(0, len(items), MOST_ENDED):
            body = EndedLogins(items=items[at : at + MOST_ENDED]).model_dump()
            await self.request("POST", "/users/logouts", json=body, timeout=USERS_SECONDS)

    # -- snapshots -------------------------------------------------------------------------------------------

    async def snapshots(self, *, limit: int | None = None, offset: int | None = None) -> Snapshots:
        """Views that people kept, newest first."""
        params = {name: value for name, value in {"limit": limit, "offset": offset}.items() if value is not None}
        return await self.ask(Snapshots, "GET", "/snapshots", params=params)

    async def add_snapshot(self, name: str, address: str, note: str = "") -> Snapshot:
        return await self.ask(Snapshot, "POST", "/snapshots", json={"name": name, "address": address, "note": note})

    async def snapshot(self, snapshot_id: str) -> Snapshot:
        return await self.ask(Snapshot, "GET", f"/snapshots/{segment(snapshot_id)}")

    async def change_snapshot(self, snapshot_id: str, changes: Mapping[str, str]) -> Snapshot:
        return await self.ask(Snapshot, "PATCH", f"/snapshots/{segment(snapshot_id)}", json=dict(changes))

    async def delete_snapshot(self, snapshot_id: str) -> None:
        await self.request("DELETE", f"/snapshots/{segment(snapshot_id)}")

    # -- traces, and what jobs give --------------------------------------------------------------------------

    async def trace(
        self,
        model: str,
        sample: str,
        *,
        fields: Sequence[str] | None = None,
        **change: Any,
    ) -> TraceInfo:
        """Record a trace, or find a recorded one.

        Args:
            fields: of the trace; None: those that show the routing.
            change: fields of an intervention, as ``InterventionBody`` has them.
        """
        body: dict[str, Any] = {"model": model, "sample": sample, "intervention": change}
        if fields is not None:
            body["fields"] = list(fields)
        return await self.ask(TraceInfo, "POST", "/traces", json=body)

    async def importance(self, job_id: str) -> Importance:
        return await self.ask(Importance, "GET", f"/importances/{segment(job_id)}")

    async def observation(self, job_id: str) -> Observation:
        return await self.ask(Observation, "GET", f"/observations/{segment(job_id)}")


def _problem(response: httpx.Response) -> ApiProblem:
    try:
        body = Problem.model_validate_json(response.content)
    except ValueError:
        return ApiProblem(
            "Unexpected answer", f"The API answered with status {response.status_code}.", response.status_code
        )
    retry = response.headers.get("Retry-After", "")
    retry_after = int(retry) if retry.isdigit() else None
    return ApiProblem(body.title, body.detail, response.status_code, body.instance, retry_after)
