"""What a browser does with hostile content: stored names, cards of models, frames; and the page's own socket."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from routescope import zoo
from routescope.zoo import opened
from tests import machine
from tests.app.serving import MODEL, listening, png, settings
from tests.core.nn.adapters.families import model_of
from tests.robustness.record import came_back

CHROMIUM = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
EVIL_NAMES = ["<script>window.evil=1</script>", "[x](javascript:window.evil=1)", '"><img src=x onerror=window.evil=1>']


#: Ways in a card to run a script, to ask another host for something, and to lead there.
EVIL_CARD = (
    "<script>window.evil=1</script>", "<img src=x onerror=window.evil=1>", "<svg><animate onbegin=window.evil=1>",
    "<iframe src=http://192.0.2.1/></iframe>", "![remote](http://192.0.2.1/a.png)",
    "[script](javascript:window.evil=1)", "[data](data:text/html,<script>window.evil=1</script>)",
    "[word]: javascript:window.evil=1", "[word]", "<http://192.0.2.1/>",
    "<div><div><b onmouseover=window.evil=1>nested</b></div></div>",
    "| a |\n| - |\n| <img src=http://192.0.2.1/b.png> |",
)  # fmt: skip


@pytest.fixture(scope="module")
def gate() -> threading.Event:
    """Until it is set, the folder that can be opened is being opened."""
    return threading.Event()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, gate: threading.Event) -> Iterator[int]:
    looked = zoo.info

    def info(model_id: str) -> zoo.ModelInfo:
        assert model_id != "mine" or gate.wait(120)
        return looked(model_id)

    folder = tmp_path_factory.mktemp("folders")
    for name in ("mine", "lies"):
        model_of("mixtral").save_pretrained(folder / name)
    deep = "> " * 500 + "deep\n\n" + "- " * 500 + "deep\n\n"
    (folder / "mine" / "README.md").write_text("\n\n".join(EVIL_CARD) + "\n\n" + deep + "x" * 2**20)
    (folder / "lies" / "config.json").write_text("<img src=x onerror=window.evil=1>")
    own = settings(tmp_path_factory.mktemp("page"), role="all", model_folders=(str(folder),))
    with pytest.MonkeyPatch.context() as patched, listening(own) as port:
        patched.setattr("routescope_app.services.engine.openings.WAIT_SECONDS", 0)
        patched.setattr(zoo, "info", info)
        yield port
    opened.use(())


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    executable = machine.chromium()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM)
        yield chromium
        chromium.close()


@pytest.fixture
def watched(chromium: Browser, port: int) -> Iterator[Page]:
    """A page that notes what must not happen."""
    context = chromium.new_context(base_url=f"http://127.0.0.1:{port}")
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    local = (f"http://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}/", "data:", "blob:")
    page.on("request", lambda request: None if request.url.startswith(local) else wrong.append(request.url))
    yield page
    context.close()
    assert wrong == []


def test_cards_of_folders_are_text_and_a_folder_that_is_not_open_says_why(watched: Page, gate: threading.Event) -> None:
    """A folder that is being opened is listed once it is open, without a reload; its card runs and fetches nothing."""
    watched.goto("/")
    left_out = watched.locator("#models-left-out")
    expect(left_out).to_contain_text("mine is being opened.", timeout=60_000)
    gate.set()
    left_out.locator("summary").click(timeout=60_000)
    why = "lies has a config.json that is no JSON, as line 1, column 1 shows."
    expect(left_out).to_contain_text(why, timeout=60_000)
    watched.get_by_role("button", name="Card of mine").click(timeout=60_000)
    card = watched.locator(".card-text")
    for line in EVIL_CARD[:6]:
        expect(card).to_contain_text(line)
    expect(card).to_contain_text("The card is longer")
    assert card.locator("script, img, svg, iframe, a, b, [onerror], [onmouseover]").count() == 0
    assert watched.evaluate("window.evil") is None
    came_back(
        "model folders that lie",
        "a README.md with scripts, handlers, links and pictures of other hosts",
        "shown as text in a browser; nothing ran, and no other host was asked",
    )


def test_names_are_text(watched: Page, port: int) -> None:
    """Stored names reach the page as what they are: text. The last line of defence, the policy, is not needed."""
    for name in EVIL_NAMES:
        url, file = f"http://127.0.0.1:{port}/api/v1/samples", {"file": ("a.png", png())}
        answer = httpx.post(url, files=file, data={"name": name}, timeout=60)
        assert answer.json()["name"] == name
        identity = answer.json()["id"]
        watched.goto(f"/samples?model={MODEL}&sample={identity}")
        expect(watched.locator("#sample-name")).to_have_value(name, timeout=60_000)
        assert watched.evaluate("window.evil") is None
    watched.goto(f"/paths?model={MODEL}&sample={identity}")
    watched.get_by_role("heading", level=1).wait_for()
    watched.wait_for_timeout(500)
    assert watched.evaluate("window.evil") is None
    assert watched.locator("img[onerror], svg[onload]").count() == 0
    came_back("stored XSS", f"samples named {' and '.join(EVIL_NAMES)}", "shown as text in a browser; nothing ran")


def test_the_policy_stops_what_slips_through(chromium: Browser, port: int) -> None:
    """If markup did get in, neither inline script nor handler nor foreign script would run."""
    page = chromium.new_page()
    page.goto(f"http://127.0.0.1:{port}/")
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate(
        """() => {
            document.body.insertAdjacentHTML('beforeend', '<img src="/none.png" onerror="window.evil=1">');
            const inline = document.createElement('script');
            inline.textContent = 'window.evil = 2';
            document.body.append(inline);
            const foreign = document.createElement('script');
            foreign.src = 'http://192.0.2.1/evil.js';
            document.body.append(foreign);
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.evil") is None
    page.evaluate("() => { setTimeout('window.evil = 3', 0); }")  # text as a program, as eval would take it
    page.wait_for_timeout(200)
    assert page.evaluate("window.evil") is None
    assert page.evaluate("() => fetch('http://192.0.2.1/').then(() => 'sent', () => 'stopped')") == "stopped"
    page.close()


def test_nobody_frames_the_page_and_its_documentation_asks_no_other_host(
    chromium: Browser, watched: Page, port: int
) -> None:
    page = chromium.new_page()
    page.set_content(f'<iframe src="http://127.0.0.1:{port}/"></iframe>')
    page.wait_for_timeout(500)
    assert page.frames[-1].url in {"chrome-error://chromewebdata/", "about:blank", ""}
    page.close()
    watched.goto("/api/docs")
    watched.locator("#operations-traces-create_trace_api_v1_traces_post").wait_for()


def test_the_socket_of_the_page_is_bounded(port: int) -> None:
    address = f"ws://127.0.0.1:{port}/_dash-ws-callback"
    with pytest.raises(InvalidStatus) as caught, connect(address, origin="https://evil.example"):  # type: ignore[arg-type]
        pass
    assert caught.value.response.status_code == 403

    def said_to(message: str) -> str:
        with connect(address, origin=f"http://127.0.0.1:{port}") as socket:  # type: ignore[arg-type]
            try:
                socket.send(message)
                return str(socket.recv(timeout=5))
            except (ConnectionClosed, TimeoutError):
                return ""

    request = json.dumps({"type": "callback_request", "payload": 1})
    messages = ("x" * 5_000_000, "[" * 1000, "NaN", "[]", "text", request)
    with ThreadPoolExecutor(len(messages)) as pool:  # most of them wait in vain
        assert all("Traceback" not in answer for answer in pool.map(said_to, messages))
    assert httpx.get(f"http://127.0.0.1:{port}/api/v1/health", timeout=60).status_code == 200
