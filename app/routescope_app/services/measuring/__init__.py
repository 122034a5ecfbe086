"""Measuring: evaluations, importances, observations and maps of a model over data."""
