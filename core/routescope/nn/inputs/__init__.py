"""Batches of samples that networks take, one file a kind of input."""
