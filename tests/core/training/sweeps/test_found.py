"""Statistics of a sweep's runs against slow versions and cases that are known."""

import numpy as np
import pytest
from scipy import stats

from routescope.training.sweeps import found
from routescope.training.sweeps.found import best, box, correlation, density, density_of_two, estimate, median, spread

RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize("ties", [False, True])
def test_the_correlation_is_spearmans(ties: bool) -> None:
    x, y = RANDOM.normal(size=(2, 40))
    if ties:
        x, y = np.round(x), np.round(y)
    assert correlation(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)
    assert np.isnan(correlation(x, np.ones(40)))


def test_the_best_are_a_share_rounded_up_with_all_their_columns() -> None:
    runs = {"score": np.array([0.2, 0.9, 0.5, 0.9, 0.1, 0.3, 0.4, 0.6, 0.7, 0.8, 0.0]), "n": np.arange(11)}
    assert best(runs, "score")["n"].tolist() == [1, 3]  # of equal ones the first
    assert best(runs, "score", 0.3)["n"].tolist() == [1, 3, 9, 8]


def test_an_interval_is_the_bootstraps_over_whole_runs() -> None:
    runs = {"x": RANDOM.normal(size=30), "y": RANDOM.normal(size=30)}
    rows = np.random.default_rng(7).integers(0, 30, (found.RESAMPLES, 30))
    by_hand = [float(np.median(runs["x"][row] - runs["y"][row])) for row in rows]
    made = estimate(runs, lambda some: median(some["x"] - some["y"]), seed=7)
    assert made.value == pytest.approx(float(np.median(runs["x"] - runs["y"])))
    assert (made.low, made.high) == pytest.approx(tuple(np.quantile(by_hand, (0.025, 0.975))))


def test_no_interval_of_what_few_draws_have_and_nothing_of_what_is_not_there() -> None:
    runs = {"x": np.arange(20.0)}
    rare = estimate(runs, lambda some: 1.0 if (some["x"] == 0).any() else float("nan"))
    assert (rare.value, rare.low, rare.high) == (1.0, None, None)
    assert estimate(runs, lambda some: float("nan")).value is None


def test_spread_and_median_of_few() -> None:
    assert np.isnan(median(np.array([]))) and np.isnan(spread(np.array([1.0])))
    assert spread(np.array([0.0, 1.0, 2.0, 3.0, 4.0])) == 2.0


def test_a_density_is_a_sum_of_gaussians_and_none_of_one_run() -> None:
    values = np.array([0.2, 0.25, 0.7])
    width = np.std(values, ddof=1) * 3 ** (-1 / 5)  # Scott's
    slow = np.mean([stats.norm.pdf(found.GRID, value, width) for value in values], axis=0)
    assert density(values) == pytest.approx(slow.tolist(), rel=1e-3)
    assert density(values[:1]) is None and density(np.array([0.5, 0.5])) is None


def test_a_density_of_two_has_a_row_for_every_y_and_is_none_on_a_line() -> None:
    x, y = RANDOM.normal(size=(2, 12))
    at_x, at_y = np.linspace(-1, 1, 4), np.linspace(-2, 2, 3)
    made = np.array(density_of_two(x, y, at_x, at_y))
    assert made.shape == (3, 4)
    assert made[2, 1] == pytest.approx(stats.gaussian_kde([x, y])([at_x[1], at_y[2]])[0], rel=1e-3)
    assert density_of_two(x, 2 * x, at_x, at_y) is None
    assert density_of_two(x[:2], y[:2], at_x, at_y) is None


def test_a_box_has_quartiles_whiskers_and_what_is_beyond() -> None:
    made = box(np.array([0.1, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7]))
    assert (made["q1"], made["median"], made["q3"]) == pytest.approx((0.45, 0.55, 0.625))
    assert (made["low"], made["high"], made["beyond"], made["count"]) == (0.4, 0.7, [0.1], 7)
    assert box(np.array([]))["median"] is None
