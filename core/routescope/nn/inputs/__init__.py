"""Kinds of input: what a batch of samples is that a network takes, one file a kind."""
