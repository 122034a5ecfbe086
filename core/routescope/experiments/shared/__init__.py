"""Shared parts of experiments: settings and figures, the catalogue, journals and records; circuits, grids, adaptation,
trainings beside a Perceiver IO."""
