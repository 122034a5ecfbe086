"""Texts of four domains: sources and manual of Python, generated sums and generated ListOps expressions."""
