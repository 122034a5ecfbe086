"""Alembic's entry: runs the revisions on the connection it was given, or prints their SQL."""

from alembic import context

from routescope_app.services.store import Base

if context.is_offline_mode():
    context.configure(
        url=context.config.get_main_option("sqlalchemy.url"), target_metadata=Base.metadata, literal_binds=True
    )
else:
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
    )
with context.begin_transaction():
    context.run_migrations()
