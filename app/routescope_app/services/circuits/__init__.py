"""Circuits: graphs of links, modules, circuits for sentences, answers to sentences."""
