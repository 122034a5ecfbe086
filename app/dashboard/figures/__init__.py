"""Pure functions from what the API answers to what is drawn."""
