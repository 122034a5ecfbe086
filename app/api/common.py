"""What the routers share: the services of the app, and page bounds."""

from typing import Annotated

from fastapi import Depends, Request

from app.services.container import Services


def services(request: Request) -> Services:
    """The services of the app that answers this request."""
    found: Services = request.app.state.services
    return found


Rooms = Annotated[Services, Depends(services)]
