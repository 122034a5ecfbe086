"""What the routers share: the services of the app, and forms of arrays."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
from fastapi import Depends, Request, Response

from routescope_app.services.container import Services

#: What never changes may be kept, by the browser that asked.
KEEP = {"Cache-Control": "private, max-age=86400, immutable"}
BINARY = "application/octet-stream"


def services_of(request: Request) -> Services:
    """The services of the app that answers this request."""
    found: Services = request.app.state.services
    return found


AppServices = Annotated[Services, Depends(services_of)]


def as_binary(array: np.ndarray, dims: Sequence[str], headers: Mapping[str, str]) -> Response:
    """Little-endian numbers in C order, with the headers X-Shape, X-Dims and X-Dtype."""
    plain = array.astype(np.uint8) if array.dtype == bool else array
    little = np.ascontiguousarray(plain, dtype=plain.dtype.newbyteorder("<"))
    described = {
        "X-Shape": ",".join(map(str, array.shape)),
        "X-Dims": ",".join(dims),
        "X-Dtype": str(plain.dtype),
    }
    return Response(little.tobytes(), media_type=BINARY, headers={**headers, **described})
