"""What every test of the service shares."""

from tests.app.fixtures import _made_once, _tiny_model, client, shared  # noqa: F401
