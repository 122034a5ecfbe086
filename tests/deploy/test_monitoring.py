"""The profile ``monitoring``: its dashboard and its configuration name figures and services that exist."""

import json
import re
from pathlib import Path

import yaml
from prometheus_client.parser import text_string_to_metric_families

from routescope_app.api.probes import METRICS
from tests.app.serving import serving, settings
from tests.deploy.stack import ROOT, compose

DASHBOARD = ROOT / "deploy" / "grafana" / "dashboards" / "routescope.json"
#: Words of queries besides names of figures and labels.
LANGUAGE = {"sum", "max", "by", "rate", "histogram_quantile", "le", "m", "job", "instance"}


def queries() -> dict[str, str]:
    """Return the query of each line of a panel, by panel and line."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return {f"{panel['title']} {target['refId']}": target["expr"] for panel in panels for target in panel["targets"]}


async def test_the_dashboard_shows_every_figure_and_no_other(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        for path in ("/api/v1/health", "/api/v1/samples/mnist.validation.1", "/api/nothing"):
            await client.get(path)
        families = list(text_string_to_metric_families((await client.get("/metrics")).text))
    names = {name for family in families for name in (family.name, *(sample.name for sample in family.samples))}
    labels = {label for family in families for sample in family.samples for label in sample.labels}
    asked = queries()
    assert len(asked) >= 12
    for panel, query in asked.items():
        words = set(re.findall(r"[a-z_]+", re.sub(r"\[\w+\]|[\d.]+", "", query)))
        of_figures = {word for word in words if word.startswith(("routescope_", "process_"))}
        assert of_figures and of_figures <= names, (panel, of_figures - names)
        assert words - of_figures <= LANGUAGE | labels, (panel, words - of_figures)
    shown = " ".join(asked.values())
    own = {name for name in names if name.startswith("routescope_") and not name.endswith(("_count", "_sum", "_info"))}
    whole = {name for name in own if f"{name}_bucket" not in own and f"{name}_total" not in own}
    assert not {name for name in whole if name not in shown}


def test_panels_have_a_title_a_unit_and_a_place_of_their_own() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert all(panel["title"] and panel["description"] and panel["fieldConfig"]["defaults"]["unit"] for panel in panels)
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places) and len({panel["id"] for panel in panels}) == len(panels)
    (source,) = yaml.safe_load((ROOT / "deploy/grafana/provisioning/datasources/prometheus.yml").read_text())[
        "datasources"
    ]
    assert {panel["datasource"]["uid"] for panel in panels} == {source["uid"]}
    assert source["url"] == "http://prometheus:9090"


def test_prometheus_reads_every_replica_with_the_token() -> None:
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
