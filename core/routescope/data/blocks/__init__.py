"""Tasks on blocks: sums, conditional assignments, block-permuted digits."""
