"""Pages say in words why they show or measure nothing of the chosen model, and offer another model.

They do not ask the service, whose refusal would be an error on the console and fail the test.
"""

import re
from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Page, expect

from routescope import assets
from routescope.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.zoo import checkpoint
from tests.browser.conftest import SIZES, WITHOUT_JOBS, Server, go, until
from tests.leaving import no_models_left

FEW = 30
SAMPLE = "mnist.validation.3"
AWAY = ("elsewhere",)
NONE = "No data set that this model reads is installed"
KIND = "small-pictures reads pictures or sequences of another kind"


@pytest.fixture(scope="module", autouse=True)
def models() -> Iterator[None]:
    """Networks at initialisation: a circuit for pictures of another size, and three without an installed data set."""
    torch.manual_seed(0)
    sizes = SIZES | {"modules": 12}
    interpreter = NeuralInterpreterConfig(
        features=16, code_features=16, type_features=8, type_inference_width=16, iterations=3, functions=4, heads=2,
        key_features=8, position_features=8, patch_size=8, domains=AWAY,
    )  # fmt: skip
    mixture = MixtureConfig(context=40, layers=2, features=16, heads=2, experts=8, hidden=8, domains=("wikitext",))
    networks = {
        "small-pictures": NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig(**sizes, image_size=16)),
        "away-circuit": NeuralAttentiveCircuit(NeuralAttentiveCircuitConfig(**sizes, image_size=32, domains=AWAY)),
        "away-interpreter": NeuralInterpreter(interpreter),
        "away-mixture": MixtureNetwork(mixture),
    }
    with no_models_left(assets.data_dir()):
        for name, model in networks.items():
            checkpoint.save(model.eval(), assets.data_dir() / "checkpoints" / name / "model.safetensors")
        yield


#: Page, model, further parts of the address, the refusal on the page, and an element that shows the offered model.
MAP, MEASURED = "#type-picture-trained[data-painted]", '.drop-progress:is([data-state="running"], [data-state="done"])'
OBSERVED = '.page-observe[data-status="ready"]'
REFUSED: list[tuple[str, str, dict[str, str], str, str]] = [
    ("types", "smfr-double", {"method": "pca"}, "smfr-double reads blocks of numbers", MAP),
    ("types", "away-interpreter", {"method": "pca"}, f"{NONE}.*away-interpreter reads elsewhere", MAP),
    ("observe", "nac-frozen", {}, "nac-frozen has no routing of tokens", OBSERVED),
    (
        "observe",
        "away-mixture",
        {"drop": "least:1"},
        f"{NONE}.*wikitext, which is not installed. You can follow your own",
        OBSERVED,
    ),
    ("graphs", "small-pictures", {"unit": "m2"}, KIND, MEASURED),
    ("graphs", "away-circuit", {}, f"{NONE}. away-circuit reads elsewhere", MEASURED),
    ("drop", "small-pictures", {}, KIND, MEASURED),
    ("drop", "away-mixture", {"units": "m1,least:1"}, f"{NONE}. away-mixture reads wikitext", MEASURED),
]
PLACES = {"types": "#types-failed", "observe": "#observe-message"}


@pytest.mark.parametrize(("name", "model", "query", "words", "ready"), REFUSED)
def test_a_refusal_and_another_model(
    page: Page, server: Server, name: str, model: str, query: dict[str, str], words: str, ready: str
) -> None:
    page.add_init_script(WITHOUT_JOBS.replace("|embeddings|observations", ""))
    page.goto(server.address(f"/{name}", model=model, sample=SAMPLE, samples=FEW, **query))
    element = page.locator(PLACES.get(name, ".page .drop-progress"))
    expect(element).to_contain_text(re.compile(words, re.DOTALL))
    assert page.inner_text("#content").count("which is not installed") == model.startswith("away")
    if name == "graphs" and model == "small-pictures":
        page.click("#graph-measure")
        expect(page.locator("#graph-module-effect")).to_contain_text(KIND)
    expect(page.locator("#importance-start:visible, .observe-grid:visible")).to_have_count(0)
    expect(page.locator(".mantine-Notification-root")).to_have_count(0)
    assert "POST" not in page.inner_text("body")
    offer = element.get_by_role("button")
    expect(offer).to_have_text([re.compile("^Read with ")])
    offer.click()
    until(page, "model => !location.search.includes(model) && location.search.includes('sample=')", model)
    page.wait_for_selector(ready)
    expect(page.get_by_text("which is not installed").filter(visible=True)).to_have_count(0)
    if name in PLACES:
        expect(element).to_be_hidden()


def test_what_is_left_without_a_data_set(page: Page, server: Server) -> None:
    """Paths of one's own samples, experts by their layer, orders of samples with another model, the list of models."""
    page.goto(server.address("/"))
    for model in ("away-interpreter", "away-mixture"):
        expect(page.locator(f'[data-model="{model}"]')).to_be_visible()
    for model in ("away-interpreter", "away-mixture"):
        go(page, server.address("/samples", model=model))
        expect(page.locator("#model-select")).to_have_value(model)
        page.locator('nav a[href="/"]').click()
        expect(page.locator("#content")).to_contain_text(f"There are no samples for {model}.")

    go(page, server.address("/paths", model="away-interpreter", sample=SAMPLE))
    page.wait_for_selector("#path-picture[data-painted]")

    go(page, server.address("/drop", model="away-mixture", sample=SAMPLE, samples=FEW))
    expect(page.locator("#drop-count")).to_contain_text("0 of 16 experts dropped; choose a data set to see their use")
    expect(page.locator("#drop-least-used, #drop-share")).to_have_count(0)
    page.click('[data-drop-layer="l2"]')
    expect(page.locator("#drop-count")).to_contain_text("6 of 16 experts dropped")
    expect(page.locator('[data-drop-unit="l2.e2"]')).to_have_attribute("aria-pressed", "false")
    expect(page.locator('[data-drop-unit="l2.e3"]')).to_have_attribute("aria-pressed", "true")

    go(page, server.address("/samples", model="away-interpreter", sample=SAMPLE, order="heads"))
    element = page.locator("#gallery")
    expect(element.locator(".message-title")).to_have_text(NONE)
    expect(element).to_contain_text("away-interpreter reads elsewhere, which is not installed.")
    page.evaluate("model => routescope.selection.choose({ model })", "ni-digits")
    page.wait_for_selector("#gallery .thumb-value")
    page.evaluate("model => routescope.selection.choose({ model })", "away-interpreter")
    expect(element.locator(".message-title")).to_have_text(NONE)

    go(page, server.address("/types", model="ni-digits", sample=SAMPLE, method="pca", samples=FEW))
    page.wait_for_selector("#type-picture-trained[data-painted]")
    for model, status in (("smfr-double", "failed"), ("ni-digits", "ready")):
        page.evaluate("model => routescope.selection.choose({ model })", model)
        page.wait_for_selector(f'.page-types[data-status="{status}"]')
    expect(page.locator("#types-problem")).to_have_count(0)
