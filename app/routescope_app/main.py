"""One ASGI app: the API under ``/api``, the page at ``/``. Start it with ``uvicorn routescope_app.main:server``."""

import asyncio
import contextlib
import logging
import os
import re
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from typing import Any

import httpx
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from routescope import __version__
from routescope_app.api import callers, connections, problems
from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.metrics import Metrics
from routescope_app.api.middleware.browsers import Browsers
from routescope_app.api.middleware.defects import Defects
from routescope_app.api.middleware.endings import STOPPING, Endings
from routescope_app.api.middleware.limits import RequestLimits
from routescope_app.api.middleware.observing import Observing, standard_output
from routescope_app.api.middleware.read_only import ReadOnlyMode
from routescope_app.api.middleware.security import Access, BrowserRules, Peers
from routescope_app.api.middleware.sessions import Sessions
from routescope_app.api.middleware.users import KnownUsers, Users, UsersUnavailable
from routescope_app.api.routes import (
    behaviours,
    blocks,
    code,
    data,
    docs,
    embeddings,
    evaluations,
    health,
    importances,
    jobs,
    login,
    models,
    observations,
    results,
    samples,
    snapshots,
    streams,
    tables,
    traces,
    unit_sets,
    users,
)
from routescope_app.api.routes import metrics as metrics_route
from routescope_app.api.routes.circuits import designs, graphs, statements
from routescope_app.api.routes.experts import continuations, loads, logs, prunings
from routescope_app.services import tracing
from routescope_app.services.cluster.remote import ClusterError, check_cluster
from routescope_app.services.container import Services
from routescope_app.services.disk import DiskFull
from routescope_app.services.engine import memory
from routescope_app.services.folder_lock import FolderInUse, FolderLock
from routescope_app.services.storage.opening import storage_of
from routescope_app.services.storage.storage import StorageUnreachable
from routescope_app.services.store import OtherRevision, Store
from routescope_app.settings import Settings, unknown_variables

log = logging.getLogger(__name__)
#: Threads, for each work at once, in which requests read files and the database and wait for computations.
THREADS = 16
ANY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def _v1() -> APIRouter:
    """The routes below ``/api/v1``."""
    v1 = APIRouter(responses=problems.RESPONSES)
    for module in (
        health,
        models,
        graphs,
        data,
        samples,
        tables,
        traces,
        unit_sets,
        users,
        continuations,
        evaluations,
        jobs,
        streams,
        importances,
        embeddings,
        observations,
        prunings,
        loads,
        behaviours,
        statements,
        designs,
        blocks,
        code,
        snapshots,
        results,
        logs,
    ):
        v1.include_router(module.router)
    versioned = APIRouter()
    versioned.include_router(v1, prefix="/api/v1")  # without a prefix every route would be made at once, for a check
    return versioned


#: Shared by every app of a process: FastAPI works out what a route reads and answers once for each inclusion.
V1 = _v1()


