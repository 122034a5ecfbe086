"""Invariants of every network that routes, checked before a figure of it is trusted, as in CI."""
