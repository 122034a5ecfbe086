"""Arrays in JSON answers."""

import base64
from typing import Any

import numpy as np


def packed(array: np.ndarray) -> dict[str, Any]:
    """An array as :class:`routescope_app.api.schemas.base.PackedArray`."""
    little = np.ascontiguousarray(array, dtype="<f4")
    return {"dtype": "f4", "shape": list(little.shape), "data": base64.b64encode(little.tobytes()).decode()}