def create_app(settings: Settings | None = None) -> FastAPI:
    """The app for these settings; without any, for those of the environment."""
    settings = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        for said in unknown_variables(os.environ):
            log.warning("%s", said)
        _have_threads(settings)
        background: set[asyncio.Task[Any]] = {asyncio.create_task(app.state.metrics.watch_loop())}
        services: Services | None = getattr(app.state, "services", None)
        if services is not None:
            forget = partial(services.forget_unused, settings.unused_seconds)
            background.add(asyncio.create_task(memory.give_back_after_work(forget)))
            await services.start()
            if settings.role != "worker":
                background.add(asyncio.create_task(services.clearing.keep_up(settings.upload_days)))
        if app.state.dashboard is not None:
            await _open_index(app, settings)
        if services is not None and settings.warm_up and settings.role != "worker":
            background.add(asyncio.create_task(services.warm_up()))
        try:
            async with _figures_apart(app, settings):
                yield {STOPPING: asyncio.Event()}
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await app.state.client.close()
            if app.state.forward_client is not None:
                await app.state.forward_client.aclose()
            if services is not None:
                await services.stop()
            if settings.telemetry_endpoint is not None:
                await asyncio.to_thread(tracing.stop)

    app = FastAPI(
        title="Routescope",
        summary="Which functions a sample went through, and what happens without them.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        form_limits={"max_files": 1, "max_fields": 7, "max_part_size": 16 * 1024},
    )
    app.state.settings = settings
    problems.install(app)
    app.state.client = ApiClient.of(app, settings, callers.on_behalf, callers.login.get)
    app.state.dashboard = None
    app.state.forward_client = None
    app.state.metrics = metrics = Metrics()
    metrics_route.install(app, settings, metrics)
    sessions = Sessions(settings)
    known = Users(partial(_known, app), partial(_end_logins, app))
    if settings.role != "worker":
        login.install(app, settings, sessions, known)
    if settings.role == "dashboard" and settings.api_url is not None:
        from routescope_app.api.middleware import forward

        app.state.forward_client = forward.install(app, settings)
    elif settings.role == "worker":
        _install_health(app, settings)
    else:
        _install_api(app, settings)
    if settings.role == "api":
        app.add_api_route("/", _to_docs, include_in_schema=False)
    elif settings.role != "worker":
        from dash.exceptions import DependencyException, PreventUpdate

        from routescope_app.dashboard import create_dashboard

        # Within what Dash adds, which would answer them without an id.
        app.add_middleware(Defects, passed=(PreventUpdate,), missing=(DependencyException,))
        app.state.dashboard = create_dashboard(app, settings, app.state.client)
    _guard(app, settings, sessions, known)
    if settings.telemetry_endpoint is not None:
        from routescope_app.api import telemetry

        telemetry.install(app, tracing.start(settings))
    return app


def _have_threads(settings: Settings) -> None:
    """Threads for what blocks: by default there are four more than cores, which a handful of waiting requests takes."""
    threads = THREADS * settings.concurrency
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(threads, "request"))


def _guard(app: FastAPI, settings: Settings, sessions: Sessions, known: Users) -> None:
    """Let requests come through what counts, bounds and refuses them; what is added last is the outermost."""
    if settings.read_only:
        app.add_middleware(ReadOnlyMode)
    app.add_middleware(RequestLimits, settings=settings, callbacks=lambda: _callbacks(app))
    app.add_middleware(Browsers, settings=settings)
    app.add_middleware(Access, settings=settings, sessions=sessions, users=known)
    app.add_middleware(Defects)
    app.add_middleware(Endings)
    app.add_middleware(BrowserRules, script_hashes=lambda: _inline_scripts(app), framing=settings.allowed_origins)
    app.add_middleware(Observing, metrics=app.state.metrics, lines=standard_output() if settings.access_log else None)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    app.add_middleware(Peers)


async def _known(app: FastAPI) -> KnownUsers:
    """Users and ended logins: from the database, or from the API where it runs elsewhere."""
    services: Services | None = getattr(app.state, "services", None)
    if services is None:
        client: ApiClient = app.state.client
        try:
            found = await client.token_hashes()
        except ApiProblem as problem:
            raise UsersUnavailable(str(problem)) from problem
        return KnownUsers(found.names, frozenset(found.ended))
    names = await asyncio.to_thread(services.tokens.digests)
    return KnownUsers(names, await asyncio.to_thread(services.ended_logins.digests))


async def _end_logins(app: FastAPI, ended: Mapping[str, int]) -> None:
    services: Services | None = getattr(app.state, "services", None)
    if services is not None:
        await asyncio.to_thread(services.ended_logins.end, ended)
        return
    client: ApiClient = app.state.client
    try:
        await client.end_logins(ended)
    except ApiProblem as problem:
        raise UsersUnavailable(str(problem)) from problem


