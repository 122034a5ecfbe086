"""The networks, one file an architecture, readable beside the paper."""
