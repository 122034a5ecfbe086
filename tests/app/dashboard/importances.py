"""An importance of a made-up model whose numbers fit together: what the tests of its figures draw."""

from routescope_app.api.schemas.results import Importance

UNITS = ("f1", "f2", "f3")
#: Accuracy of every set of kept units: f2 and f3 stand in for each other, f1 adds to both.
VALUES = {
    (): 0.1, ("f1",): 0.3, ("f2",): 0.5, ("f3",): 0.5,
    ("f1", "f2"): 0.8, ("f1", "f3"): 0.8, ("f2", "f3"): 0.6, ("f1", "f2", "f3"): 0.9,
}  # fmt: skip
#: Mean, least and most accuracy of all sets with none, one, two, three units left out.
RANDOM = ((0.9, 0.9, 0.9), (0.73, 0.6, 0.8), (0.43, 0.3, 0.5), (0.1, 0.1, 0.1))
#: Weighted means of the marginal contributions, worked out by hand.
SHAPLEY = {"f1": 0.26666667, "f2": 0.26666667, "f3": 0.26666667}


def importance(*, exact: bool = True, usage: bool = True) -> Importance:
    """The answer of ``GET /importances/{id}``."""
    full = VALUES[UNITS]

    def without(*units: str) -> float:
        return VALUES[tuple(unit for unit in UNITS if unit not in units)]

    single = {unit: without(unit) - full for unit in UNITS}
    pairs = [
        (unit, other, without(unit, other) - full - single[unit] - single[other])
        for unit, other in (("f1", "f2"), ("f1", "f3"), ("f2", "f3"))
    ]
    orders = {
        "best first": [UNITS, ("f1", "f2"), ("f1",), ()],
        "worst first": [UNITS, ("f2", "f3"), ("f3",), ()],
        "greedy best": [UNITS, ("f1", "f3"), ("f3",), ()],
        "greedy worst": [UNITS, ("f2", "f3"), ("f2",), ()],
    }
    retention = [
        {
            "order": order, "dropped": dropped, "share_kept": 1 - dropped / 3, "accuracy": VALUES[kept],
            "low": max(0, VALUES[kept] - 0.03), "high": VALUES[kept] + 0.03, "draws": None,
            "samples_per_second": 1000 + 200 * dropped, "flops": 3e6 - 8e5 * dropped, "units": list(kept),
        }
        for order, path in orders.items()
        for dropped, kept in enumerate(path)
    ]  # fmt: skip
    retention += [
        {
            "order": "random", "dropped": dropped, "share_kept": 1 - dropped / 3, "accuracy": mean, "low": low,
            "high": high, "draws": 3, "samples_per_second": None, "flops": None, "units": [],
        }
        for dropped, (mean, low, high) in enumerate(RANDOM)
    ]  # fmt: skip
    convergence = [
        {"permutations": n, "unit": unit, "value": SHAPLEY[unit] + 0.1 / n, "standard_error": 0.05 / n**0.5}
        for n in (2, 4, 8)
        for unit in UNITS
    ]
    return Importance.model_validate(
        {
            "id": "a" * 40, "model": "made-up", "revision": "0123456789abcdef", "seed": 0, "units": list(UNITS),
            "kind": "drop", "words": "dropped; the others renormalised", "iterations": None, "exact": exact,
            "count": 300, "data": [{"name": "mnist", "title": "MNIST", "stand_in": False, "count": 300}],
            "baseline": full, "total": full - VALUES[()],
            "shapley": [
                {"unit": unit, "value": SHAPLEY[unit], "low": SHAPLEY[unit] - 0.02 if exact else None,
                 "high": SHAPLEY[unit] + 0.02 if exact else None, "standard_error": None if exact else 0.01}
                for unit in UNITS
            ],
            "single": [
                {"unit": unit, "change": change, "low": change - 0.03, "high": change + 0.02, "loss_change": 0.4,
                 "loss_low": 0.3, "loss_high": 0.5}
                for unit, change in single.items()
            ],
            "interactions": [
                {"unit": unit, "other": other, "value": value, "low": value - 0.15, "high": value + 0.15}
                for unit, other, value in pairs
            ],
            "retention": retention,
            "anytime": [
                {"iterations": n, "accuracy": 0.2 + 0.1 * n, "low": 0.15 + 0.1 * n, "high": 0.25 + 0.1 * n,
                 "flops": 500_000 * n, "samples_per_second": 6000 / n}
                for n in (1, 2, 3)
            ],
            "convergence": [] if exact else convergence,
            "usage": [
                {"unit": unit, "step": step, "share": share}
                for unit, shares in (("f1", (0.6, 0.2)), ("f2", (0.3, 0.3)), ("f3", (0.1, 0.5)))
                for step, share in zip(("i1", "i2"), shares, strict=True)
            ] if usage else [],
            "seconds": 3.5,
        }
    )  # fmt: skip
