"""Maps in the plane: of types step by step, and of sentences by the circuits that they design."""
