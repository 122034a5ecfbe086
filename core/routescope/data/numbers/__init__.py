"""Points of numbers and functions of them."""
