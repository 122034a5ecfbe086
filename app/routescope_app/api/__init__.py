"""The typed API under ``/api/v1`` and the one client that talks to it."""
