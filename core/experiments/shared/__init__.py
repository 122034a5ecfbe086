"""What several experiments of a kind have in common: circuits, grids of blocks, adaptation."""
