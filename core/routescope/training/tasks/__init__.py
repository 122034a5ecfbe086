"""What one step of training is, one file for each kind of data."""
