"""Kinds of input: how samples are read from files, texts and pictures, and how they are shown.

A module or folder here, or a module of another package, registers a kind with ``register_kind``.
"""
