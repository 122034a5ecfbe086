"""Networks with routed experts that others made, as networks of the house: transformers' models and plain modules."""
