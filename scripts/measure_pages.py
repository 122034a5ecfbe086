"""How fast the pages of a running Routescope open in Chromium: ``python -m scripts.measure_pages http://127.0.0.1:8000``.

For each page, with a cold cache, until its first picture stands, with the images in it: requests, compressed bytes,
seconds, seconds of script and of the renderer's main thread in all, and the longest task until two seconds later; then
from page to page by a click in the navigation, and on Drop from a click on a unit to its first accuracy. Medians, and
the least and the greatest, of several rounds; what the service computes for a page was computed before the first
round. Several addresses are measured in turn, round by round, so that a machine that slows down slows all of them.

``--switches 200`` looks for a leak instead: one tab goes through all pages, without loading the application again,
until its page has changed 200 times. After each fifth, on Home and after a collection of garbage, it writes the
JavaScript heap, DOM nodes, event listeners and documents.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence

from playwright.sync_api import Browser, Page, sync_playwright

from scripts.screenshots import FLAGS
from tests.machine import chromium

MODEL = "model=ni-digits"
#: Page -> address, and what is there once its first picture stands.
PAGES = {
    "home": ("/", ".home-canvas canvas[data-painted]"),
    "samples": (f"/samples?{MODEL}", "#gallery .thumb"),
    "paths": (f"/paths?{MODEL}&sample=mnist.validation.3", "#path-picture[data-painted]"),
    "drop": (f"/drop?{MODEL}&samples=50", '.page-drop[data-state="done"]'),
    "graphs": ("/graphs?model=nac-planted-partition", "#graph-picture-learned[data-painted]"),
    "circuits": ("/circuits?model=nac-scenes&method=pca", "#design-picture-1[data-painted]"),
    "blocks": ("/blocks?model=smfr-algo", ".page-blocks canvas[data-painted]"),
    "types": (f"/types?{MODEL}&method=pca", "#type-picture-trained[data-painted]"),
    "observe": (f"/observe?{MODEL}&samples=60", "#plot-observe-matrix canvas[data-painted]"),
}
#: From Paths to these and back, by the name in the navigation and what is there once the page is.
NEXT = {"Drop": ".page-drop", "Types": ".page-types", "Observe": ".page-observe"}
PATIENCE = 180_000  # milliseconds
PICTURES = "() => [...document.images].every(image => image.complete)"
#: When what is asked for was on the screen, in seconds since 1970: asked at every frame, as polling comes late.
ON_SCREEN = """shown => new Promise(drawn => {
    const now = () => (performance.timeOrigin + performance.now()) / 1000;
    const look = () => [...document.querySelectorAll(shown)].some(each => each.checkVisibility())
        ? requestAnimationFrame(() => drawn(now()))
        : requestAnimationFrame(look);
    look();
})"""
#: The browser tells of tasks of 50 ms and more.
LONGEST_TASK = """window.longestTask = 0;
new PerformanceObserver(list => {
    for (const task of list.getEntries()) window.longestTask = Math.max(window.longestTask, task.duration);
}).observe({ type: "longtask", buffered: true });"""
#: Units of MODEL that are dropped as Drop opens, and the one that is clicked, by round: no set is scored twice.
DROPPED = (
    *(("f1,f2", "f3"), ("f1,f3", "f4"), ("f1,f4", "f5"), ("f1,f5", "f2"), ("f2,f3", "f4")),
    *(("f2,f4", "f5"), ("f2,f5", "f3"), ("f3,f4", "f5"), ("f3,f5", "f1"), ("f1,f2", "f4")),
)
#: Milliseconds from a click on a unit until its page shows an accuracy without it, which may be of the first samples.
TOGGLED = """unit => new Promise(drawn => {
    const page = document.querySelector(".page-drop"), begun = performance.now();
    let old = false;
    const look = () => {
        old ||= page.dataset.fresh === "false";
        if (old && page.dataset.fresh === "true") setTimeout(() => drawn(performance.now() - begun));
        else requestAnimationFrame(look);
    };
    [...page.querySelectorAll("button.chip")].find(chip => chip.innerText.trim() === unit).click();
    look();
})"""


def toggled(browser: Browser, root: str, turn: int) -> float:
    """Milliseconds from dropping one unit more on Drop to its first accuracy, on 1,000 samples."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(PATIENCE)
    gone, unit = DROPPED[turn]
    page.goto(f"{root}/drop?{MODEL}&samples=1000&units={gone}")
    page.wait_for_selector('.page-drop[data-state="done"][data-fresh="true"]')
    page.wait_for_timeout(1000)
    took = float(page.evaluate(TOGGLED, unit))
    page.close()
    return took


