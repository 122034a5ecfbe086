"""Server and browser of the tests. A console error or a request to another host fails the test."""

import asyncio
import contextlib
import csv
import json
import math
import re
import socket
import threading
import time
import xml.etree.ElementTree as ET
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
import pytest
import torch
import uvicorn
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Route,
    WebError,
    expect,
    sync_playwright,
)

from routescope import assets
from routescope.data.statements.sets import quadruples
from routescope.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.zoo import checkpoint
from routescope_app.main import create_app
from routescope_app.services.engine.clients import operator
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority
from routescope_app.settings import Settings
from tests import machine
from tests.app import serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
]
MODEL = "ni-digits"
CIRCUIT = "tiny-circuit"
STATEMENTS = "tiny-statements"
#: Longest wait for an expected change in milliseconds, also on a busy machine.
PATIENCE = 120_000
#: Never answers requests that start a job.
WITHOUT_JOBS = r"""(() => {
  const ask = window.fetch;
  const starts = /\/(importances|sentence-maps|embeddings|observations)$/;
  window.fetch = (path, options) =>
    options?.method === "POST" && starts.test(path) ? new Promise(() => {}) : ask(path, options);
})()"""
expect.set_options(timeout=PATIENCE)


def chromium() -> str:
    """Return the path of Chromium."""
    program = machine.chromium()
    if not program:
        raise RuntimeError("the browser tests need Chromium, which `make test` installs")
    return str(program)


