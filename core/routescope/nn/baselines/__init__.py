"""Networks that the papers compare with."""
