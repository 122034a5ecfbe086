"""Routing logs of others: taken in, kept, and told part by part."""
