"""Routes for mixtures of experts: load, pruning, continuations, routing logs."""
