"""Whose a sample or a job is, of one browser or of everybody, and who may change it."""

from typing import Literal

from routescope_app.services.engine.clients import operator

#: Of a thing, as the one who asks sees it. Everybody's is what came without a browser's cookie, from programs or before
#: there were owners.
Whose = Literal["you", "another", "everybody"]


def whose(owner: str | None, caller: str | None) -> Whose:
    """Whose something of this owner is to this caller; None is somebody without a browser's cookie."""
    if owner is None:
        return "everybody"
    return "you" if owner == caller else "another"


def may_change(owner: str | None, caller: str | None) -> bool:
    """Whether the caller may change, cancel or delete it: the owner and the operator may; everybody, what has none."""
    return operator.get() or whose(owner, caller) != "another"
