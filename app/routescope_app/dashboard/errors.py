"""Messages of failed callbacks: a notification at the bottom right, never a traceback."""

import logging
import uuid
from typing import Any

import dash

from routescope_app.api.client import ApiProblem
from routescope_app.dashboard.reading import TITLE, DoesNotReadSamples
from routescope_app.dashboard.validation import NotValid

log = logging.getLogger(__name__)
NOTIFICATIONS = "notifications"
#: Of an answer whose outputs stay as they are because of a failure: its status.
UNANSWERED = "X-Routescope-Unanswered"


def described(error: Exception) -> tuple[str, str]:
    """Title and message for an error."""
    if isinstance(error, ApiProblem):
        return error.title, error.detail
    if isinstance(error, NotValid):
        return "Not accepted", str(error)
    if isinstance(error, DoesNotReadSamples):
        return TITLE, str(error)
    instance = f"urn:uuid:{uuid.uuid4()}"
    log.error("unexpected error in a callback %s", instance, exc_info=error)
    return "Something went wrong", f"It was written to the server's log under {instance}."


def notify(title: str, message: str, colour: str = "blue") -> None:
    """Show a notification from inside a callback; one that several callbacks have to say stands there once."""
    identity = uuid.uuid5(uuid.NAMESPACE_OID, f"{title}\n{message}") if colour == "red" else uuid.uuid4()
    notice = {"action": "show", "id": f"notice-{identity}", "title": title, "message": message, "color": colour}
    dash.set_props(NOTIFICATIONS, {"sendNotifications": [notice | {"autoClose": 10_000 if colour == "red" else 4_000}]})


def on_error(error: Exception) -> Any:
    """Dash's handler: every error of a callback becomes a notification, and its outputs stay as they are.

    Where the service failed, or had no room, the answer says so in a header, and what stands as it was is marked
    (lib/outage.js); what was asked for wrongly would fail again.
    """
    title, message = described(error)
    notify(title, message, "red")
    status = error.status if isinstance(error, ApiProblem) else 0 if isinstance(error, NotValid) else 500
    if status >= 500:
        dash.callback_context.response.append_header(UNANSWERED, str(status))
    return dash.no_update
