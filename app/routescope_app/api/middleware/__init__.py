"""Checks of a request before its route: limits, shapes, security, forwarding."""
