"""The Neural Attentive Circuit (Rahaman, Weiss et al. 2022), unconditional and designed by sentences."""
