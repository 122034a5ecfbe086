"""Python code that makes a figure again."""

from fastapi import APIRouter

from routescope_app.api.schemas.code import AnyFigure, Code
from routescope_app.services.code import FIGURES

router = APIRouter(prefix="/code", tags=["code"])


@router.post("", summary="Write code for a figure")
async def write_code(body: AnyFigure) -> Code:
    """Python code for a notebook that computes the numbers of a figure and draws it, with `import routescope as rs`.

    Facts of the figure that the code does not need are ignored. Nothing is computed or stored.
    """
    return Code(code=FIGURES[body.figure](body))
