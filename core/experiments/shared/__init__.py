"""What experiments have in common: their catalogue, journals and records; of some kinds circuits, grids, adaptation,
trainings beside a Perceiver IO."""
