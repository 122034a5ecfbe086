"""Evaluations: figures equal the core's, streamed, cached by content, cancelled with their connection, never mixed."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from routescope import zoo
from routescope.data import load
from routescope.routing import Intervention, timing
from routescope.routing.caused.effects import drop_effect
from routescope.routing.caused.scores import Scores, score
from routescope_app.services.measuring import computing, scope, snapshots
from routescope_app.settings import DISK_SHARES
from tests.app.serving import BLOCKS, MODEL, UNITS, is_problem, listening, serving, settings

BASE = {"model": MODEL, "samples": 30, "controls": 0}


async def events(client: httpx.AsyncClient, **query: Any) -> list[tuple[str, dict[str, Any]]]:
    """Names and contents of the events of a stream."""
    response = await client.get("/api/v1/evaluations/stream", params={"model": MODEL, "samples": 30, **query})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    return parse(response.text)


def app_of(client: httpx.AsyncClient) -> Any:
    """State of the app in this process that the client talks to."""
    return client._transport.app.state  # type: ignore[attr-defined]


def parse(text: str) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "data" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def core_scores(intervention: Intervention | None, limits: dict[str, int]) -> Scores:
    model = zoo.load(MODEL)
    return Scores.join(score(model, load(name), intervention, limit) for name, limit in limits.items())


@pytest.mark.slow
async def test_the_figures_are_those_of_the_core(client: httpx.AsyncClient) -> None:
    body = {**BASE, "samples": 31, "intervention": {"drop": ["f1"], "mute": ["f3", "f1"], "iterations": 2}}
    found = (await client.post("/api/v1/evaluations", json=body)).json()
    limits = {"mnist": 11, "mnist-m": 10, "street-digits": 10}
    assert {part["name"]: part["count"] for part in found["data"]} == limits
    intervention = Intervention(drop=("f1",), mute=("f3",), iterations=2)
    own, baseline = core_scores(intervention, limits), core_scores(None, limits)
    effect = drop_effect(baseline, own)
    assert found["accuracy"]["value"] == own.accuracy
    assert (found["accuracy"]["low"], found["accuracy"]["high"]) == own.interval
    assert found["loss"]["value"] == pytest.approx(own.mean_loss)
    assert found["baseline"]["accuracy"]["value"] == baseline.accuracy
    assert found["change"]["accuracy"] == {
        "value": effect.accuracy.value, "low": effect.accuracy.low, "high": effect.accuracy.high,
    }  # fmt: skip
    # A difference of two mean losses, each of which is that of the core to a millionth.
    assert found["change"]["loss"]["value"] == pytest.approx(effect.loss.value, abs=1e-6 * own.mean_loss)
    assert found["kinds"][0]["units"] == ["f1"] and found["kinds"][1]["units"] == ["f3"]
    assert found["saved"] == pytest.approx(1 - found["flops"] / found["baseline"]["flops"]) and found["saved"] > 0
    assert sum(group["count"] for group in found["by_label"]) == 31
    assert [(group["name"], group["count"]) for group in found["by_domain"]] == list(limits.items())
    assert found["state"] == found["phase"] == "done" and found["control"] is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["drop", "mute", "mean", "resample"])
async def test_every_kind_of_ablation(client: httpx.AsyncClient, kind: str) -> None:
    found = (await client.post("/api/v1/evaluations", json={**BASE, "intervention": {kind: ["f2"]}})).json()
    own = core_scores(Intervention().ablating(kind, ["f2"]), dict.fromkeys(("mnist", "mnist-m", "street-digits"), 10))
    assert found["accuracy"]["value"] == own.accuracy and found["loss"]["value"] == pytest.approx(own.mean_loss)
    assert [entry["kind"] for entry in found["kinds"]] == [kind] and found["kinds"][0]["words"]
    assert (found["saved"] > 0) == (kind in {"drop", "mute"})


async def test_nothing_dropped_changes_nothing(client: httpx.AsyncClient) -> None:
    found = (await client.post("/api/v1/evaluations", json={**BASE, "controls": 4})).json()
    assert found["change"]["accuracy"] == {"value": 0, "low": 0, "high": 0}
    assert found["change"]["loss"] == {"value": 0, "low": 0, "high": 0}
    assert found["saved"] == 0 and found["control"] is None and found["accuracy"] == found["baseline"]["accuracy"]


async def test_all_dropped_has_an_answer(client: httpx.AsyncClient) -> None:
    body = {**BASE, "intervention": {"drop": list(UNITS)}, "controls": 3}
    found = (await client.post("/api/v1/evaluations", json=body)).json()
    assert found["state"] == "done" and found["control"]["exact"] and found["control"]["draws"] == 1
    assert found["control"]["mean"] == found["accuracy"]["value"]


@pytest.mark.slow
async def test_a_stream_becomes_more_precise(client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    found = await events(client, samples=900, drop="f2", controls=2)
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert {name for name, _ in found} == {"evaluation"}
    phases = [state["phase"] for _, state in found]
    order = ["preparing", "scoring", "controls", "done"]
    assert phases == sorted(phases, key=order.index) and phases[-1] == "done" and "scoring" in phases
    counts = [sum(group["count"] for group in state["by_label"]) for _, state in found]
    assert counts == sorted(counts) and counts[-1] == 900
    states = [state["state"] for _, state in found]
    assert states[-1] == "done" and set(states[:-1]) == {"running"}
    assert found[1][1]["accuracy"] is not None and found[1][1]["phase"] == "scoring"  # a figure at the first chance
    last = found[-1][1]
    assert last["control"]["draws_done"] == 2 and not last["cached"] and last["done"] == last["total"] == 2 * 900
    body = {"model": MODEL, "samples": 900, "controls": 2, "intervention": {"drop": ["f2"]}}
    waited = (await client.post("/api/v1/evaluations", json=body)).json()
    changing = {"seconds", "cached", "done", "total"}
    assert {k: v for k, v in waited.items() if k not in changing} == {
        k: v for k, v in last.items() if k not in changing
    }


async def test_for_who_waits_figures_are_made_once(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    original = snapshots.known

    def counted(measured: Any, own: Any, baseline: Any, intervention: Intervention) -> dict[str, Any]:
        made.append(min(own.rounds, baseline.rounds))
        return original(measured, own, baseline, intervention)

    monkeypatch.setattr(snapshots, "known", counted)
    body = {"model": MODEL, "samples": 300, "controls": 1, "intervention": {"drop": ["f2"]}}
    waited = (await client.post("/api/v1/evaluations", json=body)).json()
    assert waited["state"] == "done" and waited["covered"] == 300 and len(made) == 1
    made.clear()
    assert (await events(client, samples=300, drop="f3", controls=1))[-1][1]["state"] == "done"
    assert len(set(made)) > 1, "who follows it sees more than the end"


async def test_figures_of_both_are_of_the_same_samples_while_it_runs(client: httpx.AsyncClient) -> None:
    await events(client, samples=900, controls=0)  # the baseline is known, the set is not
    found = [state for _, state in await events(client, samples=900, drop="f2", controls=0)]
    both = [state for state in found if state["accuracy"] and state["baseline"]]
    running = [state for state in both if sum(group["count"] for group in state["by_label"]) < 900]
    assert running and found[-1] is both[-1]
    for state in both:
        for name in ("accuracy", "loss"):
            difference = state[name]["value"] - state["baseline"][name]["value"]
            assert state["change"][name]["value"] == pytest.approx(difference, abs=1e-6)


async def test_going_back_is_one_event_also_after_a_restart(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        first = await events(client, drop="f1", controls=2)
        again = await events(client, drop="f1", controls=2)
    async with serving(settings(tmp_path)) as client:
        restarted = await events(client, drop="f1,f1", controls=2, iterations=3)  # three are what is configured
    assert len(first) > 1 and not first[-1][1]["cached"]
    assert len(again) == len(restarted) == 1
    assert again[0][1]["cached"] and restarted[0][1]["cached"]
    for name in ("accuracy", "loss", "change", "by_label", "control", "id"):
        assert first[-1][1][name] == again[0][1][name]
        if name != "id":
            assert first[-1][1][name] == restarted[0][1][name]


async def test_the_control_depends_on_the_request_alone(client: httpx.AsyncClient) -> None:
    drawn = (await events(client, drop="f1,f2", controls=2))[-1][1]["control"]
    assert (drawn["draws"], drawn["exact"], drawn["size"]) == (2, False, 2)
    accuracies = {}
    for pair in combinations(UNITS, 2):
        body = {**BASE, "intervention": {"drop": list(pair)}}
        accuracies[pair] = (await client.post("/api/v1/evaluations", json=body)).json()["accuracy"]["value"]
    again = await events(client, drop="f1,f2", controls=2)
    assert len(again) == 1 and again[0][1]["control"] == drawn  # though every set of that size is known by now
    whole = await events(client, drop="f1,f2", controls=6)
    control = whole[-1][1]["control"]
    assert len(whole) == 1 and control["exact"] and control["draws_done"] == control["draws"] == 6
    assert whole[0][1]["id"] != again[0][1]["id"]
    assert {tuple(entry["units"]): entry["accuracy"] for entry in control["sets"]} == accuracies
    assert control["mean"] == pytest.approx(np.mean(list(accuracies.values())))
    assert (control["least"], control["most"]) == (min(accuracies.values()), max(accuracies.values()))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"model": "nothing"}, MODEL),
        ({"drop": "f9"}, "f1, f2, f3, f4"),
        ({"mean": "x" * 41}, "unknown units"),
        ({"data": "mnist,imagenet"}, "street-digits"),
        ({"samples": 5_000}, "3000"),
        ({"samples": 2}, "At least one sample"),
        ({"controls": 65}, "64"),
    ],
)
async def test_a_stream_ends_with_what_would_be_accepted(
    client: httpx.AsyncClient, query: dict[str, Any], said: str
) -> None:
    ((name, problem),) = await events(client, **query)
    assert name == "problem" and said in problem["detail"] and problem["instance"].startswith("urn:uuid:")
    assert problem["status"] in {404, 422}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"model": "nothing"}, 404),
        ({"intervention": {"drop": ["f9"]}}, 422),
        ({"data": ["imagenet"]}, 422),
        ({"samples": 5_000}, 422),
        ({"samples": 0}, 422),
        ({"samples": 1.5}, 422),
        ({"controls": 65}, 422),
        ({"unknown": 1}, 422),
        ({"intervention": {"drop": ["f1"] * 1_025}}, 422),
        ({"intervention": {"drop": ["f1"] * 600, "mute": ["f2"] * 600}}, 422),
    ],
)
async def test_a_request_is_refused(client: httpx.AsyncClient, body: dict[str, Any], status: int) -> None:
    is_problem(await client.post("/api/v1/evaluations", json={**BASE, **body}), status)


async def test_queries_of_the_wrong_form(client: httpx.AsyncClient) -> None:
    for query in (
        {"samples": 0},
        {"samples": "x"},
        {"data": "A b"},
        {"controls": -1},
        {"drop": "f" * 9_000},
        {"iterations": 65},
    ):
        is_problem(await client.get("/api/v1/evaluations/stream", params={"model": MODEL, **query}), 422)


class Watched:
    """Counts batches, each of which takes a while."""

    def __init__(self, seconds: float) -> None:
        self.count = 0
        self._seconds = seconds
        self._original = computing.score_together

    def __call__(self, *given: Any, **named: Any) -> Iterator[tuple[Scores, ...]]:
        for piece in self._original(*given, **named):
            self.count += 1
            time.sleep(self._seconds)
            yield piece


def test_closing_the_connection_stops_the_computing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    watched = Watched(0.05)
    monkeypatch.setattr(computing, "score_together", watched)
    with listening(settings(tmp_path)) as port:
        url = f"http://127.0.0.1:{port}/api/v1"
        query = {"model": MODEL, "samples": 3_000, "drop": "f1", "controls": 6}
        with httpx.stream("GET", f"{url}/evaluations/stream", params=query, timeout=30) as response:
            for line in response.iter_lines():
                if line.startswith("data") and json.loads(line[6:])["accuracy"] is not None:
                    break
        stopped = 0
        while watched.count > stopped:  # a busy machine takes a while to see that nobody listens
            stopped = watched.count
            time.sleep(0.6)
        assert 1 <= watched.count == stopped <= 100, "of some two hundred, however late a busy machine stops"
        assert httpx.get(f"{url}/health", timeout=30).status_code == 200
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


async def test_a_problem_in_the_middle_is_said(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[tuple[Scores, ...]]:
        yield from ()
        raise KeyError("secret")

    monkeypatch.setattr(computing, "score_together", broken)
    found = await events(client, drop="f4")
    assert found[-1][0] == "problem" and found[-1][1]["status"] == 500 and "secret" not in str(found)


async def test_too_many_evaluations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    original = computing.score_together

    def waiting(*given: Any, **named: Any) -> Iterator[tuple[Scores, ...]]:
        for piece in original(*given, **named):
            gate.wait(30)
            yield piece

    monkeypatch.setattr(computing, "score_together", waiting)
    monkeypatch.setattr("routescope_app.services.measuring.evaluations.COMPUTING_SECONDS", 1e-6)
    async with serving(settings(tmp_path, queue_seconds=0)) as client:
        dropping = {**BASE, "intervention": {"drop": ["f1"]}}
        running = asyncio.create_task(client.post("/api/v1/evaluations", json=BASE))
        while not app_of(client).services.evaluations._turns.inside:
            await asyncio.sleep(0.01)
        another = {"Cookie": f"routescope_browser={0:032x}"}
        refused = await client.post("/api/v1/evaluations", json=dropping, headers=another)
        gate.set()
        assert is_problem(refused, 503)["retryable"] is True and int(refused.headers["Retry-After"]) > 0
        assert (await running).status_code == 200
        assert (await client.post("/api/v1/evaluations", json=dropping)).status_code == 200


async def test_kept_scores_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISK_SHARES, "scores", 1_200)
    async with serving(settings(tmp_path)) as client:
        for drop in ([], ["f1"], ["f2"], ["f3"], ["f4"]):
            body = {**BASE, "intervention": {"drop": drop}}
            assert (await client.post("/api/v1/evaluations", json=body)).status_code == 200
        store = app_of(client).services.store
        with store.engine.connect() as connection:
            size, count = connection.exec_driver_sql("SELECT SUM(bytes), COUNT(*) FROM scores").one()
        assert 0 < size <= 1_200 and count == 9  # 10 samples: 2 + 40 + 20 bytes and the key
        assert (await client.post("/api/v1/evaluations", json=body)).json()["cached"]
        early = {**BASE, "intervention": {"drop": ["f1"]}}
        assert not (await client.post("/api/v1/evaluations", json=early)).json()["cached"]  # used least recently: gone


@pytest.mark.slow
async def test_200_evaluations_of_two_users_at_the_same_time_are_bit_for_bit_as_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their interventions never meet, in two threads and by turns in each: a run has two pieces."""
    users = [{"drop": ["f1"], "resample": ["f2"]}, {"drop": ["f3"], "mute": ["f4"]}]
    worked: list[tuple[str, Intervention]] = []
    original = computing.score_together

    def watched(model: Any, datasets: Any, intervention: Intervention, **named: Any) -> Iterator[tuple[Scores, ...]]:
        for piece in original(model, datasets, intervention, **named):
            worked.append((threading.current_thread().name, intervention))
            yield piece

    monkeypatch.setattr(computing, "score_together", watched)
    monkeypatch.setitem(DISK_SHARES, "scores", 0)
    async with serving(settings(tmp_path, inference_workers=2)) as client:

        async def ask(intervention: dict[str, list[str]]) -> tuple[Any, ...]:
            body = {"model": MODEL, "data": ["mnist"], "samples": 36, "controls": 0, "intervention": intervention}
            found = (await client.post("/api/v1/evaluations", json=body)).json()
            assert not found["cached"]
            return found["loss"]["value"], found["accuracy"]["value"], found["change"]["loss"]["value"], found["flops"]

        alone = [await ask(user) for user in users]
        assert alone[0] != alone[1]
        worked.clear()

        async def use(number: int) -> list[tuple[Any, ...]]:
            return [await ask(users[number]) for _ in range(100)]

        together = await asyncio.gather(use(0), use(1))
    for serial, answers in zip(alone, together, strict=True):
        assert set(answers) == {serial}
    assert len(worked) >= 2 * 2 * 200  # two pieces of the set and two of the baseline
    assert len({thread for thread, _ in worked}) == 2
    assert sum(one != other for (_, one), (_, other) in pairwise(worked)) > len(worked) // 4  # they did interleave


