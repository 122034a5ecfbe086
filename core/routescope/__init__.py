"""Networks that route, what one asks of their routing, and the data and experiments around them.

``core`` is usable alone, in a notebook or a script: it knows no web, no database and no screen.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("routescope")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"
