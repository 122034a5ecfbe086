"""The page Types."""
