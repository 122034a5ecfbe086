"""Takes the pictures of the pages that README and docs show, with Chromium: ``python scripts/screenshots.py``."""

import argparse
import io
import socket
import tempfile
import threading
import time
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from routescope.assets import ASSETS
from routescope_app.main import create_app
from routescope_app.settings import Settings
from tests.machine import chromium

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
#: Height of what pictures of long pages show: of Blocks, what blocks are made of, and the answers; of Circuits, the
#: sentences, the pictures, and the circuits.
TOPS = {"blocks": 1240, "circuits": 1690}
#: What the picture of the page Graphs leaves out and looks at.
GRAPH_CHOICE = "sample=mnist.validation.3&least=40&unit=m5"

#: The text whose path through the experts is shown, and the layer.
TEXT_CHOICE = "sample=sums.validation.0&step=3"
#: Which sentences are compared in the picture of the page Circuits.
CIRCUITS_CHOICE = "s1=There+is+a+red+circle&s2=There+are+exactly+three+red+circles"


def start(folder: Path) -> str:
    """Serve Routescope over ``folder`` in a thread; gives its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(Settings(data_dir=folder, warm_up=False)), log_level="warning"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def compact(content: bytes) -> bytes:
    """The screenshot as WebP, without loss but for its colours: 256, by means, so that flat grounds keep theirs."""
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    few = picture.quantize(method=Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    few.convert("RGB").save(buffer, "WEBP", lossless=True, quality=100, method=6)
    return buffer.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="ni-digits")
    parser.add_argument("--circuit", default="nac-planted-partition")
    parser.add_argument("--statements", default="nac-scenes")
    parser.add_argument("--blocks", default="smfr-algo")
    parser.add_argument("--experts", default="moe-bytes")
    parser.add_argument("--schemes", nargs="*", default=["light", "dark"])
    parser.add_argument("--pages", nargs="*", help="Only these pictures.")
    parser.add_argument("--sample", default="mnist-m.validation.1")
    parser.add_argument("--drop", default="f4")
    parser.add_argument("--step", type=int, default=3)
    parser.add_argument("--to", type=Path, default=ASSETS / "screenshots")
    chosen = parser.parse_args()
    chosen.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        address = start(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for scheme in chosen.schemes:
            context = browser.new_context(
                viewport={"width": 1440, "height": 900},
                device_scale_factor=1.25,
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            for name, model, query, ready in (
                ("home", "", "", ".home-canvas canvas[data-painted]"),
                ("paths", chosen.model, f"sample={chosen.sample}&step={chosen.step}", "#path-picture[data-painted]"),
                ("drop", chosen.model, f"kind=drop&units={chosen.drop}", "text=sum of Shapley values"),
                ("types", chosen.model, "samples=60", "canvas[data-method=tsne]"),
                ("observe", chosen.model, "", "#plot-observe-matrix canvas[data-painted]"),
                ("graphs", chosen.circuit, GRAPH_CHOICE, "text=/samples, (in|measured before)/"),
                ("circuits", chosen.statements, CIRCUITS_CHOICE, "#sentence-map-text[data-marks]"),
                ("blocks", chosen.blocks, "iterations=5", "text=/^. Right after/"),
                ("experts", chosen.experts, TEXT_CHOICE, "#path-picture[data-painted]"),
            ):
                if chosen.pages and name not in chosen.pages:
                    continue
                page = context.new_page()
                path = "paths" if name == "experts" else name
                asked = "" if name == "home" else f"{path}?model={model}&{query}"
                page.goto(f"{address}/{asked}", timeout=120_000)
                page.wait_for_selector(ready, timeout=240_000)
                page.wait_for_timeout(1500)
                top = {
                    "full_page": path not in {"home", "paths"},
                }
                if name in TOPS:
                    top |= {"clip": {"x": 0, "y": 0, "width": 1440, "height": TOPS[name]}}
                shot = page.screenshot(**top)
                (chosen.to / f"{name}-{scheme}.webp").write_bytes(compact(shot))
                page.close()
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
