"""The service and the page around ``core``: one ASGI app, ``app.main:server``."""
