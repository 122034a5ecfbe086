"""One computation of a key at a time, for all who wait; who leaves, what fails, and what is kept."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.services.engine.single_flight import SingleFlight

#: Bytes of every result.
SIZE = 10


class Work:
    """Computations in pieces; each piece waits for ``go``."""

    def __init__(self, pieces: int = 2) -> None:
        self.pieces = pieces
        self.going: set[str] = set()
        self.begun: list[str] = []
        self.done: list[str] = []
        self.fails: set[str] = set()
        self.go = asyncio.Semaphore(0)

    async def __call__(self, keys: Sequence[str]) -> Mapping[str, str]:
        assert not self.going & set(keys), "two computations of one key"
        self.going |= set(keys)
        self.begun += keys
        try:
            for _ in range(self.pieces):
                await self.go.acquire()
            if failing := self.fails & set(keys):
                raise LookupError(min(failing))
            self.done += keys
            return {key: key.upper() for key in keys}
        finally:
            self.going -= set(keys)


async def settle() -> None:
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def asking(results: SingleFlight[str, str], work: Work, *keys: str) -> "asyncio.Task[dict[str, str]]":
    return asyncio.create_task(results.find_all(keys, work))


def flights(limit: int = 1_000) -> SingleFlight[str, str]:
    return SingleFlight(limit, lambda _: SIZE)


async def test_several_keys_are_one_computation_without_those_under_way() -> None:
    results, work = flights(), Work(pieces=1)
    first = [asking(results, work, "b") for _ in range(2)]
    await settle()
    second = asking(results, work, "c", "b", "a", "c")
    await settle()
    assert work.begun == ["b", "c", "a"] and results.running == {"a", "b", "c"}
    work.go.release(), work.go.release()
    assert list((await second).items()) == [("c", "C"), ("b", "B"), ("a", "A")]
    assert [await asked for asked in first] == [{"b": "B"}] * 2
    assert await results.find("a", lambda: asyncio.sleep(0, "other")) == "A", "what is known is not computed again"
    assert await results.find("d", lambda: asyncio.sleep(0, "D")) == "D"


async def test_who_asks_for_what_was_abandoned_waits_for_its_end() -> None:
    """Work that takes its time to end, as a thread does, is not computed a second time meanwhile."""
    results, ended, begun = flights(), asyncio.Event(), []

    async def compute(keys: Sequence[str]) -> Mapping[str, str]:
        begun.append(1)
        try:
            if len(begun) == 1:
                await asyncio.Event().wait()
        finally:
            if len(begun) == 1:
                await ended.wait()
        return {key: key.upper() for key in keys}

    leaves = asyncio.create_task(results.find_all(["a"], compute))
    await settle()
    leaves.cancel()
    await settle()
    again = asyncio.create_task(results.find_all(["a"], compute))
    await settle()
    assert begun == [1] and not again.done()
    ended.set()
    assert await again == {"a": "A"} and begun == [1, 1]


async def test_errors_go_to_all_and_are_not_kept() -> None:
    results, work = flights(), Work(pieces=1)
    work.fails = {"a"}
    asked = [asking(results, work, "a") for _ in range(3)]
    await settle()
    work.go.release()
    for item in asked:
        with pytest.raises(LookupError, match="a"):
            await item
    assert results.kept.get("a") is None
    work.fails = set()
    work.go.release()
    assert await results.find_all(["a"], work) == {"a": "A"}


async def test_what_is_kept_has_a_bound() -> None:
    results, work = flights(limit=2 * SIZE), Work(pieces=0)
    for key in "abac":  # b is the least recently used
        await results.find_all([key], work)
    assert [key for key in "abc" if results.kept.get(key)] == ["a", "c"]
    results.keep("d", "D")
    assert results.kept.get("a") is None and await results.find_all(["d"], work) == {"d": "D"}
    none = flights(limit=0)
    assert [await none.find_all(["a"], work) for _ in range(2)] == [{"a": "A"}] * 2


KEYS = "abc"
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.lists(st.sampled_from(KEYS), min_size=1, max_size=4)),
        st.tuples(st.just("leave"), st.integers(0, 20)),
        st.tuples(st.just("piece"), st.none()),
        st.tuples(st.just("fail"), st.sets(st.sampled_from(KEYS))),
    ),
    max_size=40,
)


@given(ACTIONS, st.integers(0, 4))
def test_whoever_comes_leaves_and_fails(actions: list[tuple[str, object]], room: int) -> None:
    """Never two computations of a key; all who stay have what they asked for or the error; nothing is left behind."""

    async def run() -> None:
        results, work = flights(limit=room * SIZE), Work()
        asked: list[tuple[list[str], asyncio.Task[dict[str, str]]]] = []
        gone: set[int] = set()
        for action, what in actions:
            if action == "ask":
                assert isinstance(what, list)
                asked.append((what, asking(results, work, *what)))
            elif action == "leave" and asked:
                assert isinstance(what, int)
                gone.add(what % len(asked))
                asked[what % len(asked)][1].cancel()
            elif action == "fail":
                assert isinstance(what, set)
                work.fails = what
            elif action == "piece":
                work.go.release()
            await settle()
            waiting = {key for keys, task in asked if not task.done() for key in keys}
            assert work.going <= results.running
            computations = [set(flight.keys) for flight in results._flights.values()]  # of several keys at once
            assert all(keys & waiting for keys in computations), "computed for nobody"
            assert results.kept.nbytes <= room * SIZE
        for _ in range(len(KEYS) * (2 + len(asked))):
            work.go.release()
        for number, (keys, task) in enumerate(asked):
            (outcome,) = await asyncio.gather(task, return_exceptions=True)
            if isinstance(outcome, dict):
                assert outcome == {key: key.upper() for key in keys}
            elif isinstance(outcome, LookupError):
                assert str(outcome) in KEYS
            else:
                assert isinstance(outcome, asyncio.CancelledError) and number in gone
        await settle()
        assert not results.running and not work.going

    asyncio.run(run())
