"""Rows of jobs, on SQLite and PostgreSQL: whose turn it is, leases, and what becomes of a worker that lost one."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import delete, select, text, update

from routescope_app.services.errors import Busy, NotYours
from routescope_app.services.jobs import askers
from routescope_app.services.jobs.askers import Askers, Caller
from routescope_app.services.jobs.table import JobTable
from routescope_app.services.jobs.turns import PAUSES, Waiting, in_turn
from routescope_app.services.store import MIGRATIONS, JobRow, Store
from routescope_app.settings import DISK_SHARES
from tests.app.serving import settings

HALF_DONE = (3, 10, "counting")
PROGRAM = "address:1"


class Clock:
    """The present moment, which passes when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)


class Workers:
    """Tables of one database, each of a worker of its own."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self.folder, self.url = folder, url
        self.store = Store(settings(folder, database_url=url).database)
        self.store.migrate()
        with self.store.writing() as session:
            session.execute(delete(JobRow))
        self.clock = Clock()

    def table(self, name: str, clock: bool = True, **changes: Any) -> JobTable:
        chosen = settings(self.folder, database_url=self.url, **changes)
        return JobTable(chosen, self.store, name, self.clock if clock else None)

    def row(self, job_id: str) -> JobRow:
        with self.store.reading() as session:
            result = session.get(JobRow, job_id)
        assert result is not None
        return result


@pytest.fixture(params=["sqlite", "postgresql"])
def workers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workers]:
    url = request.getfixturevalue("shared_postgresql") if request.param == "postgresql" else None
    made = Workers(tmp_path, url)
    yield made
    made.store.close()


def ask(table: JobTable, job_id: str, owner: str | None = None, mine: bool = False) -> JobRow | None:
    return table.submit(job_id, "embedding", {"name": job_id}, keep=False, mine=mine, account=owner or "")


def ids(table: JobTable) -> list[str]:
    """All that wait, in their turns."""
    results = []
    while (row := table.claim()) is not None:
        results.append(row.id)
    return results


def test_each_owner_has_a_turn_before_anybody_has_the_next(workers: Workers) -> None:
    table = workers.table("a", clock=False)
    for job_id, owner in (("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("b2", "b"), ("n1", None)):
        ask(table, job_id, owner)
    assert [table.claim().id for _ in range(3)] == ["a1", "b1", "n1"]  # type: ignore[union-attr]
    ask(table, "c1", "c")  # beside those who wait, not before them
    assert table.waiting() == ["c1", "a2", "b2", "a3"]
    ask(table, "a3", "d")  # who asks for what waits in another's line has a turn for it
    assert table.waiting() == ["a3", "c1", "a2", "b2"]
    assert ids(table) == ["a3", "c1", "b2", "a2"] and table.waiting() == []


def test_one_clients_long_jobs_keep_nobody_waiting_longer_than_one_of_them(workers: Workers) -> None:
    """However long they waited; and a spare worker takes up what belongs to somebody who has none running."""
    table = workers.table("a")
    for number in range(6):
        ask(table, f"a{number}", "a")
    with workers.store.writing() as session:
        session.execute(update(JobRow).values(queued=workers.clock()))
    assert [table.claim().id for _ in range(2)] == ["a0", "a1"]  # type: ignore[union-attr]
    workers.clock.seconds = 3_600
    assert table.claim(spare=True) is None, "all who wait have one running"
    ask(table, "b0", "b"), ask(table, "b1", "b")
    assert table.waiting()[:2] == ["b0", "b1"], "b has none running, then one; a has two"
    got = table.claim(spare=True)
    assert got is not None and got.id == "b0" and table.claim(spare=True) is None


def test_with_one_worker_a_newcomer_goes_before_the_next_of_who_was_just_served(workers: Workers) -> None:
    table = workers.table("a", running_jobs=1)
    for job_id, account in (("a1", "a"), ("a2", "a"), ("b1", "b")):
        ask(table, job_id, account)
    turns = []
    while (row := table.claim()) is not None:
        turns.append(row.id)
        workers.clock.seconds += 1e9  # after all that was queued
        assert table.end(row.id, "done", progress=HALF_DONE, seconds=1)
        if row.id == "a1":
            ask(table, "c1", "c")
    assert turns == ["a1", "b1", "c1", "a2"]


def test_newcomers_keep_nobody_waiting_for_ever() -> None:
    """One worker, one job a minute, and a new client every minute: somebody's three jobs have every second turn."""
    clock = Clock()
    line = [Waiting(f"a{number}", ("a",), clock()) for number in range(3)]
    served: dict[str, datetime] = {}
    turns = []
    for minute in range(7):
        line.append(Waiting(f"new{minute}", (f"n{minute}",), clock()))
        turns.append(in_turn(line, {}, served)[0][1])
        clock.seconds += 60
        [job] = [job for job in line if job.id == turns[-1]]
        line.remove(job)
        served[job.accounts[0]] = clock()
    assert turns[0] == "a0" and {"a0", "a1", "a2"} <= set(turns), turns


