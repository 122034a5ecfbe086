"""Users, as the API says them."""

from pydantic import Field

from app.api.schemas.base import Reply

#: What is said to have connected where the page's server asks the API of its own process.
WITHIN = "the page"


class User(Reply):
    name: str | None = Field(description="What the user is called; null of somebody without a token of their own.")
    read_only: bool = Field(description="Whether this service refuses all that writes.")


class TokenHashes(Reply):
    names: dict[str, str] = Field(description="The user whose token has this SHA-256.")
