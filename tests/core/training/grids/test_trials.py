"""Grids of trainings: every trial once, in groups of one shape, each learning what it would learn alone."""

from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routescope.data.blocks.tasks import ADDMUL, ALGO, DOUBLE
from routescope.training.grids.trials import (
    AHEAD,
    Lessons,
    Trial,
    accuracy,
    group_of,
    in_groups,
    numbered,
    samples,
    samples_of_each,
    train,
    trials_of,
)

SPLITS = ({"alternate": False}, {"alternate": True})
few = st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True)


def smfrs(widths: list[int], seeds: int = 1) -> list[Trial]:
    axes = {"attention": ["softmax"], "depth": [1], "layers": [1], "width": widths}
    return trials_of("smfr", axes, range(seeds))


@given(depths=few, widths=few, layers=few, seeds=st.integers(1, 3), most=st.integers(1, 7))
@settings(max_examples=30, deadline=None)
def test_every_trial_is_in_one_group_of_its_shape(
    depths: list[int], widths: list[int], layers: list[int], seeds: int, most: int
) -> None:
    axes = {"attention": ("softmax", "gumbel"), "depth": depths, "layers": layers, "width": widths}
    trials = trials_of("smfr", axes, range(seeds), SPLITS)
    assert len({trial.name for trial in trials}) == len(trials) == 4 * len(depths) * len(layers) * len(widths) * seeds
    groups = in_groups(trials, most)
    assert Counter(trial for group in groups for trial in group) == Counter(trials)
    for group in groups:
        assert len(group) <= most
        assert len({(t.kind, dict(t.sizes)["depth"], dict(t.sizes)["layers"]) for t in group}) == 1


def test_groups_of_a_shape_are_of_close_widths_and_of_like_numbers() -> None:
    groups = in_groups(smfrs([9, 1, 8, 2, 10]), 3)
    assert [[dict(trial.sizes)["width"] for trial in group] for group in groups] == [[1, 2], [8, 9, 10]]


def test_a_trial_has_the_same_network_whatever_was_drawn_before() -> None:
    trial = smfrs([3])[0]
    first = trial.network("double")
    state = torch.get_rng_state()
    second = trial.network("double")
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    other = smfrs([3], seeds=2)[1].network("double")
    assert not torch.equal(next(first.parameters()), next(other.parameters()))


def test_stages_and_numbered_trials_have_samples_of_their_own() -> None:
    trials = numbered(trials_of("block_fnn", {"hidden": [10], "layers": [1, 2]}))
    assert [trial.seed for trial in trials] == [0, 1]
    drawn = [Lessons(DOUBLE, trials, 16, stream=stream).next()[0][0] for stream in (0, 1)]
    batches = [drawn[stream][place] for stream in (0, 1) for place in (0, 1)]
    for at, one in enumerate(batches):
        assert not any(torch.equal(one, other) for other in batches[:at])


def test_a_trial_learns_from_the_same_samples_in_every_group() -> None:
    trials = trials_of("block_fnn", {"hidden": [10], "layers": [1]}, range(3), SPLITS)
    together, alone = Lessons(DOUBLE, trials, 4), Lessons(DOUBLE, trials[4:5], 4)
    for step in range(AHEAD + 3):
        if step == 7:
            together.only([1, 4])
        (values, tasks), digits = together.next()
        (own_values, own_tasks), own_digits = alone.next()
        place = 4 if step < 7 else 1
        assert torch.equal(values[place], own_values[0])
        assert torch.equal(tasks[place], own_tasks[0])
        assert torch.equal(digits[place], own_digits[0])
    assert values.shape == (2, 4, 4, 10)


@pytest.mark.parametrize("alternate", [False, True])
def test_lessons_show_nothing_that_is_left_out_and_end_with_the_right_digits(alternate: bool) -> None:
    trials = trials_of("block_fnn", {"hidden": [10], "layers": [1]}, [0], [{"alternate": alternate}])
    lessons = Lessons(DOUBLE, trials, 64)
    left_out = {tuple(row) for row in DOUBLE.left_out(alternate=alternate).digits[:, 2:].tolist()}
    second = Counter()
    for _ in range(10):
        (values, tasks), right = lessons.next()
        digits, program = values[0].argmax(-1), tasks[0].argmax(-1)
        assert torch.equal(DOUBLE.answer(digits, program), right[0])
        second.update(tuple(row) for row in digits[:, 2:].tolist())
    assert not left_out & second.keys()
    assert len(second) == 50


def test_a_trial_of_a_group_is_trained_as_it_would_be_alone() -> None:
    trials = smfrs([2, 4], seeds=2)
    found = {}
    for chosen in (trials, trials[1:2]):
        group, lessons = group_of(chosen, "addmul"), Lessons(ADDMUL, chosen, 8)
        train(group, lessons, 5, 5, lambda step, losses: False)
        found[len(chosen)] = group.models()[chosen.index(trials[1])]
    for a, b in zip(found[4].parameters(), found[1].parameters(), strict=True):
        torch.testing.assert_close(a, b, atol=1e-6, rtol=1e-4)


def test_accuracy_is_that_of_each_network_with_all_outputs_right() -> None:
    trials = trials_of("block_fnn", {"hidden": [20], "layers": [1]}, range(2))
    group = group_of(trials, "algo")
    generator = torch.Generator().manual_seed(3)
    draws = [ALGO.training(generator, 40, iterations=0 + 1) for _ in trials]
    lessons = Lessons(ALGO, trials, 64, iterations=1)
    train(group, lessons, 60, 10, lambda step, losses: False)
    found = accuracy(group, samples_of_each(ALGO, draws))
    for model, own, reached in zip(group.models(), draws, found.tolist(), strict=True):
        inputs, right = samples(ALGO, own)
        made = model.run(inputs).argmax(-1)
        assert reached == (made == right).all(-1).double().mean().item()
    (values, _), _ = samples_of_each(ALGO, draws)
    assert torch.equal(values[1], samples(ALGO, draws[1])[0].values)


def test_training_looks_now_and_then_and_ends_when_told() -> None:
    trials = smfrs([1, 2])
    group, looked = group_of(trials, "addmul"), []

    def look(step: int, losses: torch.Tensor) -> bool:
        looked.append(step)
        assert losses.shape == (2,)
        return step == 6

    train(group, Lessons(ADDMUL, trials, 4), 20, 3, look)
    assert looked == [3, 6]
    assert group.steps == [6, 6]
