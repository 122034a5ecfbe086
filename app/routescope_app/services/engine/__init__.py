"""Inference: one device, a few threads in order of urgency, and caches in memory."""
