"""The page Observe."""
