"""The page Drop."""
