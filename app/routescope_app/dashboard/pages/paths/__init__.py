"""The page Paths."""
