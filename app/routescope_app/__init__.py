"""The service and the page around ``core``: one ASGI app, ``routescope_app.main:server``."""
