"""The current user, and the hashes by which a page's own server knows users."""

import asyncio

from fastapi import APIRouter, Response

from routescope_app.api import callers
from routescope_app.api.common import AppServices
from routescope_app.api.schemas.users import EndedLogins, TokenHashes, User
from routescope_app.services.errors import Refusal

router = APIRouter(tags=["users"])


class ServiceTokenNeeded(Refusal):
    kind, title, status = "for-the-service", "Service token needed", 403


@router.get("/user", summary="Read the current user")
async def get_user(services: AppServices) -> User:
    """Name of the user whose token or login the request has; null without one."""
    return User(name=callers.user.get(), read_only=services.settings.read_only)


@router.get("/users/tokens", summary="Read the hashes of tokens")
async def get_tokens(services: AppServices) -> TokenHashes:
    """For a page's server that runs separately; needs the service's own token (`ROUTESCOPE_TOKEN`)."""
    _check_service("Hashes of tokens are")
    names = await asyncio.to_thread(services.tokens.digests)
    return TokenHashes(names=names, ended=sorted(await asyncio.to_thread(services.ended_logins.digests)))


@router.post("/users/logouts", status_code=204, summary="End logins")
async def post_logouts(body: EndedLogins, services: AppServices) -> Response:
    """For a page's server that runs separately; needs the service's own token (`ROUTESCOPE_TOKEN`)."""
    _check_service("Ends of logins are")
    await asyncio.to_thread(services.ended_logins.end, {login.digest: login.until for login in body.items})
    return Response(status_code=204)


def _check_service(what: str) -> None:
    if not callers.service.get() or callers.user.get() is not None:
        raise ServiceTokenNeeded(f"{what} for a page's own server, which has the token of the service itself.")
