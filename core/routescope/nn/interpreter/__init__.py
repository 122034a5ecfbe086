"""The Neural Interpreter (Rahaman et al. 2021): functions, type inference, type matching."""