async def test_speeds_are_compared_where_both_were_timed_in_turn(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ratio is the median over rounds, between the least and the greatest, whatever the machine did meanwhile."""
    turns: list[str] = []

    def seconds(ablation: Any, *_: Any) -> float:
        turns.append("own" if len(ablation.view.units) < len(UNITS) else "bare")
        slow = 1 + len(turns) // 2  # the machine becomes slower and slower
        return slow * (0.5 if turns[-1] == "own" else 1.0)

    monkeypatch.setattr(timing, "_seconds", seconds)
    body = {"model": MODEL, "samples": 30, "intervention": {"drop": ["f1"]}}
    found = (await client.post("/api/v1/evaluations/timing", json=body)).json()
    assert found["rounds"] == 9 and found["samples"] == 10
    assert turns[:6] == ["own", "bare", "own", "bare", "bare", "own"] and len(turns) == 2 + 2 * 9
    assert found["ratio"]["low"] <= found["ratio"]["value"] <= found["ratio"]["high"]
    assert found["ratio"]["value"] == pytest.approx(2, rel=0.3)
    monkeypatch.undo()
    real = (await client.post("/api/v1/evaluations/timing", json=body)).json()
    assert real["samples_per_second"] > 0 < real["baseline_samples_per_second"] and real["ratio"]["low"] > 0
    is_problem(await client.post("/api/v1/evaluations/timing", json={**body, "intervention": {"drop": ["f9"]}}), 422)


async def test_what_training_left_out_is_never_pooled_with_the_rest(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a model that was never trained on one of its domains: figures, changes and random sets, each apart."""
    info = scope.Measuring.measured

    def held_out(*given: Any) -> scope.Measured:
        found = info(*given)
        shown = found.info.domains
        return replace(found, info=replace(found.info, held_out=("mnist-m",), trained_on=shown))

    monkeypatch.setattr(scope.Measuring, "measured", held_out)
    body = {**BASE, "controls": 2, "intervention": {"drop": ["f1"]}}
    found = (await client.post("/api/v1/evaluations", json=body)).json()
    inside, outside = found["by_distribution"]
    assert [(each["name"], each["count"]) for each in (inside, outside)] == [("in", 20), ("out", 10)]
    rows = {row["name"]: row for row in found["by_domain"]}
    assert outside["accuracy"]["value"] == rows["mnist-m"]["accuracy"]
    assert outside["baseline"]["accuracy"]["value"] == rows["mnist-m"]["baseline"]
    both = (rows["mnist"]["accuracy"] + rows["street-digits"]["accuracy"]) / 2
    assert inside["accuracy"]["value"] == pytest.approx(both)
    for each in found["control"]["sets"]:
        parts = each["by_distribution"]
        assert (20 * parts["in"] + 10 * parts["out"]) / 30 == pytest.approx(each["accuracy"])
    spread = {each["name"]: each["mean"] for each in found["control"]["by_distribution"]}
    assert spread["out"] == pytest.approx(
        np.mean([each["by_distribution"]["out"] for each in found["control"]["sets"]])
    )
    assert found["covered"] == 30 and found["chance"] == {"value": 0.1, "by": "guessing"}
    assert inside["by_domain"] == [rows["mnist"], rows["street-digits"]] and outside["by_domain"] == [rows["mnist-m"]]
    for each in (inside, outside):
        names = [row["name"] for row in each["by_domain"]]
        share = 10 * len(names)
        own = (await client.post("/api/v1/evaluations", json={**body, "data": names, "samples": share})).json()
        assert each["by_label"] == own["by_label"] and sum(row["count"] for row in each["by_label"]) == share
    assert inside["by_label"] != found["by_label"] != outside["by_label"]


async def test_one_distribution_is_the_whole(client: httpx.AsyncClient) -> None:
    found = (await client.post("/api/v1/evaluations", json={**BASE, "data": ["mnist"]})).json()
    (only,) = found["by_distribution"]
    assert only["accuracy"] == found["accuracy"] and only["change"] == found["change"] and only["count"] == 30
    assert only["by_label"] == only["by_domain"] == [] and found["by_label"]  # which are its own already


def against(drop: list[str], model: str = MODEL, **change: Any) -> dict[str, Any]:
    return {"model": model, "intervention": {"drop": drop, **change}}


async def test_two_interventions_are_compared_sample_by_sample(client: httpx.AsyncClient) -> None:
    """Literally: the samples that only one of them gets right; and the same exchanged, mirrored to the last bit."""
    a, b = Intervention(drop=("f1",)), Intervention(mute=("f2",), iterations=2)
    body = {**BASE, "intervention": {"mute": ["f2"], "iterations": 2}, "against": against(["f1"])}
    found = (await client.post("/api/v1/evaluations", json=body)).json()
    said = found["comparison"]
    sets, model = [load(name, limit=10) for name in ("mnist", "mnist-m", "street-digits")], zoo.load(MODEL)
    right = [np.concatenate([score(model, each, how).correct for each in sets]) for how in (a, b)]
    counts = {"both": 0, "only_a": 0, "only_b": 0, "neither": 0}
    for first, second in zip(*right, strict=True):
        counts["both" if first and second else "only_a" if first else "only_b" if second else "neither"] += 1
    (only,) = said["by_distribution"]
    assert only["outcomes"] == counts and only["count"] == said["covered"] == said["total"] == 30
    assert only["difference"]["accuracy"]["value"] == pytest.approx((counts["only_b"] - counts["only_a"]) / 30)
    assert only["a"]["accuracy"]["value"] == right[0].mean() and only["b"]["accuracy"] == found["accuracy"]
    for at, row in enumerate(only["by_domain"]):
        rows = slice(10 * at, 10 * at + 10)
        assert row["change"] == pytest.approx(float(right[1][rows].mean() - right[0][rows].mean()))
    alone = (await client.post("/api/v1/evaluations", json={**BASE, "intervention": {"drop": ["f1"]}})).json()
    shared = ("id", "accuracy", "loss", "change", "by_label", "by_distribution")
    assert {name: said["a"][name] for name in shared} == {name: alone[name] for name in shared}
    assert {name: found[name] for name in shared if name != "id"} == {
        name: (await client.post("/api/v1/evaluations", json={**body, "against": None})).json()[name]
        for name in shared
        if name != "id"
    }  # B is what it is without a comparison
    turned = {
        **BASE,
        "intervention": {"drop": ["f1"]},
        "against": {"model": MODEL, "intervention": body["intervention"]},
    }
    (other,) = (await client.post("/api/v1/evaluations", json=turned)).json()["comparison"]["by_distribution"]
    for name in ("accuracy", "loss"):
        one, two = only["difference"][name], other["difference"][name]
        assert (one["value"], one["low"], one["high"]) == (-two["value"], -two["high"], -two["low"])
    for one, two in zip(only["by_label"], other["by_label"], strict=True):
        assert (one["change"], one["change_low"]) == (-two["change"], -two["change_high"])
    assert (other["outcomes"]["only_a"], other["outcomes"]["only_b"]) == (counts["only_b"], counts["only_a"])


async def test_compared_with_itself_and_with_the_model_as_it_is(client: httpx.AsyncClient) -> None:
    body = {**BASE, "intervention": {"drop": ["f3"]}}
    same = (await client.post("/api/v1/evaluations", json={**body, "against": against(["f3"])})).json()
    (only,) = same["comparison"]["by_distribution"]
    for each in only["difference"].values():
        assert each == {"value": 0, "low": 0, "high": 0}
    assert all(row["change"] == row["change_low"] == row["change_high"] == 0 for row in only["by_label"])
    bare = (await client.post("/api/v1/evaluations", json={**body, "against": against([])})).json()
    (only,) = bare["comparison"]["by_distribution"]
    assert only["difference"] == bare["change"]  # the very numbers of the paired change, with their intervals


async def test_a_comparison_is_apart_for_what_either_left_out(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = scope.Measuring.measured

    def held_out(*given: Any) -> scope.Measured:
        found = measured(*given)
        shown = found.info.domains
        return replace(found, info=replace(found.info, held_out=("mnist-m",), trained_on=shown))

    monkeypatch.setattr(scope.Measuring, "measured", held_out)
    body = {**BASE, "intervention": {"drop": ["f1"]}, "against": against(["f2"])}
    found = (await client.post("/api/v1/evaluations", json=body)).json()["comparison"]["by_distribution"]
    assert [(each["name"], each["count"]) for each in found] == [("in", 20), ("out", 10)]
    assert [[row["name"] for row in each["by_domain"]] for each in found] == [["mnist", "street-digits"], ["mnist-m"]]
    for each in found:
        rows = each["by_domain"]
        changes = [row["change"] for row in rows]
        assert each["difference"]["accuracy"]["value"] == pytest.approx(sum(changes) / len(changes))
        assert sum(each["outcomes"].values()) == each["count"] == sum(row["count"] for row in each["by_label"])


async def test_a_stream_compares_what_both_have_scored(tmp_path: Path) -> None:
    """While they stream, the difference is of the samples of whole rounds that both have, and says how many."""
    async with serving(settings(tmp_path)) as client:
        query = {"model": MODEL, "samples": 900, "drop": "f1", "controls": 0, "against": json.dumps(against(["f2"]))}
        states = [state for _, state in await events(client, **query)]
        assert states[-1]["state"] == "done" and all(state["state"] == "running" for state in states[:-1])
        for state in states:
            said = state["comparison"]
            parts = said["by_distribution"]
            assert said["problem"] is None and said["total"] == 900
            assert sum(part["count"] for part in parts) == said["covered"] <= said["a"]["done"]
        assert states[-1]["comparison"]["covered"] == 900 and len({s["comparison"]["covered"] for s in states}) > 1
        once = {**query, "samples": 30, "drop": ""}
        answer = (await events(client, **once))[-1][1]
        assert answer["state"] == "done" and answer["comparison"]["a"]["state"] == "done"


async def test_what_cannot_be_compared_is_said_in_words(client: httpx.AsyncClient) -> None:
    refused = {
        "There is no such model": against([], "nothing"),
        "does not read mnist": against([], BLOCKS),
        "f9": against(["f9"]),
    }
    for words, given in refused.items():
        answer = await client.post("/api/v1/evaluations", json={**BASE, "data": ["mnist"], "against": given})
        assert words in is_problem(answer, 404 if "no such model" in words else 422)["detail"]
        query = {"model": MODEL, "data": "mnist", "samples": 10, "controls": 0, "against": json.dumps(given)}
        last = (await events(client, **query))[-1][1]  # the evaluation goes on without it
        assert last["state"] == "done" and last["accuracy"]
        assert words in last["comparison"]["problem"] and last["comparison"]["a"] is None
    for text in ("[", '{"model": "../x"}', '{"model": "tiny", "more": 1}'):
        ((name, problem),) = await events(client, model=MODEL, samples=10, against=text)
        assert name == "problem" and "as JSON; not accepted" in problem["detail"]


async def test_other_labels_are_not_compared(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = scope.Measuring.measured
    times: list[int] = []

    def other_labels(*given: Any) -> scope.Measured:
        found = measured(*given)
        times.append(1)
        return found if len(times) % 2 else replace(found, info=replace(found.info, labels=("cat", "dog")))

    monkeypatch.setattr(scope.Measuring, "measured", other_labels)
    answer = await client.post("/api/v1/evaluations", json={**BASE, "against": against(["f1"])})
    assert "answers with other labels than" in is_problem(answer, 422)["detail"]