def test_one_client_leaves_room_for_others_at_every_replica(workers: Workers) -> None:
    first, second = (workers.table(name, clock=False, max_queued_jobs=8) for name in ("first", "second"))
    taken = dict.fromkeys("abcd", 0)
    for account in taken:
        for number in range(8):
            try:
                ask((first, second)[number % 2], f"{account}{number}", account)
            except Busy as busy:
                assert busy.retry_after and f"You have {taken[account]} job" in busy.detail, busy.detail
                assert f"up to {taken[account]} of one client" in busy.detail
                break
            taken[account] += 1
    assert taken == {"a": 4, "b": 2, "c": 1, "d": 1}
    with pytest.raises(Busy, match="8 jobs of others"):
        ask(first, "e0", "e")
    assert ask(first, "a0", "e").askers == 2  # type: ignore[union-attr]  # what waits already takes no room
    first.give_up("a3", Caller("a"), once=False), first.cancel("a3", "cancelled", mine=False, unasked=True)
    assert ask(second, "e0", "e") is not None
    with pytest.raises(Busy, match="You have 3 jobs"):
        ask(second, "a4", "a")


def test_no_two_workers_get_the_same_job(workers: Workers) -> None:
    asking = workers.table("asks", clock=False, max_queued_jobs=100)
    asked = [f"job{number:02}" for number in range(40)]
    for job_id in asked:
        ask(asking, job_id)
    got: dict[str, list[str]] = {f"worker{number}": [] for number in range(6)}

    def work(name: str) -> None:
        table = workers.table(name, clock=False)
        while (row := table.claim()) is not None:
            got[name].append(row.id)

    threads = [threading.Thread(target=work, args=(name,)) for name in got]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(job_id for item in got.values() for job_id in item) == asked
    for name, item in got.items():
        assert {workers.row(job_id).worker for job_id in item} <= {name}


def test_a_row_that_another_is_taking_is_passed_over(shared_postgresql: str, tmp_path: Path) -> None:
    """With SKIP LOCKED: who looks for work does not wait for another's transaction."""
    made = Workers(tmp_path, shared_postgresql)
    table = made.table("a", clock=False)
    ask(table, "first"), ask(table, "second")
    with made.store.writing() as session:
        session.scalars(select(JobRow).where(JobRow.id == "first").with_for_update()).one()
        row = table.claim()
        assert row is not None and row.id == "second"
        assert table.claim() is None
    assert ids(table) == ["first"]
    made.store.close()


def test_a_lease_is_renewed_until_it_is_not(workers: Workers) -> None:
    first, second = (workers.table(name, job_lease_seconds=30) for name in ("first", "second"))
    ask(first, "one")
    assert first.claim() is not None
    for seconds in (20, 40, 60):
        workers.clock.seconds = seconds
        assert first.renew(["one", "another"]) == {"one": None}
        assert second.recover(everything=False) == [] and second.renew(["one"]) == {}
    workers.clock.seconds = 89
    assert second.recover(everything=False) == []
    workers.clock.seconds = 90
    assert second.recover(everything=False) == [("one", "first")]
    row = workers.row("one")
    assert (row.state, row.what, row.worker, row.attempts) == ("queued", "waiting", None, 1)
    assert second.claim() is not None and workers.row("one").attempts == 2

    placed: list[str] = []
    first.progress("one", *HALF_DONE)
    assert first.renew(["one"]) == {}, "it is told that it has lost it"
    assert not first.end("one", "done", progress=HALF_DONE, seconds=5, place=lambda: placed.append("first"))
    assert (workers.row("one").state, workers.row("one").done) == ("running", 0)
    assert second.end("one", "done", progress=HALF_DONE, seconds=7, place=lambda: placed.append("second"))
    assert not second.end("one", "done", progress=HALF_DONE, seconds=7, place=lambda: placed.append("again"))
    assert placed == ["second"]
    ended = workers.row("one")
    assert (ended.state, ended.done, ended.what, ended.seconds) == ("done", 10, "done", 7)


