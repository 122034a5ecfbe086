"""Training: the loop, settings, states, recipes, a task for each kind of data, and grids of many networks."""
