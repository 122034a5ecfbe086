"""Compute on a Ray cluster: requests of ``services.measuring.computing`` are sent to actors as plain data."""