def test_a_job_whose_workers_end_again_and_again_pauses_and_runs_alone(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is never given up, and leaves the processes that it may bring down to others most of the time."""
    monkeypatch.setattr("routescope_app.services.jobs.table.MAX_ATTEMPTS", 2)
    table, second = (workers.table(name, job_lease_seconds=3) for name in ("first", "second"))
    ask(table, "one")
    for pause in (3, *PAUSES, 3_600, 3_600, 3_600):
        begun = workers.clock.seconds
        assert table.claim() is not None
        workers.clock.seconds = begun + 3
        assert table.recover(everything=False) == [("one", "first")]
        workers.clock.seconds = begun + pause - 0.1
        assert table.claim() is None if pause > 3 else table.waiting() == ["one"]
        workers.clock.seconds = begun + pause
    row = workers.row("one")
    assert (row.state, row.what, row.attempts) == ("queued", "interrupted 14 times", 14)

    workers.clock.seconds -= 1
    ask(table, "two"), ask(table, "three")
    assert table.claim().id == "two"  # type: ignore[union-attr]  # while the other one pauses
    workers.clock.seconds += 3_600
    assert table.renew(["two"]) == {"two": None}
    assert table.claim(but=["two"]) is None, "the next is the one that is to be alone"
    assert second.claim().id == "one"  # type: ignore[union-attr]
    assert second.claim(but=["one"]) is None, "it is alone"
    assert table.claim(but=["two"]).id == "three"  # type: ignore[union-attr]
    assert second.end("one", "interrupted", progress=HALF_DONE, seconds=1)
    assert (workers.row("one").state, workers.row("one").attempts) == ("queued", 15)
    again = ask(table, "one")
    assert again is not None and again.attempts == 15, "who asks too does not end its pause"
    assert not table.cancel("one", "cancelled", mine=False)
    assert ask(table, "one").attempts == 0  # type: ignore[union-attr]  # who cancels it and asks again, does


def test_what_another_runs_is_told_to_stop(workers: Workers) -> None:
    first, second = workers.table("first"), workers.table("second")
    ask(first, "one"), ask(first, "two")
    assert first.claim() is not None
    assert not second.cancel("two", "cancelled", mine=False), "it waits, so it is over at once"
    assert (workers.row("two").state, workers.row("two").what) == ("cancelled", "cancelled")
    assert second.cancel("one", "cancelled", mine=False) and second.cancel("one", "nobody read it", mine=False)
    assert first.renew(["one"]) == {"one": "cancelled"}, "the first who said so"
    assert workers.row("one").state == "running" and second.is_ending("one", mine=False)
    assert ask(second, "one") is None, "to be asked for again once it has ended"
    assert first.end("one", "cancelled", progress=(3, 10, "cancelled"), seconds=1)
    assert not second.is_ending("one", mine=False) and workers.row("one").state == "cancelled"
    again = ask(second, "one")
    assert again is not None and again.state == "queued" and again.cancelling is None
    assert not second.is_ending("one", mine=False) and workers.row("one").state == "queued"


@pytest.mark.parametrize("how", ["seen", "recovered", "stopped"])
def test_what_was_to_stop_is_not_begun_again(workers: Workers, how: str) -> None:
    """Whether whoever asked sees that its worker is gone, another worker does, or it stops by itself."""
    first, second = workers.table("first"), workers.table("second")
    ask(first, "one")
    assert first.claim() is not None and second.cancel("one", "cancelled", mine=False)
    if how == "stopped":
        assert first.end("one", "queued", progress=HALF_DONE, seconds=1)
    else:
        workers.clock.seconds = 31
        if how == "seen":
            assert not second.is_ending("one", mine=False)
        else:
            assert second.recover(everything=False) == [("one", "first")]
    assert (workers.row("one").state, workers.row("one").what) == ("cancelled", "cancelled")


def test_one_that_is_called_running_and_lost_is_queued_again(workers: Workers) -> None:
    """One whose worker stops waits as if it had not begun."""
    first, second = workers.table("first", max_queued_jobs=1), workers.table("second", max_queued_jobs=1)
    ask(first, "one")
    assert first.claim() is not None
    with pytest.raises(Busy):
        ask(second, "two")
    assert ask(second, "one").state == "running"  # type: ignore[union-attr]
    assert ask(first, "one", mine=True).state == "running"  # type: ignore[union-attr]
    assert ask(first, "one").state == "queued"  # type: ignore[union-attr]  # its end could not be written
    assert first.claim() is not None
    workers.clock.seconds = 31
    assert ask(second, "one").state == "queued"  # type: ignore[union-attr]  # its worker does not answer
    assert first.claim() is not None and first.end("one", "queued", progress=HALF_DONE, seconds=4)
    row = workers.row("one")
    assert (row.state, row.attempts, row.worker, row.lease, row.seconds) == ("queued", 0, None, None, 4)


def test_jobs_of_version_0_6_are_taken_up(workers: Workers) -> None:
    """A running job without a worker is queued again, a waiting job goes on, and its askers count as one."""
    store, config = workers.store, Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        config.attributes["connection"] = connection
        command.downgrade(config, "0012")
    with store.writing() as session:
        for job_id, state, attempts, hour in (("waiting", "queued", 0, 1), ("running", "running", 1, 2)):
            moment = f"2026-01-01 {hour:02}:00:00.000000" + ("+00" if store.shared else "")
            session.execute(
                text(
                    "INSERT INTO jobs (id, kind, state, request, done, total, what, seconds, attempts, bytes, created, "
                    "queued, used, kept) VALUES (:id, 'embedding', :state, '{}', 0, 0, '', 0, :attempts, 0, :moment, "
                    ":moment, :moment, false)"
                ),
                {"id": job_id, "state": state, "attempts": attempts, "moment": moment},
            )
    store.migrate()
    table = workers.table("a", clock=False)
    assert table.recover(everything=False) == [("running", None)]
    assert ids(table) == ["waiting", "running"] and workers.row("running").attempts == 2
    assert table.give_up("waiting", Caller("a"), once=True) == 0


def test_everybody_counts_who_asked_wherever(workers: Workers) -> None:
    """And gives up nothing but their own; the place in the queue passes to who still wants it."""
    first, second = workers.table("first"), workers.table("second")
    ask(first, "one", "a"), ask(second, "one", "b"), ask(second, "one", "b"), ask(first, "one", PROGRAM)

    def position() -> tuple[str | None, str | None]:
        return workers.row("one").account, workers.row("one").owner

    assert position() == ("a", "a") and workers.row("one").askers == 4
    for stranger in ("c", "address:2", ""):
        with pytest.raises(NotYours, match="You can read it"):
            first.give_up("one", Caller(stranger), once=True)
    assert second.give_up("one", Caller("a"), once=True) == 3 and position() == ("b", "b")
    with pytest.raises(NotYours):
        second.give_up("one", Caller("a"), once=True)  # it has done so
    assert first.give_up("one", Caller("b"), once=True) == 2
    assert first.give_up("one", Caller("b"), once=False) == 1 and position() == (PROGRAM, None)
    assert first.give_up("one", Caller("address:2"), once=True) == 0, "what nobody owns is everybody's"
    assert position() == (PROGRAM, None) and first.give_up("missing", Caller("a"), once=True) == 0
    ask(first, "two", "a"), ask(first, "two", "b")
    assert first.give_up("two", Caller("address:3", operator=True), once=False) == 0
    first.cancel("two", "cancelled", mine=False, unasked=True)
    with pytest.raises(NotYours):  # also of what has ended
        first.give_up("two", Caller("c"), once=False)


def test_who_asks_for_what_is_done_owns_it_too(workers: Workers) -> None:
    """So that it is shown in their list; its room stays the first one's."""
    table = workers.table("a")
    ask(table, "one", "a")
    assert table.claim() is not None and table.end("one", "done", progress=HALF_DONE, seconds=1)
    for account in ("b", "b", PROGRAM):
        row = table.submit("one", "embedding", {}, keep=True, mine=False, account=account)
        assert row is not None and row.state == "done"
    row = workers.row("one")
    assert (Askers.of(row).owners, row.account, row.askers) == ({"a", "b"}, "a", 2)


def test_each_asker_keeps_a_job_for_itself(workers: Workers) -> None:
    table = workers.table("a")
    ask(table, "one", "a"), ask(table, "one", "b")
    for stranger in ("c", PROGRAM):
        with pytest.raises(NotYours):
            table.keep("one", True, Caller(stranger))
    table.keep("one", True, Caller("a"))
    with pytest.raises(NotYours, match="Another one"):
        table.keep("one", False, Caller("b"))
    assert workers.row("one").kept
    table.give_up("one", Caller("a"), once=False)
    assert not workers.row("one").kept, "who is left decides"
    table.keep("one", True, Caller("b")), table.keep("one", True, Caller(PROGRAM, operator=True))
    table.keep("one", False, Caller("b"))
    assert workers.row("one").kept
    table.keep("one", False, Caller(PROGRAM, operator=True))
    assert not workers.row("one").kept


def test_a_job_that_many_ask_for_remembers_so_many(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks while another gives it up, between the two steps of that, keeps it."""
    monkeypatch.setattr(askers, "MOST_ASKERS", 2)
    table = workers.table("a")
    for account in ("a", "b", "c", "d", "b"):
        ask(table, "one", account)
    assert json.loads(workers.row("one").owners) == {"a": [1, False], "b": [2, False], "": [2, False]}
    with pytest.raises(NotYours):
        table.give_up("one", Caller("c"), once=False)
    ask(table, "two", "a")
    for account, state in (("a", "queued"), ("b", "cancelled")):
        assert table.give_up("two", Caller(account), once=True) == 0
        if state == "queued":
            ask(table, "two", "b")
        table.cancel("two", "cancelled", mine=False, unasked=True)
        assert workers.row("two").state == state


def test_results_of_one_client_push_out_their_own(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISK_SHARES, "results", 100)
    monkeypatch.setattr("routescope_app.services.jobs.table.MAX_ROWS", 6)
    table = workers.table("a", max_queued_jobs=100)
    for number, (account, size) in enumerate(
        [("b", 10), ("c", 10), *[("a", 25)] * 4, ("a", 0), ("b", 0), ("a", 25), ("d", 0)]
    ):
        job_id = f"{account}{number}"
        ask(table, job_id, account)
        assert table.claim() is not None
        workers.clock.seconds += 1
        assert table.end(job_id, "done", progress=HALF_DONE, seconds=1, size=size)
        gone: list[str] = []
        table.evict(job_id, gone.append)
        assert gone == {5: ["a2"], 7: ["a3"], 8: ["a4"], 9: ["a5"]}.get(number, []), (number, gone)
    ask(table, "e", "e")
    assert table.claim() is not None and table.end("e", "done", progress=HALF_DONE, seconds=1, size=500)
    gone = []
    table.evict("e", gone.append)
    assert gone == ["a6"], "a row; nobody loses a result for the newest one, which is kept whatever its size"


def test_who_has_read_what(workers: Workers) -> None:
    table = workers.table("a")
    for job_id in ("one", "two", "kept"):
        ask(table, job_id)
    table.keep("kept", True, Caller(""))
    assert table.unread(60) == []
    workers.clock.seconds = 50
    table.was_read("one", 10)
    table.was_read("one", 30)  # said later, but it is less
    workers.clock.seconds = 60
    assert table.unread(60) == ["two"]
    assert not table.cancel("one", "nobody read it", mine=False, unread=60)
    assert not table.cancel("kept", "nobody read it", mine=False, unread=60)
    assert [workers.row(entry).state for entry in ("one", "kept")] == ["queued", "queued"]
    workers.clock.seconds = 100
    assert set(table.unread(60)) == {"one", "two"}
    table.cancel("one", "nobody read it", mine=False, unread=60)
    assert (workers.row("one").state, workers.row("one").what) == ("cancelled", "nobody read it")
