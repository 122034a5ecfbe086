"""The recipes of ``routescope train``: networks, their sizes, training settings and data."""
