"""Observed routing: use, balance, specialisation, load of experts, and samples by what a network does with them."""
