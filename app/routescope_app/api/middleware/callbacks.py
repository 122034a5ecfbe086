"""The shape of what the page's callbacks send: untrusted like any body, and checked before Dash sees it."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from routescope_app.services.errors import NotAccepted

Text = Annotated[str, StringConstraints(max_length=4_096)]
#: An id that is text; one that has parts comes as an object.
Name = Annotated[str, StringConstraints(max_length=4_096, pattern=r"^[^{]*$")]
#: The callbacks that the page's server has, as Dash keeps them: by ``output``, each with its ``inputs`` and ``state``.
Callbacks = Callable[[], Mapping[str, Mapping[str, Any]]]


class Place(BaseModel):
    """A property of a component; its value may be anything."""

    id: Name | dict[str, Any]
    property: Text

    def __str__(self) -> str:
        named = self.id if isinstance(self.id, str) else json.dumps(self.id, sort_keys=True, separators=(",", ":"))
        return f"{named}.{self.property.partition('@')[0]}"


class Callback(BaseModel):
    """What Dash's renderer posts."""

    output: Annotated[str, StringConstraints(min_length=1, max_length=16_384)]
    outputs: Place | list[Place] | None = None
    inputs: Annotated[list[Place], Field(max_length=256)]
    state: Annotated[list[Place], Field(max_length=256)] = []
    changedPropIds: Annotated[list[Text], Field(max_length=256)] = []


def check_callback(value: Any, callbacks: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse what no page sends: another shape, a callback that there is not, or one with other places.

    None of the server's callbacks is for components that are told by a pattern, so each place is one property.

    Raises:
        NotAccepted: it is none of ``callbacks``.
    """
    try:
        sent = Callback.model_validate(value)
    except ValidationError as error:
        raise NotAccepted("This is not a request that the page makes.") from error
    known = callbacks.get(sent.output)
    if known is None or "callback" not in known:  # those without run in the browser
        raise NotAccepted("The page has no callback with this output; reload the page if it has been open for long.")
    outputs = [] if sent.outputs is None else sent.outputs if isinstance(sent.outputs, list) else [sent.outputs]
    asked = known["output"] if isinstance(known["output"], Sequence) else [known["output"]]
    same = (
        _same(sent.inputs, [f"{each['id']}.{each['property']}" for each in known["inputs"]])
        and _same(sent.state, [f"{each['id']}.{each['property']}" for each in known["state"]])
        and (known["no_output"] or _same(outputs, [str(each) for each in asked]))
        and (known["no_output"] or isinstance(sent.outputs, list) == isinstance(known["output"], Sequence))
    )
    if not same:
        detail = "This callback has other inputs, state or outputs; reload the page if it has been open for long."
        raise NotAccepted(detail)


def _same(sent: Sequence[Place], known: Sequence[str]) -> bool:
    return [str(each) for each in sent] == [each.partition("@")[0] for each in known]
