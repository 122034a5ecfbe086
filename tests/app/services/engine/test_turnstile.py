"""Who is let in, in what order, who is sent away, and that nobody who left keeps room or a place."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routescope_app.services.engine.clients import client
from routescope_app.services.engine.turnstile import OVERDRAFT, QueueTicket, Turnstile
from routescope_app.services.errors import Busy

FOR_EVER = 3_600.0


def door(room: float = 10, patience: float = FOR_EVER) -> Turnstile:
    return Turnstile(room, patience, "It is full")


def enters(turns: Turnstile, cost: float, own: str = "a") -> "asyncio.Task[QueueTicket]":
    async def asking() -> QueueTicket:
        client.set(own)  # of this task alone
        return await turns.enter(cost)

    return asyncio.create_task(asking())


async def settle() -> None:
    """Let every task go as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_the_first_of_each_client_is_let_in_and_further_ones_while_as_much_stays_free() -> None:
    turns = door(10)
    first, larger, same, other = (
        enters(turns, cost, expected) for cost, expected in ((9, "a"), (2, "a"), (1, "a"), (50, "b"))
    )
    await settle()
    assert first.done() and other.done() and not larger.done() and not same.done()
    turns.leave(other.result())
    await settle()
    assert turns.inside == 1 and turns.waiting == 2  # 9 + 2 * 1 > 10
    turns.leave(first.result())
    await settle()
    assert larger.done() and same.done()  # 2 + 2 * 1 <= 10


async def test_a_client_that_is_alone_has_a_few_inside_whatever_they_take() -> None:
    turns = Turnstile(10, FOR_EVER, "It is full", few=3)
    mine = [enters(turns, 50, "a") for _ in range(4)]
    await settle()
    assert [task.done() for task in mine] == [True, True, True, False]
    turns.leave(mine[0].result())
    await settle()
    assert mine[3].done()
    other = enters(turns, 1, "b")
    await settle()
    assert other.done(), "however much one client has inside, the first of another one comes in"
    for task in mine[1:]:
        turns.leave(task.result())
    again = [enters(turns, 50, "a") for _ in range(2)]
    await settle()
    assert [task.done() for task in again] == [True, False]  # somebody else is inside


async def test_who_waits_too_long_is_sent_away_and_leaves_no_place_unless_it_is_patient() -> None:
    turns = door(10, 0.02)
    client.set("a")
    first = await turns.enter(9)
    patient = asyncio.create_task(turns.enter(9, patience=10_000))
    with pytest.raises(Busy, match="It is full; please") as caught:
        await turns.enter(9)
    assert caught.value.retry_after == 2 and turns.waiting == 1 and not patient.done()
    turns.leave(first)
    turns.leave(await asyncio.wait_for(patient, 60))
    assert turns.inside == turns.waiting == 0


async def test_what_becomes_free_goes_to_the_client_with_least_inside_then_to_the_first() -> None:
    turns = door(10)
    mine = [enters(turns, 2, "much") for _ in range(4)]
    theirs = enters(turns, 1, "little")
    await settle()
    assert all(item.done() for item in (*mine, theirs)) and turns.inside == 5
    waiting = [enters(turns, 2, who) for who in ("much", "much", "little", "little")]
    await settle()
    for leaves, inside in ((0, []), (1, [2]), (2, [0, 2])):  # 7 + 2 * 2 > 10; at last 2 of the one, 3 of the other
        turns.leave(mine[leaves].result())
        await settle()
        assert [at for at, item in enumerate(waiting) if item.done()] == inside


@pytest.mark.parametrize("leaves_first", [True, False])
async def test_one_who_leaves_just_as_their_turn_comes_gives_it_on(leaves_first: bool) -> None:
    turns = door(10)
    inside = enters(turns, 10)
    await settle()
    gone, next_one = enters(turns, 6), enters(turns, 6)
    await settle()
    if leaves_first:
        gone.cancel()
    turns.leave(inside.result())  # before the task that leaves has run
    gone.cancel()
    await settle()
    assert gone.cancelled() and next_one.done() and turns.inside == 1 and not turns.waiting


async def test_work_that_costs_nothing_is_always_admitted_and_errors_give_room_back() -> None:
    turns = door(1)
    with pytest.raises(KeyError):
        async with turns.admitted(5), turns.admitted(0), turns.admitted(0):
            assert turns.inside == 1
            raise KeyError
    assert turns.inside == 0


ACTIONS = st.lists(
    st.tuples(st.just("enter"), st.sampled_from("abc"), st.integers(1, 12))
    | st.tuples(st.sampled_from(["leave", "cancel", "cancel and leave"]), st.just(""), st.integers(0, 30)),
    max_size=40,
)


@given(ACTIONS)
def test_whoever_comes_and_leaves(actions: list[tuple[str, str, int]]) -> None:
    """There is never more inside than fits, nobody waits who would fit, and at the end all who stayed were let in."""

    async def run() -> None:
        turns, tasks = door(10), list[asyncio.Task[QueueTicket]]()
        left = set[int]()

        def leave(number: int) -> None:
            if number < len(tasks) and number not in left and tasks[number].done() and not tasks[number].cancelled():
                left.add(number)
                turns.leave(tasks[number].result())

        for what, expected, number in actions:
            if what == "enter":
                tasks.append(enters(turns, number, expected))
            elif tasks:
                chosen = number % len(tasks)
                if "cancel" in what:
                    tasks[chosen].cancel()
                if "leave" in what:
                    leave(number % 3 if what != "leave" else chosen)
            await asyncio.sleep(0) if number % 2 else await settle()
            held = Counter(position.client for position in turns._inside)
            taken = sum(position.cost for position in turns._inside)
            beside_largest = taken - max((position.cost for position in turns._inside), default=0)
            assert beside_largest <= OVERDRAFT * 10
            for position in turns._waiting:
                too_large = taken + 2 * position.cost > 10
                costs = [*(item.cost for item in turns._inside), position.cost]
                crowded = bool(held[position.client]) or sum(costs) - max(costs) > OVERDRAFT * 10
                assert position.turn.cancelled() or (too_large and crowded)
        for _ in range(len(tasks)):
            await settle()
            for number in range(len(tasks)):
                leave(number)
        await settle()
        assert all(task.done() for task in tasks) and not turns.waiting and not turns.inside

    asyncio.run(run())
