"""Pages of mixtures of experts, in a browser."""
