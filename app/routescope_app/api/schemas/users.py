"""Users and ended logins."""

from typing import Annotated

from pydantic import Field, StringConstraints

from routescope_app.api.schemas.base import Reply, Strict

#: Client address of requests that the page's server sends to the API in its own process.
WITHIN = "the page"
#: Ended logins in one request.
MOST_ENDED = 1_000


class User(Reply):
    name: str | None = Field(description="Name of the user; null without a user token.")
    read_only: bool = Field(description="Whether this service refuses all changes.")


class TokenHashes(Reply):
    names: dict[str, str] = Field(description="Name of the user by the SHA-256 of the token.")
    ended: list[str] = Field(description="SHA-256 of the cookies of logins that were ended early.")


class EndedLogin(Strict):
    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = Field(description="SHA-256 of its cookie.")
    until: int = Field(ge=0, description="Its expiry in seconds since 1970.")


class EndedLogins(Strict):
    items: list[EndedLogin] = Field(max_length=MOST_ENDED)
