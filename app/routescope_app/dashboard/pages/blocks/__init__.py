"""The page Blocks."""
