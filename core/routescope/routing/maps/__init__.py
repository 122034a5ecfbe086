"""Maps of types and of sentences in the plane, and how far groups lie apart in them."""
