"""The training step for each kind of data, one file each."""
