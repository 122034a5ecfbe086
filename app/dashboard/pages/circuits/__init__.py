"""The page Circuits."""
