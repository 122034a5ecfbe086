"""The shape of what the page's callbacks send: untrusted like any body, and checked before Dash sees it."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from app.services.errors import NotAccepted

Text = Annotated[str, StringConstraints(max_length=4_096)]


class Place(BaseModel):
    """A property of a component; its value may be anything."""

    id: Text | dict[str, Any]
    property: Text


class Callback(BaseModel):
    """What Dash's renderer posts."""

    output: Annotated[str, StringConstraints(min_length=1, max_length=16_384)]
    outputs: Place | list[Place | list[Place]] | dict[str, Any] | None = None
    inputs: Annotated[list[Place | list[Place]], Field(max_length=256)]
    state: Annotated[list[Place | list[Place]], Field(max_length=256)] = []
    changedPropIds: Annotated[list[Text], Field(max_length=256)] = []


def check_callback(value: Any) -> None:
    """Refuse what no page sends; raises NotAccepted."""
    try:
        Callback.model_validate(value)
    except ValidationError as error:
        raise NotAccepted("This is not a request that the page makes.") from error
