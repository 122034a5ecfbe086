"""Measures how far the pages move while they open: ``python -m scripts.layout_shifts --pages types paths``.

Prints, for every page, the sum of the browser's own layout shifts that no key or click caused, and what moved most.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from scripts.screenshots import FLAGS, start
from tests.machine import chromium

#: Pages, each with an address that shows all that it has.
PAGES = {
    "home": "/",
    "samples": "/samples?model=ni-digits",
    "paths": "/paths?model=ni-digits&sample=mnist.validation.3",
    "paths-empty": "/paths?model=ni-digits",
    "drop": "/drop?model=ni-digits",
    "graphs": "/graphs?model=nac-planted-partition",
    "circuits": "/circuits?model=nac-scenes",
    "blocks": "/blocks?model=smfr-algo",
    "types": "/types?model=ni-digits&samples=60",
    "observe": "/observe?model=ni-digits",
    "logs": "/logs?model=ni-digits",
    "results": "/results?model=ni-digits",
}
MOST = 0.1  # that a page may move; the limit of a good page, says web.dev
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      window.shifts.push({
        value: entry.value,
        time: Math.round(entry.startTime),
        moved: entry.sources.map(({ node, previousRect, currentRect }) => ({
          name: node instanceof Element ? node.tagName.toLowerCase() + "." + node.getAttribute("class")
            : "text " + node?.textContent?.slice(0, 40),
          from: [previousRect.x, previousRect.y, previousRect.width, previousRect.height].map(Math.round),
          to: [currentRect.x, currentRect.y, currentRect.width, currentRect.height].map(Math.round),
        })),
      });
}).observe({ type: "layout-shift", buffered: true });
"""


def measure(browser: Browser, address: str, seconds: float, picture: Path | None = None) -> list[dict[str, Any]]:
    """The layout shifts of a page in a browser that has nothing of it in its cache, at 1440 x 900.

    Args:
        browser: where a context of its own is opened.
        address: the page.
        seconds: how long it is watched.
        picture: a file for what it looks like then.
    """
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address, timeout=120_000)
    page.wait_for_timeout(seconds * 1000)
    found: list[dict[str, Any]] = page.evaluate("window.shifts")
    if picture:
        page.screenshot(path=picture)
    context.close()
    return found


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="*", default=list(PAGES), choices=list(PAGES))
    parser.add_argument("--seconds", type=float, default=20, help="How long each page is watched.")
    parser.add_argument("--server", help="The address of a server that runs; without it, one of its own.")
    parser.add_argument("--pictures", type=Path, help="A folder for a picture of each page.")
    parser.add_argument("--details", action="store_true", help="Also what moved, and from where to where.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = chosen.server or start(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name in chosen.pages:
            picture = chosen.pictures / f"{name}.png" if chosen.pictures else None
            shifts = measure(browser, server + PAGES[name], chosen.seconds, picture)
            total = sum(shift["value"] for shift in shifts)
            say(f"{name:12} {total:.3f}  in {len(shifts)} shifts{'  too far' if total > MOST else ''}")
            for shift in sorted(shifts, key=lambda each: -each["value"]) if chosen.details else ():
                say(f"  {shift['value']:.3f} after {shift['time']} ms")
                for moved in shift["moved"]:
                    say(f"    {moved['name']}: {moved['from']} to {moved['to']}")
        browser.close()


if __name__ == "__main__":
    main()