def opened(browser: Browser, url: str, shown: str) -> dict[str, float]:
    """A page opened by a browser that knows nothing yet: requests, kilobytes, seconds, seconds of script."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(LONGEST_TASK)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Performance.enable")
    asked: dict[str, float] = {}
    size: dict[str, float] = defaultdict(float)
    session.on(
        "Network.requestWillBeSent",
        lambda event: (
            # Images belong to the picture that asks for them, also where they come after it.
            asked.update({event["requestId"]: event["wallTime"] if event.get("type") != "Image" else 0})
            if event["request"]["url"].startswith("http")
            else None
        ),
    )
    session.on("Network.loadingFinished", lambda event: size.update({event["requestId"]: event["encodedDataLength"]}))
    begun = time.time()
    page.goto(url, wait_until="commit")
    stood = float(page.evaluate(ON_SCREEN, shown))
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    while not page.evaluate(PICTURES):
        page.wait_for_timeout(10)
    until = {name for name, at in asked.items() if at <= stood}
    kilobytes = sum(size[name] for name in until if name in size) / 1000
    page.wait_for_timeout(2000)
    longest = page.evaluate("longestTask")
    context.close()
    return {
        "requests": len(until),
        "kB": kilobytes,
        "s": stood - begun,
        "script s": metrics["ScriptDuration"],
        "main thread s": metrics["TaskDuration"],
        "longest task ms": longest,
    }


def changed(page: Page, name: str, shown: str) -> float:
    """Milliseconds from a click in the navigation until the other page is drawn."""
    begun = """([name]) => {
        const link = [...document.querySelectorAll("nav[aria-label=Pages] a")].find(a => a.innerText.trim() === name);
        window.begun = performance.now();
        link.click();
    }"""
    there = """shown => new Promise(drawn => {
        const look = () => document.querySelector(shown)
            ? requestAnimationFrame(() => setTimeout(() => drawn(performance.now() - window.begun)))
            : requestAnimationFrame(look);
        look();
    })"""
    page.evaluate(begun, [name])
    return float(page.evaluate(there, shown))


def between(browser: Browser, root: str) -> dict[str, float]:
    """Milliseconds from Paths to other pages, each of which was open once before."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(root + PAGES["paths"][0])
    page.wait_for_selector(PAGES["paths"][1])
    took = {}
    for _ in range(2):
        for name, shown in NEXT.items():
            took[f"Paths to {name}"] = changed(page, name, shown)
            page.wait_for_timeout(1500)
            took[f"{name} to Paths"] = changed(page, "Paths", ".page-paths")
            page.wait_for_selector(PAGES["paths"][1])
            page.wait_for_timeout(700)
    context.close()
    return took


#: Pages that a leak is looked for on, besides those above.
MORE = {
    "experts": ("/paths?model=moe-bytes&sample=sums.validation.0", "#path-picture[data-painted]"),
    "logs": ("/logs", ".page-logs"),
    "results": ("/results", ".page-results"),
}
#: Opens an address as links within the application do.
FOLLOW = "to => { history.pushState({}, '', to); dispatchEvent(new CustomEvent('_dashprivate_pushstate')); }"
COUNTS = {"JSHeapUsedSize": "heap MB", "Nodes": "nodes", "JSEventListeners": "listeners", "Documents": "documents"}


def kept(browser: Browser, root: str, switches: int) -> None:
    """Write what a tab keeps in memory after each fifth of `switches` changes of its page."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(root)
    page.wait_for_selector(PAGES["home"][1])
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    home, *others = (PAGES | MORE).values()
    for turn in range(1, switches + 1):
        measured = turn % max(1, switches // 5) == 0
        path, shown = home if measured else others[turn % len(others)]
        page.evaluate(FOLLOW, path)
        page.locator(shown).first.wait_for(state="attached")  # a handle would keep the page's nodes
        page.wait_for_timeout(3000 if measured else 300)
        if measured:
            for _ in range(3):  # finalisers free more at the next collection
                session.send("HeapProfiler.collectGarbage")
            metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
            values = [
                f"{metrics[name] / (1e6 if 'MB' in unit else 1):,.{1 if 'MB' in unit else 0}f} {unit}"
                for name, unit in COUNTS.items()
            ]
            sys.stdout.write(f"after {turn} switches: {', '.join(values)}\n")
            sys.stdout.flush()
    page.close()


def said(values: Sequence[float]) -> str:
    digits = 0 if statistics.median(values) >= 20 else 2
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", nargs="+", help="Addresses of running services.")
    parser.add_argument("--rounds", type=int, default=10, help="At most 9.")
    parser.add_argument("--pages", nargs="*", default=list(PAGES), choices=list(PAGES))
    parser.add_argument("--switches", type=int, default=0, help="Look for a leak over so many changes of the page.")
    chosen = parser.parse_args()
    found: dict[str, list[float]] = defaultdict(list)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        for root in chosen.roots if chosen.switches else ():
            kept(browser, root, chosen.switches)
        for turn in () if chosen.switches else range(-1, chosen.rounds):
            for root in chosen.roots:
                measured: dict[str, float] = {}
                for name in chosen.pages:
                    path, shown = PAGES[name]
                    one = opened(browser, root + path, shown)
                    measured |= {f"{name}, {what}": value for what, value in one.items()}
                measured |= {f"{what}, ms": value for what, value in between(browser, root).items()}
                measured["Drop, click to first accuracy, ms"] = toggled(browser, root, turn + 1)
                for what, value in measured.items() if turn >= 0 else ():
                    found[f"{root} {what}"].append(value)
        browser.close()
    for what, values in found.items():
        sys.stdout.write(f"{what} {said(values)}\n")


if __name__ == "__main__":
    main()
