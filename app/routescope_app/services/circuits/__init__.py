"""Circuits: graphs of links, modules, designs of sentences and answers to them."""
