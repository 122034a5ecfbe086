"""Routed blocks: the sources of each, and indicators of how a network routes them."""