class Server:
    """Routescope on its own port, which can be stopped and restarted on the same folder."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.options = options
        self.port = 0
        self._server: uvicorn.Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        listener = socket.create_server(("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        app = create_app(Settings(data_dir=self.folder, warm_up=False, port=self.port, **self.options))
        self._app = app
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 120
        while not self._server.started:
            assert self._thread.is_alive() and time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)

    def stop(self, patience: int | None = None) -> None:
        """Stop; requests in progress are cut after so many seconds, or end first."""
        if self._server is not None:
            self._server.config.timeout_graceful_shutdown = patience
            self._server.should_exit = True
            self._thread.join(timeout=60)
            assert not self._thread.is_alive(), "the server did not stop"
            self._server = None

    def address(self, path: str, **query: Any) -> str:
        return self.url + path + ("?" + urlencode(query) if query else "")

    def ask(self, method: str, path: str, **what: Any) -> httpx.Response:
        """Send a request to the API without a browser and return its response."""
        return httpx.request(method, f"{self.url}/api/v1{path}", timeout=PATIENCE / 1000, **what)

    def end_jobs(self) -> None:
        """Cancel jobs that earlier tests left, because they would slow down this test."""
        assert self._server is not None

        async def end() -> None:
            operator.set(True)
            for state in ("queued", "running"):
                for job in await self._app.state.services.jobs.newest(1_000, None, state):
                    await self._app.state.services.jobs.cancel(job.id)

        loop = self._server.servers[0].get_loop()
        asyncio.run_coroutine_threadsafe(end(), loop).result(PATIENCE / 1000)
        assert not self.ask("GET", "/jobs", params={"state": "running"}).json()["items"]


@contextlib.contextmanager
def served(folder: Path, **options: Any) -> Iterator[Server]:
    """Run a server with further settings."""
    server = Server(folder, **options)
    server.start()
    try:
        yield server
    finally:
        server.stop(patience=20)


@pytest.fixture(scope="package")
def server(
    tmp_path_factory: pytest.TempPathFactory, circuit: str, statement_model: str, experts: str
) -> Iterator[Server]:
    """One server for all tests of the package.

    It starts after the small networks have their random weights: its threads use the same random numbers of torch.
    """
    with served(tmp_path_factory.mktemp("served")) as running:
        yield running


#: Sizes of the small circuits.
SIZES: dict[str, Any] = {
    "features": 16, "code_features": 16, "signature_features": 8, "readouts": 2, "layers": 2, "heads": 2,
    "head_features": 8, "ffn_hidden": 16, "readin_head_features": 8, "readout_head_features": 8,
    "position_features": 4,
}  # fmt: skip


@pytest.fixture(scope="package")
def circuit() -> str:
    """The name of a small circuit at initialisation: 40 modules in two groups, two layers, one domain held out."""
    torch.manual_seed(0)
    model = NeuralAttentiveCircuit(
        NeuralAttentiveCircuitConfig(**SIZES, modules=40, image_size=32, held_out=("mnist-m",))
    )
    groups = torch.randn(2, 8)[torch.arange(40) % 2]
    torch.nn.init.normal_(model.processor.signatures, std=0.5).data.add_(groups)
    checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / CIRCUIT / "model.safetensors")
    return CIRCUIT


@pytest.fixture(scope="package")
def statement_model() -> str:
    """The name of a small circuit at initialisation that sentences design, for statements about pairs of pictures."""
    torch.manual_seed(0)
    sentences = quadruples(Random(0), 100).sentences
    words = {word for sentence in sentences for word in re.findall(r"\w+|[^\w\s]", sentence.lower())}
    config = ConditionalCircuitConfig(
        **SIZES, modules=12, image_size=48, words=tuple(sorted(words)), text_features=16, generator_features=16,
        generator_heads=2, generator_hidden=32,
    )  # fmt: skip
    model = ConditionalNeuralAttentiveCircuit(config)
    checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / STATEMENTS / "model.safetensors")
    return STATEMENTS


@pytest.fixture(scope="package")
def experts() -> str:
    """The name of a small mixture of experts at initialisation, with as many layers and experts as ``moe-bytes``."""
    serving.make_experts()
    return serving.EXPERTS


class Hold:
    """Stop the server's work of one priority after the number of pieces that a test allows."""

    def __init__(self) -> None:
        self.priority: Priority | None = None
        self.pieces: float = 0

    def at(self, priority: Priority, pieces: int) -> None:
        """Allow this many more pieces of work of a priority."""
        self.priority, self.pieces = priority, pieces

    def let_go(self) -> None:
        self.pieces = math.inf

    async def turn(self, priority: Priority) -> None:
        """Wait until a piece is allowed; the wait can be cancelled."""
        while priority == self.priority and self.pieces < 1:
            await asyncio.sleep(0.01)
        if priority == self.priority:
            self.pieces -= 1


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hold]:
    """Keep fast work running until the test has looked at it or cancelled it."""
    hold, run = Hold(), Inference.run

    async def held(
        inference: Inference, work: Any, cost: float = 0.0, priority: Priority = Priority.TRACE, admitted: Any = None
    ) -> Any:
        await hold.turn(priority)
        return await run(inference, work, cost, priority, admitted)

    monkeypatch.setattr(Inference, "run", held)
    yield hold
    hold.let_go()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium for the package; the plugin's own fixture would keep its event loop for the whole session."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def _context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """One browser context for all tests: a page in a new context would compile all scripts again.

    An almost empty page stays open. So each test's page is a new tab of the same process, with its compiled scripts.
    """
    context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    context.new_page().goto(server.address("/api/v1/health"))
    yield context
    context.close()


@pytest.fixture
def context(_context: BrowserContext) -> Iterator[BrowserContext]:
    """The shared context without permissions, cookies and stored data of earlier tests."""
    yield _context
    kept, *pages = _context.pages
    session = _context.new_cdp_session(kept)
    for origin in {"{0.scheme}://{0.netloc}".format(urlsplit(page.url)) for page in pages}:
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()
    for page in pages:
        page.close()
    _context.clear_cookies()
    _context.clear_permissions()


class Guard:
    """Collect console errors, script errors and requests to other hosts; a test names the console errors it expects.

    Attributes:
        wrong: lines on what happened.
        visited: the addresses that pages had.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.visited: list[str] = []
        self._expected: list[str] = []

    def expect(self, pattern: str) -> None:
        self._expected.append(pattern)

    @contextlib.contextmanager
    def watching(self, context: BrowserContext) -> Iterator[None]:
        heard = {"console": self._console, "weberror": self._script, "request": self._request, "page": self._page}
        for event, listener in heard.items():
            context.on(event, listener)
        yield
        for event, listener in heard.items():
            context.remove_listener(event, listener)

    def _page(self, page: Page) -> None:
        page.on("framenavigated", lambda frame: self.visited.append(frame.url))

    def _console(self, console_message: ConsoleMessage) -> None:
        if console_message.type == "error":
            self.wrong.append(f"console: {console_message.text[:500]}")

    def _script(self, failed: WebError) -> None:
        self.wrong.append(f"script: {failed.error}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname != "127.0.0.1":
            self.wrong.append(f"request to another host: {request.url[:200]}")

    def unexpected(self) -> list[str]:
        return [line for line in self.wrong if not any(re.search(pattern, line) for pattern in self._expected)]


@pytest.fixture(autouse=True)
def guard(context: BrowserContext) -> Iterator[Guard]:
    guard = Guard()
    with guard.watching(context):
        yield guard
    print("addresses:", *guard.visited, sep="\n")  # pytest shows them if the test fails
    assert not guard.unexpected(), "\n".join(guard.unexpected())


# -- shared steps -----------------------------------------------------------------------------


@pytest.fixture
def open_paths(page: Page, server: Server) -> Callable[..., Page]:
    """Open the Paths page and wait until its picture is painted."""

    def opened(sample: str = "mnist.validation.3", **query: Any) -> Page:
        page.goto(server.address("/paths", model=MODEL, sample=sample, **query))
        page.wait_for_selector("#path-picture[data-painted]")
        page.wait_for_selector("#patch-picture[data-painted]")
        return page

    return opened


@pytest.fixture
def save(page: Page, tmp_path: Path) -> Callable[..., Path]:
    """Save an export of a panel and return the file, whose name contains the model; ``look`` chooses in the dialog.

    Chromium silently drops the downloads of a page beyond ten a second, so the eleventh waits.
    """
    burst: deque[float] = deque(maxlen=10)  # starts of the last ten downloads, in seconds

    def saved(panel: str, kind: str, model: str = MODEL, **look: str) -> Path:
        if len(burst) == burst.maxlen:
            page.wait_for_timeout(1000 * max(0.0, burst[0] + 1.1 - time.monotonic()))
        page.click(f"#{panel}-export")
        page.click(f'[data-panel="{panel}"][data-export="choose"]')
        page.check(f'.export-dialog input[value="{kind}"]')
        for name, value in look.items():
            page.select_option(f"#export-{name}", value)
        with page.expect_download() as coming:
            page.click("#export-save")
        burst.append(time.monotonic())
        target = tmp_path / coming.value.suggested_filename
        coming.value.save_as(target)
        assert model in target.name and target.suffix == f".{kind}"
        return target

    return saved


SVG = "{http://www.w3.org/2000/svg}"


def facts_of(file: Path) -> Any:
    """Return the facts inside an SVG file."""
    return json.loads(ET.parse(file).findtext(f"{SVG}metadata") or "")


def rows_of(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, without its lines of facts."""
    return list(csv.DictReader(line for line in file.read_text().splitlines() if not line.startswith("#")))


def colours_on(page: Page, canvas: str) -> int:
    """Return the number of colours on a canvas."""
    script = """canvas => {
        const pixels = new Uint32Array(
            canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size;
    }"""
    return int(page.locator(canvas).evaluate(script))


def predictions_on(page: Page, key: str = "paths") -> str:
    """Return the description of the picture of predictions."""
    return str(page.get_attribute(f'[data-key="{key}"] canvas', "aria-label"))


def url_of(page: Page) -> str:
    """Return the page's address now; Playwright's own value may be older."""
    return str(page.evaluate("location.href"))


def go(page: Page, address: str) -> None:
    """Open an address of the open dashboard as its links do, without loading the application again."""
    navigate = "history.pushState({}, '', to); window.dispatchEvent(new CustomEvent('_dashprivate_pushstate'))"
    page.evaluate(f"to => {{ {navigate}; }}", address)


def tab_to(page: Page, selector: str) -> None:
    """Press the tab key until the element has the focus, which must be visible."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"{selector} has no visible focus"
            return
    raise AssertionError(f"no way to {selector} with the tab key")


def drag(page: Page, canvas: str, corners: Sequence[tuple[float, float]]) -> None:
    """Draw a line over a canvas with the mouse, through points in shares of its width and height."""
    page.locator(canvas).scroll_into_view_if_needed()
    box = page.locator(canvas).bounding_box()
    assert box is not None
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for point in places[1:]:
        page.mouse.move(*point, steps=6)
    page.mouse.up()


def switch(control: Locator, on: bool) -> None:
    """Click a switch, wherever it moves, and wait for its state: Dash renders it after the click."""
    control.dispatch_event("click")
    expect(control).to_be_checked(checked=on)


#: Errors while another page loads, or while the element is missing.
NOT_YET = ("Execution context was destroyed", "Cannot read properties of null")


def until(page: Page, expression: str, argument: Any = None) -> None:
    """Wait until an expression is true. Playwright's own wait evaluates strings, which the page's policy forbids."""
    deadline = time.monotonic() + PATIENCE / 1000

    def holds() -> bool:
        try:
            return bool(page.evaluate(expression, argument))
        except Error as error:
            if not any(words in str(error) for words in NOT_YET):
                raise
            return False  # asked again, until the time is over

    while not holds():
        assert time.monotonic() < deadline, f"never true: {expression}"
        page.wait_for_timeout(40)


Asks = Callable[[Request], bool]
#: Where a page asks for what its callbacks give.
CALLBACKS = re.compile("/_dash-update-component")


def posts(*words: str) -> Asks:
    """Return a filter for requests that send all of these words."""
    return lambda request: all(word in (request.post_data or "") for word in words)


def holding(page: Page, address: re.Pattern[str], asks: Asks) -> list[Route]:
    """Hold further requests to an address that match, until they are continued; return the list of them."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route) if asks(route.request) else route.fallback())
    return held


def settle(page: Page) -> None:
    """Wait until all animations and transitions have ended, except endless ones."""
    moving = "each => each.playState === 'running' && each.effect.getComputedTiming().endTime < Infinity"
    until(page, f"!document.getAnimations().some({moving})")


def wait_for_change(page: Page, selector: str, attribute: str, old: str | None) -> str:
    """Wait until an attribute differs from `old` and return it."""
    until(
        page,
        "([selector, name, old]) => { const value = document.querySelector(selector)?.getAttribute(name);"
        " return value !== null && value !== undefined && value !== old; }",
        [selector, attribute, old],
    )
    return str(page.get_attribute(selector, attribute))
