"""Routed blocks: what each is made of, and indicators of how a network routes them."""
