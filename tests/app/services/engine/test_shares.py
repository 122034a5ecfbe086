"""Each gets its share of the time, nobody starves or saves up turns, and nothing is kept of those who are gone."""

from collections import Counter, deque
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.services.engine.shares import FairQueue, FairShares

AMOUNTS = st.floats(0.001, 10)


@given(
    st.lists(st.sampled_from([0.5, 1.0, 2.0, 4.0]), min_size=2, max_size=5),
    st.lists(AMOUNTS, min_size=1, max_size=100),
)
def test_those_who_always_wait_get_their_shares(shares: list[float], amounts: list[float]) -> None:
    """What two got, each by its share, never differs by more than one largest piece of each: theorem 1 of the paper."""
    fair = FairShares[int](shares.__getitem__)
    got = [0.0] * len(shares)
    for key in range(len(shares)):
        fair.enter(key)
    for amount in amounts:
        key = fair.choose(range(len(shares)))
        fair.charge(key, amount)
        fair.enter(key)
        got[key] += amount
    most = max(amounts)
    for one in range(len(shares)):
        for other in range(len(shares)):
            apart = got[one] / shares[one] - got[other] / shares[other]
            assert apart <= most / shares[one] + most / shares[other] + 1e-9


@given(st.integers(1, 5), st.lists(AMOUNTS, min_size=30, max_size=30), st.integers(0, 20))
def test_who_comes_waits_for_one_piece_of_each_other_at_most(others: int, amounts: list[float], before: int) -> None:
    fair = FairShares[int]()
    for key in range(1, others + 1):
        fair.enter(key)
    for amount in amounts[:before]:
        fair.charge(fair.choose(range(1, others + 1)), amount)
    fair.enter(0)
    passed = Counter[int]()
    for amount in amounts[before:]:
        if (key := fair.choose(range(others + 1))) == 0:
            break
        passed[key] += 1
        fair.charge(key, amount)
    else:
        raise AssertionError("it never had its turn")
    assert max(passed.values(), default=0) <= 1


def test_nobody_saves_up_turns() -> None:
    fair = FairShares[str]()
    fair.enter("idle"), fair.enter("busy")
    for _ in range(100):
        fair.charge(fair.choose(["busy"]), 1)
    fair.enter("idle")
    chosen = []
    for _ in range(20):
        chosen.append(fair.choose(["idle", "busy"]))
        fair.charge(chosen[-1], 1)
    assert 10 <= chosen.count("idle") <= 11


def test_nobody_waits() -> None:
    with pytest.raises(ValueError, match="empty"):
        FairShares[str]().choose([])
    with pytest.raises(IndexError):
        FairQueue[str]().take()


def test_the_clients_share_evenly_and_so_do_their_requests() -> None:
    """One client with twenty requests of many pieces, another with a single one of longer pieces."""
    queue, got, numbers = FairQueue[str](), Counter[str](), count()
    for request in range(20):
        queue.put(("many", request), f"many {request}")
    queue.put(("one", 20), "one 20")
    for _ in range(800):
        path, item = queue.take()
        seconds = 2.0 if path[0] == "one" else 0.5 + next(numbers) % 2
        got[item] += seconds  # type: ignore[assignment]
        queue.put(path, item)  # the next piece waits before this one is charged
        queue.charge(path, seconds)
    many = [seconds for item, seconds in got.items() if item.startswith("many")]
    assert abs(sum(many) - got["one 20"]) <= 4
    assert len(many) == 20 and max(many) - min(many) <= 3


PATHS = st.tuples(st.sampled_from("abc"), st.integers(0, 3))


@given(st.lists(PATHS | AMOUNTS, max_size=60), st.integers(1, 3))
def test_whatever_comes_and_goes(actions: list[tuple[str, int] | float], workers: int) -> None:
    """Each item comes out once, those of a path in order; where nothing waits and nothing runs, nothing is left."""
    queue, model, numbers = FairQueue[int](), dict[tuple[object, ...], deque[int]](), count()
    running = deque[tuple[object, ...]]()
    waiting = 0

    def take() -> None:
        path, item = queue.take()
        assert item == model[path].popleft()
        running.append(path)

    for action in actions:
        if isinstance(action, tuple):
            item = next(numbers)
            queue.put(action, item)
            model.setdefault(action, deque()).append(item)
            waiting += 1
            continue
        if waiting:
            take()
            waiting -= 1
        if len(running) >= workers or (running and not waiting):
            queue.charge(running.popleft(), action)
        assert len(queue) == waiting
    while waiting:
        take()
        waiting -= 1
    for path in running:
        queue.charge(path, 1.0)  # type: ignore[arg-type]
    assert not queue and not any(model.values())
    assert not queue._lines and not queue._shares._clocks


def test_nothing_is_kept_of_a_thousand_clients_that_came_one_by_one() -> None:
    queue = FairQueue[int]()
    queue.put(("steady", 0), 0)
    for number in range(1_000):
        queue.put((f"client {number}", number), number)
        for _ in range(2):
            path, item = queue.take()
            if path[0] == "steady":
                queue.put(path, item)
            queue.charge(path, 1.0)
    assert len(queue._lines) <= 5 and len(queue._shares._clocks) <= 5
