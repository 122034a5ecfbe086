"""Figures for notebooks, with matplotlib. Results import them when their ``plot()`` is called."""
