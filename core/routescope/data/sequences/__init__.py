"""Sequences with a label each: ListOps expressions and their values, reviews as bytes and their sentiment."""
