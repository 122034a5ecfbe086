"""Owners of samples, jobs and the like, and who may change them."""

from typing import Literal

from routescope_app.services.engine.clients import operator

#: Of a thing, as the one who asks sees it. Everybody's is what came without a browser's cookie, from programs or before
#: there were owners.
Whose = Literal["you", "another", "everybody"]


def whose(owner: str | None, caller: str | None) -> Whose:
    """Whose something of this owner is for this caller; None: a client without a browser's cookie."""
    if owner is None:
        return "everybody"
    return "you" if owner == caller else "another"


def may_change(owner: str | None, caller: str | None) -> bool:
    """Whether the caller may change, cancel or delete it: its owner or the operator, or everybody if it has none."""
    return operator.get() or whose(owner, caller) != "another"
