"""Traces: recorded, kept and handed out."""
