"""Who asks, and what a page's own server knows users by."""

import asyncio

from fastapi import APIRouter

from app.api import callers
from app.api.common import AppServices
from app.api.schemas.users import TokenHashes, User
from app.services.errors import Refusal

router = APIRouter(tags=["users"])


class ForTheService(Refusal):
    kind, title, status = "for-the-service", "For the service alone", 403


@router.get("/user", summary="Who asks")
async def get_user(services: AppServices) -> User:
    """The name of the user whose token or login the request has; null where it has none of a user."""
    return User(name=callers.user.get(), read_only=services.settings.read_only)


@router.get("/users/tokens", summary="Hashes of tokens")
async def get_tokens(services: AppServices) -> TokenHashes:
    """For a page's server that runs apart: with the service's own token (`ROUTESCOPE_TOKEN`) alone."""
    if not callers.service.get() or callers.user.get() is not None:
        raise ForTheService("Hashes of tokens are for a page's own server, which has the token of the service itself.")
    return TokenHashes(names=await asyncio.to_thread(services.tokens.digests))
