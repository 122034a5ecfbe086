"""Block-operations (2024): Multiplexer, FNNR, MFNNR, SMFR, and networks of them that run iterations."""
