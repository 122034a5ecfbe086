"""What experiments have in common: the journal of a run; of some kinds circuits, grids of blocks, adaptation."""
