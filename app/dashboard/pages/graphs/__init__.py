"""The page Graphs."""
