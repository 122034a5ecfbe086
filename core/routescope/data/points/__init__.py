"""Clouds of points on the surfaces of solids."""
