"""Figures: pure functions from what the API answers to Plotly figures; colours are names (components/plot.py)."""
