"""Hand-made types: clouds around directions on the sphere."""

import numpy as np

from routescope.routing.maps.points import TypePoints


def unit_vectors(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def clouds(samples: int = 10, tokens: int = 6, steps: int = 2, spread: float = 0.1, seed: int = 0) -> TypePoints:
    """Three clouds on a sphere, token after token in turn; their middles are the signatures of three units."""
    rng = np.random.default_rng(seed)
    signatures = np.eye(5, dtype=np.float32)[:3]
    sample, step, token = (axis.ravel().astype(np.int32) for axis in np.indices((samples, steps, tokens)))
    unit = (token % 3).astype(np.int32)
    return TypePoints(
        types=unit_vectors(signatures[unit] + spread * rng.standard_normal((len(unit), 5))),
        step=step,
        sample=sample,
        token=token,
        unit=unit,
        label=(sample % 2).astype(np.int32),
        domain=np.zeros_like(unit),
        correct=np.ones_like(unit),
        signatures=signatures,
        steps=tuple(f"i{k + 1}" for k in range(steps)),
        tokens=tuple(f"patch:0,{k}" for k in range(tokens)),
        units=("f1", "f2", "f3"),
        labels=("even", "odd"),
        domains=("here",),
        sample_ids=tuple(f"here.validation.{k}" for k in range(samples)),
        attrs={"model": "toy", "revision": "r", "intervention": "{}", "which_tokens": "patches"},
    )
