"""The rules of the tasks of blocks on plain numbers, one sample at a time: slow, literal, and written apart."""

from collections.abc import Sequence


def addmul(a: int, b: int, subtask: str) -> int:
    total = 0
    for _ in range(a):
        if subtask == "multiply":
            total += b
        elif subtask == "add":
            total += 1
        else:
            raise ValueError(subtask)
    if subtask == "add":
        total += b
    return int(str(total)[-1])


def double(a1: int, b1: int, a2: int, b2: int, subtask: str) -> int:
    pair = {"first pair": (a1, b1), "second pair": (a2, b2)}[subtask]
    return int(str(sum(pair))[-1])


def algo_once(state: Sequence[int], subtask: str) -> tuple[int, ...]:
    """Every formula written out, not turned round from another one."""
    A, B, C, D, E = state
    if subtask == "assign E":
        E = A + 1 if C > D else B + 1
    elif subtask == "assign A":
        A = B + 1 if D > E else C + 1
    elif subtask == "assign B":
        B = C + 1 if E > A else D + 1
    elif subtask == "assign C":
        C = D + 1 if A > B else E + 1
    elif subtask == "assign D":
        D = E + 1 if B > C else A + 1
    else:
        raise ValueError(subtask)
    return tuple(int(str(each)[-1]) for each in (A, B, C, D, E))


def algo(state: Sequence[int], subtasks: Sequence[str], iterations: int) -> tuple[int, ...]:
    """A program that is too short begins again."""
    for iteration in range(iterations):
        state = algo_once(state, subtasks[iteration % len(subtasks)])
    return tuple(state)
