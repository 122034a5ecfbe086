"""Steps of the tests of the page Blocks, and small networks of blocks at initialisation."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from playwright.sync_api import Page

from routescope import assets
from routescope.data.blocks.permuted import BLOCK_SIZE, SLOTS
from routescope.nn.baselines.fnn import BlockFNN
from routescope.nn.baselines.transformer import BlockTransformer
from routescope.nn.blocks.config import BlockFNNConfig, BlockTransformerConfig, SMFRConfig
from routescope.nn.blocks.network import BlockNetwork
from routescope.zoo import checkpoint
from tests.browser.conftest import Server, until
from tests.leaving import no_models_left

ALGO = "tiny-smfr-algo"
PLAIN = "tiny-smfr-plain"  # of the same task, without a history
PICTURES = "tiny-smfr-bpmnist"
OTHERS = ("tiny-fnn-algo", "tiny-transformer-algo")
#: The inputs that the page opens with.
GIVEN = {"digits": [3, 1, 4, 1, 5], "program": [0, 1]}
#: Interventions, as the API and as an address has them.
CHANGED = {"mute_routes": ["A>1.2"], "copy_routes": ["B>1.1"], "gates": {"E": 0.5}}
IN_ADDRESS = {"mute_routes": "A>1.2", "copy_routes": "B>1.1", "gates": "E:0.5"}
CANVAS = "#block-picture"
STEPS = 6  # measurements in the history of ALGO


def history(levels: int) -> list[dict[str, Any]]:
    """Entries as a training writes them (routescope.training.tasks.blocks.History), with invented numbers."""
    gate = {"mean": 0.5, "copied": 0.25, "computed": 0.25}
    return [
        {
            "step": 100 * at,
            "loss": None if not at else math.exp(-at),
            "accuracy": {"validation": 0.1 + 0.15 * at, "test": 0.1 + 0.1 * at},
            "sharpness": {f"l{level + 1}": 0.3 + 0.1 * at for level in range(levels)},
            "fairness": 0.95 - 0.05 * at,
            "shares": dict.fromkeys("ABCDE", 0.2),
            "difference": None,
            "gates": {f"l{level + 1}": gate | {"mean": 0.5 - 0.06 * at} for level in range(levels)},
        }
        for at in range(STEPS)
    ]


def save_models() -> None:
    """Write the networks into the data folder, ALGO with a history in its card."""
    torch.manual_seed(0)
    of_pictures = {
        "task": "bpmnist", "values": SLOTS, "outputs": ("digit",), "block_size": BLOCK_SIZE, "iterations": 1,
        "repeats": False,
    }  # fmt: skip
    models = {
        ALGO: BlockNetwork(SMFRConfig(width=4, depth=1, hidden=16)),
        PLAIN: BlockNetwork(SMFRConfig(width=3, depth=1, hidden=16)),
        PICTURES: BlockNetwork(SMFRConfig(**of_pictures, width=4, depth=1, hidden=16)),
        OTHERS[0]: BlockFNN(BlockFNNConfig(hidden=16, layers=1)),
        OTHERS[1]: BlockTransformer(BlockTransformerConfig(internal=16, layers=1)),
    }
    for name, model in models.items():
        folder = assets.data_dir() / "checkpoints" / name
        checkpoint.save(model.eval(), folder / "model.safetensors")
    card = assets.data_dir() / "checkpoints" / ALGO / "card.json"
    card.write_text(json.dumps({"name": ALGO, "history": history(levels=2)}))


@pytest.fixture(scope="module")
def block_models() -> Iterator[str]:
    """The name of a small SMFR for ALGO; see ``save_models`` for other models."""
    with no_models_left(assets.data_dir()):
        save_models()
        yield ALGO


def opened(page: Page, server: Server, model: str = ALGO, **query: Any) -> Page:
    """Open the page and wait until its picture is painted and the network has answered."""
    page.goto(server.address("/blocks", model=model, **query), wait_until="commit")
    page.wait_for_selector(f"{CANVAS}[data-painted={model}]")
    wait_for_run(page)
    return page


def wait_for_run(page: Page) -> None:
    until(page, "() => routescope.blocks.run.get().fresh && routescope.blocks.run.get().status === 'done'")
    page.wait_for_selector(".blocks-answers[data-status=done][data-fresh=true] tbody tr")


def run(server: Server, model: str = ALGO, **body: Any) -> Any:
    """The API's answer to the same question."""
    answer = server.ask("POST", f"/models/{model}/block-runs", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def changed(page: Page, **values: Any) -> None:
    """Set inputs or interventions and wait for their run."""
    page.evaluate("values => routescope.blocks.state.set(values)", values)
    wait_for_run(page)


def state(page: Page, name: str) -> Any:
    return page.evaluate("name => routescope.blocks.state.state[name]", name)


def drawn(page: Page, name: str) -> str:
    """An attribute by which the picture describes itself."""
    return str(page.get_attribute(CANVAS, f"data-{name}"))


def answers_of(page: Page, system: str, digit: str = "Number(each.firstChild.data)") -> list[list[Any]]:
    """The digits of a system in the table of answers, a row an iteration; or another value of each digit."""
    script = (
        "(system) => [...document.querySelectorAll('[data-iteration-row] [data-system=\"' + system + '\"]')]"
        f".map(cell => [...cell.querySelectorAll('.blocks-said')].map(each => {digit}))"
    )
    value: list[list[Any]] = page.evaluate(script, system)
    return value


def measure(page: Page) -> None:
    page.locator("#panel-blocks-accuracy").scroll_into_view_if_needed()
    page.wait_for_selector("#panel-blocks-accuracy .drop-progress[data-state=done]")
    page.wait_for_selector(".blocks-effect[data-fresh=true] canvas[data-painted]")
