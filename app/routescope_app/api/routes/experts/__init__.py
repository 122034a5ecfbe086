"""Places of the API for mixtures of experts: load, pruning, texts continued, routing logs."""
