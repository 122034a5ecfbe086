"""Procedurally Generated Matrices: eight panels of a matrix of three by three, and eight answers for the last."""
