"""What experiments have in common: what one is, their catalogue, journals and records; of some kinds circuits, grids,
adaptation, trainings beside a Perceiver IO."""
