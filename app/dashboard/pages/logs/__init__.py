"""The page Logs."""
