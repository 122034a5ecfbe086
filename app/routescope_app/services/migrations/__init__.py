"""Alembic migrations; they run at start."""