def _inline_scripts(app: FastAPI) -> tuple[str, ...]:
    """Content-Security-Policy hashes of the page's own inline scripts, which are fixed once it was opened."""
    if app.state.dashboard is None:
        return ()
    if not hasattr(app.state, "inline_scripts"):
        app.state.inline_scripts = (*app.state.dashboard.csp_hashes(), app.state.web.policy)
    return app.state.inline_scripts


def _callbacks(app: FastAPI) -> Mapping[str, Mapping[str, Any]]:
    """The page's callbacks, as Dash keeps them."""
    return {} if app.state.dashboard is None else app.state.dashboard.callback_map


def _install_api(app: FastAPI, settings: Settings) -> None:
    app.state.services = Services(settings)
    docs.install(app)
    app.router.routes.extend(V1.routes)
    _refuse_others(app)


def _install_health(app: FastAPI, settings: Settings) -> None:
    """Install the health routes of a worker, which has no others."""
    app.state.services = Services(settings)
    app.include_router(health.router, prefix="/api/v1")
    _refuse_others(app)


@contextlib.asynccontextmanager
async def _figures_apart(app: FastAPI, settings: Settings) -> AsyncIterator[None]:
    """The figures on a port of their own, where there is to be one."""
    if settings.metrics_port is None:
        yield
        return
    from routescope_app.api import metrics_port

    figures = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    problems.install(figures)
    figures.state.services = app.state.services
    metrics_route.install(figures, settings, app.state.metrics)
    async with metrics_port.listening(figures, settings, settings.metrics_port) as port:
        log.info("the figures of this worker are at port %d", port)
        app.state.metrics_port = port
        yield


def _refuse_others(app: FastAPI) -> None:
    # Dash answers unknown addresses with its index; below /api they are errors.
    app.add_api_route("/api/{path:path}", _nothing_here, methods=ANY_METHOD, include_in_schema=False)
    app.add_api_route("/api", _nothing_here, methods=ANY_METHOD, include_in_schema=False)


async def _nothing_here(request: Request) -> None:
    """405 where another method would have found something, else 404."""
    methods: set[str] = set()
    for route in iter_route_contexts(request.app.routes):
        if not isinstance(route.original_route, APIRoute) or not route.include_in_schema:
            continue
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", str(route.path)), request.url.path):
            methods |= route.methods or set()
    raise HTTPException(405, headers={"Allow": ", ".join(sorted(methods))}) if methods else HTTPException(404)


async def _to_docs(_request: Request) -> RedirectResponse:
    return RedirectResponse("/api/docs")


async def _open_index(app: FastAPI, settings: Settings) -> None:
    """Ask for the index once: until then Dash's pages lack their assets."""
    headers = {"Authorization": f"Bearer {settings.secret}"} if settings.secret else {}
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
        response = await client.get("/")
        if response.status_code != 200:
            log.warning("the page answered its first request with status %s", response.status_code)


def in_use(settings: Settings) -> str | None:
    """Why this process cannot serve, for a person: it lacks a library, folder, storage, cluster or database."""
    if (why := tracing.missing(settings)) is not None:
        return why
    if settings.role == "dashboard" and settings.api_url is not None:
        return None
    try:
        FolderLock(settings).check()
        storage_of(settings).check()
        check_cluster(settings)
        _check_database(settings)
    except (FolderInUse, StorageUnreachable, DiskFull, ClusterError, OtherRevision) as error:
        return str(error)
    return None


#: How uvicorn must be run.
server_options = connections.server_options


def _check_database(settings: Settings) -> None:
    """Raise OtherRevision where the database is of another version. The start says what else is wrong with it."""
    with closing(Store(settings.database)) as store, suppress(SQLAlchemyError):
        store.check()


def __getattr__(name: str) -> Any:
    """``server`` is made when it is asked for first, so that importing this module starts nothing."""
    if name == "server":
        globals()["server"] = create_app()
        return globals()["server"]
    raise AttributeError(name)
