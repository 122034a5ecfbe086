"""What the profile ``monitoring`` shows: every figure that its dashboard and its configuration name exists."""

import json
import re
from pathlib import Path

import yaml
from prometheus_client.parser import text_string_to_metric_families

from routescope_app.api.probes import METRICS
from tests.app.serving import serving, settings
from tests.deploy.stack import ROOT, compose

DASHBOARD = ROOT / "deploy" / "grafana" / "dashboards" / "routescope.json"
#: What a query says besides names of figures and labels.
LANGUAGE = {"sum", "max", "by", "rate", "histogram_quantile", "le", "m", "job", "instance"}


def queries() -> dict[str, str]:
    """The query of each line of a panel, by panel and place."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return {f"{panel['title']} {target['refId']}": target["expr"] for panel in panels for target in panel["targets"]}


async def figures(folder: Path) -> tuple[set[str], set[str]]:
    """(names of figures, names of labels) that a server tells which has answered something and refused something."""
    async with serving(settings(folder)) as client:
        for path in ("/api/v1/health", "/api/v1/samples/mnist.validation.1", "/api/nothing"):
            await client.get(path)
        families = list(text_string_to_metric_families((await client.get("/metrics")).text))
    names, labels = set(), set()
    for family in families:
        names |= {family.name} | {sample.name for sample in family.samples}
        labels |= {label for sample in family.samples for label in sample.labels}
    return names, labels


async def test_every_figure_of_the_dashboard_is_told(tmp_path: Path) -> None:
    names, labels = await figures(tmp_path)
    asked = queries()
    assert len(asked) >= 12
    for panel, query in asked.items():
        words = set(re.findall(r"[a-z_]+", re.sub(r"\[\w+\]|[\d.]+", "", query)))
        of_figures = {word for word in words if word.startswith(("routescope_", "process_"))}
        assert of_figures and of_figures <= names, (panel, of_figures - names)
        assert words - of_figures <= LANGUAGE | labels, (panel, words - of_figures)


async def test_what_the_product_promises_to_tell_is_shown(tmp_path: Path) -> None:
    shown = " ".join(queries().values())
    names, _ = await figures(tmp_path)
    own = {name for name in names if name.startswith("routescope_") and not name.endswith(("_count", "_sum", "_info"))}
    whole = {name for name in own if f"{name}_bucket" not in own and f"{name}_total" not in own}
    missing = {name for name in whole if name not in shown}
    assert not missing


def test_every_panel_says_what_it_shows() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert all(panel["title"] and panel["description"] and panel["fieldConfig"]["defaults"]["unit"] for panel in panels)
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places) and len({panel["id"] for panel in panels}) == len(panels)
    (source,) = yaml.safe_load((ROOT / "deploy/grafana/provisioning/datasources/prometheus.yml").read_text())[
        "datasources"
    ]
    assert {panel["datasource"]["uid"] for panel in panels} == {source["uid"]}
    assert source["url"] == "http://prometheus:9090"


def test_prometheus_asks_the_services_with_their_token() -> None:
    scrape, workers = yaml.safe_load((ROOT / "deploy" / "prometheus.yml").read_text())["scrape_configs"]
    services = compose()["services"]
    (dns_sd_config,) = scrape["dns_sd_configs"]  # every replica has an address under the service's name
    assert dns_sd_config["type"] == "A" and set(dns_sd_config["names"]) == {"api", "dashboard"}
    for name in dns_sd_config["names"]:
        assert services[name]["environment"]["ROUTESCOPE_PORT"] == str(dns_sd_config["port"])
    (secret,) = services["prometheus"]["secrets"]
    assert scrape["authorization"]["credentials_file"] == f"/run/secrets/{secret}"
    assert compose()["secrets"][secret] == {"file": "./secrets/token"}
    (spot,) = workers["dns_sd_configs"]
    assert spot["names"] == ["worker"] and spot["type"] == "A" and "authorization" not in workers
    assert services["worker"]["environment"]["ROUTESCOPE_METRICS_PORT"] == str(spot["port"])
    assert scrape.get("metrics_path", METRICS) == workers.get("metrics_path", METRICS) == METRICS
