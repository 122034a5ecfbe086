"""Arrays and numbers in JSON answers."""

import base64
import math
from typing import Any

import numpy as np


def packed(array: np.ndarray) -> dict[str, Any]:
    """Return an array as :class:`routescope_app.api.schemas.base.PackedArray`."""
    little = np.ascontiguousarray(array, dtype="<f4")
    return {"dtype": "f4", "shape": list(little.shape), "data": base64.b64encode(little.tobytes()).decode()}


def finite(value: Any) -> Any:
    """Return a number, or nested lists of numbers, with None for numbers that are not finite."""
    if isinstance(value, list):
        return [finite(entry) for entry in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value


def nested_list(array: np.ndarray) -> Any:
    """Return an array as nested lists, with None for numbers that are not finite."""
    is_finite = array.dtype.kind != "f" or np.isfinite(array).all()
    return array.tolist() if is_finite else finite(array.tolist())


def interval(value: float, low: float, high: float) -> dict[str, float | None]:
    """Return an estimate as :class:`routescope_app.api.schemas.base.Interval`."""
    return {"value": float(value), "low": finite(float(low)), "high": finite(float(high))}
