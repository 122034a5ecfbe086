"""Whose a sample or a job is: of one browser, or of everybody."""

from typing import Literal

#: Of a thing, as the one who asks sees it. Everybody's is what came without a browser's cookie, from programs or before
#: there were owners.
Whose = Literal["you", "another", "everybody"]


def whose(owner: str | None, caller: str | None) -> Whose:
    """Whose something of this owner is to this caller; None is somebody without a browser's cookie."""
    if owner is None:
        return "everybody"
    return "you" if owner == caller else "another"
