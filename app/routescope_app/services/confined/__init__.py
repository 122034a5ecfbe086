"""Files that nobody can trust are read in processes with a deadline and a memory limit: one pool for every kind."""
