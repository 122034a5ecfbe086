"""Routes of circuits: their graphs, those that sentences design, and the sentences."""
