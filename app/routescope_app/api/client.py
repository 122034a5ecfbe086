"""The client of the API: in the same process by default, over HTTP when the API runs elsewhere."""

from collections.abc import Callable, Mapping
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
    Models,
    Sample,
    Samples,
    SampleTables,
    ScoredTable,
)
from routescope_app.api.schemas.users import MOST_ENDED, WITHIN, EndedLogin, EndedLogins, TokenHashes, User
from routescope_app.settings import Settings

BASE = "/api/v1"
#: Seconds within which an API has to say who its users are.
USERS_SECONDS = 3.0
Answer = TypeVar("Answer", bound=Reply)
#: Value of a parameter of a query.
Query = str | int | bool | None


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

    async def get(self, answer: type[Answer], path: str, **query: Query) -> Answer:
        """As ``ask``, for a GET request; parameters of the query that are None are left out."""
        params = {name: value for name, value in query.items() if value is not None}
        return await self.ask(answer, "GET", path, params=params)

    # -- requests of the pages -------------------------------------------------------------------------------

    async def models(self) -> Models:
        """The models, and those that cannot be used, with the reason."""
        return await self.get(Models, "/models")

    async def model(self, model_id: str) -> ModelDetail:
        return await self.get(ModelDetail, f"/models/{segment(model_id)}")

    async def data(self) -> list[DataSet]:
        """Data sets of every kind of input."""
        return (await self.get(DataSets, "/data")).items

    async def kinds(self) -> dict[str, Kind]:
        """Kinds of input by their names."""
        return {kind.name: kind for kind in (await self.get(Kinds, "/inputs")).items}

    async def samples(self, **query: Query) -> Samples:
        return await self.get(Samples, "/samples", **query)

    async def sample(self, sample_id: str) -> Sample:
        return await self.get(Sample, f"/samples/{segment(sample_id)}")

    async def tables(self, **query: Query) -> SampleTables:
        return await self.get(SampleTables, "/tables", **query)

    async def written(self, inputs: str | None = None, *, limit: int, rows: int) -> SampleTables:
        """Samples that this browser wrote, of one kind of input or of all, and those of everybody; newest first."""
        return await self.get(SampleTables, "/samples/written", inputs=inputs, limit=limit, rows=rows)

    async def table(self, sample_id: str) -> ScoredTable:
        return await self.get(ScoredTable, f"/tables/{segment(sample_id)}")

    async def user(self) -> User:
        """On whose behalf it is asked, and whether the service is read-only."""
        return await self.get(User, "/user")

    async def token_hashes(self) -> TokenHashes:
        """Hashes of accepted tokens and of ended logins, for a page with its own server."""
        return await self.ask(TokenHashes, "GET", "/users/tokens", timeout=USERS_SECONDS)

    async def end_logins(self, ended: Mapping[str, int]) -> None:
        """Logins are over, by the hash of the cookie and when each would have expired; for a page's own server."""
        items = [EndedLogin(digest=digest, until=until) for digest, until in ended.items()]
        for at in range(0, len(items), MOST_ENDED):
            body = EndedLogins(items=items[at : at + MOST_ENDED]).model_dump()
            await self.request("POST", "/users/logouts", json=body, timeout=USERS_SECONDS)


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
