"""Routing logs of hostile clients."""
