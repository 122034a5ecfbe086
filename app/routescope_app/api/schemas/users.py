"""Users, as the API says them."""

from typing import Annotated

from pydantic import Field, StringConstraints

from routescope_app.api.schemas.base import Reply, Strict

#: What is said to have connected where the page's server asks the API of its own process.
WITHIN = "the page"
#: Logins whose end is told at once.
MOST_ENDED = 1_000


class User(Reply):
    name: str | None = Field(description="What the user is called; null of somebody without a token of their own.")
    read_only: bool = Field(description="Whether this service refuses all that writes.")


class TokenHashes(Reply):
    names: dict[str, str] = Field(description="The user whose token has this SHA-256.")
    ended: list[str] = Field(description="SHA-256 of the cookies of logins that were ended before their time.")


class EndedLogin(Strict):
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = Field(description="SHA-256 of its cookie.")
    until: int = Field(ge=0, description="When it would have expired, in seconds since 1970.")


class EndedLogins(Strict):
    items: list[EndedLogin] = Field(max_length=MOST_ENDED)
