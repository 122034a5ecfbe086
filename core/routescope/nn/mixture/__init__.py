"""Mixtures of experts: what every network keeps that routes tokens to experts by layer, and one of our own."""
