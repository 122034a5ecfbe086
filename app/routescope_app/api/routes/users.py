"""Who asks, and what a page's own server knows users by."""

import asyncio

from fastapi import APIRouter, Response

from routescope_app.api import callers
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.users import EndedLogins, TokenHashes, User
from routescope_app.services.errors import Refusal

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
    _for_the_service("Hashes of tokens are")
    names = await asyncio.to_thread(services.tokens.digests)
    return TokenHashes(names=names, ended=sorted(await asyncio.to_thread(services.ended_logins.digests)))


@router.post("/users/logouts", status_code=204, summary="End logins")
async def post_logouts(body: EndedLogins, services: AppServices) -> Response:
    """For a page's server that runs apart: with the service's own token (`ROUTESCOPE_TOKEN`) alone."""
    _for_the_service("Ends of logins are")
    await asyncio.to_thread(services.ended_logins.end, {each.digest: each.until for each in body.items})
    return Response(status_code=204)


def _for_the_service(what: str) -> None:
    if not callers.service.get() or callers.user.get() is not None:
        raise ForTheService(f"{what} for a page's own server, which has the token of the service itself.")
