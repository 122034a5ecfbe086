"""The page Samples."""
