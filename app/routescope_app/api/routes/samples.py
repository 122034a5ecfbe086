"""Samples: find, upload, label, delete, look at."""

import asyncio
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Query, Response, UploadFile

from routescope.nn.inputs.text import Text
from routescope_app.api.callers import Caller
from routescope_app.api.common import KEEP, PNG, AppServices, Filters, Limit, Offset, content
from routescope_app.api.schemas.base import LONGEST_NAME, ModelId, Origin, SampleId, SetName
from routescope_app.api.schemas.catalogue import (
    SHEET_COLUMNS,
    Deleted,
    Inputs,
    Sample,
    SampleChange,
    Samples,
    SampleTable,
    SampleTables,
    TextUpload,
    WrittenSample,
)
from routescope_app.services.errors import NotAccepted, NotYours
from routescope_app.services.owners import whose
from routescope_app.services.samples import samples as service
from routescope_app.services.samples.written import picture_format
from routescope_app.settings import MAX_PAGE

router = APIRouter(prefix="/samples", tags=["samples"])
LARGEST_SCALE = 64


def to_schema(sample: service.Sample, caller: str | None) -> Sample:
    """Return a sample as this caller sees it, with the address of its image."""
    fields = {name: getattr(sample, name) for name in service.Sample.__dataclass_fields__}
    fields["owner"] = None if sample.origin == "data" else whose(sample.owner, caller)
    return Sample.model_validate({**fields, "image": f"/api/v1/samples/{sample.id}/image"}, from_attributes=True)


def created(response: Response, table: SampleTable) -> SampleTable:
    """Return a new sample as a table, and name its address in the response."""
    response.headers["Location"] = f"/api/v1/tables/{table.id}"
    return table


@router.get("")
async def list_samples(
    services: AppServices,
    caller: Caller,
    filters: Filters,
    origin: Origin | None = None,
    set_name: Annotated[SetName | None, Query(alias="set", description="Name of a data set.")] = None,
    model: Annotated[ModelId | None, Query(description="Adds what this model makes of each sample.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Samples:
    """Matching samples: uploads, newest first, then data sets.

    Uploads are those of the browser whose cookie the request has, and those of everybody, which came without a cookie.
    """
    info = await asyncio.to_thread(services.inference.info, model) if model is not None else None
    items, total = await services.samples.find(
        filters, caller=caller, origin=origin, set_name=set_name, info=info, offset=offset, limit=limit
    )
    return Samples(items=[to_schema(item, caller) for item in items], total=total)


@router.post("", status_code=201)
async def add_sample(
    services: AppServices,
    caller: Caller,
    response: Response,
    file: Annotated[UploadFile, File(description="A PNG, JPEG, WebP, BMP or GIF picture.")],
    name: Annotated[str | None, Form(max_length=LONGEST_NAME)] = None,
    label: Annotated[int | None, Form(ge=0, le=2**31 - 1)] = None,
    origin: Annotated[Literal["upload", "drawing"], Form()] = "upload",
    inputs: Annotated[Inputs, Form(description="Kind of input of the sample.")] = "images",
) -> Sample:
    """Upload a picture, or a drawing in white strokes on black. Only the re-encoded picture is kept.

    It belongs to the browser whose cookie the request has; whoever has its id can look at it.
    """
    picture = await file.read()
    add = partial(services.samples.add, picture, origin, file.filename, name, label, inputs, owner=caller)
    sample = await services.decoding.run(add)
    response.headers["Location"] = f"/api/v1/samples/{sample.id}"
    return to_schema(sample, caller)


@router.delete("", summary="Delete all samples of an owner")
async def delete_samples(
    services: AppServices,
    caller: Caller,
    owner: Annotated[
        Literal["you", "everybody"],
        Query(
            description="`you`: samples of the browser whose cookie the request has. `everybody`: samples that came "
            "without a cookie; only requests without a cookie may delete them."
        ),
    ],
) -> Deleted:
    """Delete every uploaded, drawn and written sample of one owner, with their pictures and traces."""
    if owner == "you" and caller is None:
        raise NotAccepted(
            "This request has no browser's cookie, and samples without one are everybody's; owner=everybody deletes "
            "all of them."
        )
    if owner == "everybody" and caller is not None:
        raise NotYours(
            "Requests without a browser's cookie delete all samples of everybody; delete them one by one here."
        )
    return Deleted(count=await asyncio.to_thread(services.clearing.of_owner, caller))


@router.get("/images", response_class=Response, responses=content(PNG))
async def get_images(
    services: AppServices,
    sample_ids: Annotated[list[SampleId], Query(alias="id", min_length=1, max_length=MAX_PAGE)],
) -> Response:
    """The 32 x 32 images of several samples as one picture, sixteen in a row, in the order of the request."""
    sheet = await asyncio.to_thread(services.samples.sheet_png, sample_ids, SHEET_COLUMNS)
    return Response(sheet, media_type=PNG, headers=KEEP)


@router.post("/texts", status_code=201, summary="Upload a text")
async def add_text(body: TextUpload, services: AppServices, caller: Caller, response: Response) -> SampleTable:
    """Keep a text as a sample for models that read texts.

    It belongs to the browser whose cookie the request has; whoever has its id can look at it. `DELETE
    /samples/{sample_id}` forgets it.
    """
    return created(
        response, await asyncio.to_thread(services.tables.add, Text.kind, body.text, body.name, None, caller)
    )


@router.get("/texts", summary="List uploaded texts")
async def list_texts(
    services: AppServices,
    caller: Caller,
    limit: Limit = 20,
    offset: Offset = 0,
    rows: Annotated[int, Query(ge=1, le=1_000, description="Most lines of each text.")] = 20,
) -> SampleTables:
    """Samples of the browser whose cookie the request has, and of everybody, newest first."""
    return await asyncio.to_thread(services.tables.own, Text.kind, caller, offset, limit, rows)


@router.post("/written", status_code=201, summary="Write a sample")
async def add_written(body: WrittenSample, services: AppServices, caller: Caller, response: Response) -> SampleTable:
    """Keep a written sample of any kind of input that can be written, such as a text or the numbers of a point.

    It belongs to the browser whose cookie the request has; whoever has its id can look at it. `DELETE
    /samples/{sample_id}` forgets it.
    """
    asked = (body.inputs, body.content, body.name, body.set)
    return created(response, await asyncio.to_thread(services.tables.add, *asked, caller))


@router.post("/files", status_code=201, summary="Upload a file")
async def add_file(
    services: AppServices,
    caller: Caller,
    response: Response,
    file: Annotated[
        UploadFile,
        File(description="For `points` a .npy, .xyz or .ply file; for `matrices` a .npz file or a sheet as .png."),
    ],
    inputs: Annotated[Inputs, Form(description="Kind of input of the sample.")],
    name: Annotated[str | None, Form(max_length=LONGEST_NAME)] = None,
    set_name: Annotated[SetName | None, Form(alias="set", description="Data set that gives the right answer.")] = None,
    answer: Annotated[
        int | None, Form(ge=1, le=64, description="Right answer of a matrix, if its file does not tell it.")
    ] = None,
) -> SampleTable:
    """Keep the sample of a file; `GET /inputs` lists the files that each kind of input accepts.

    Only the sample is kept, as text. It belongs to the browser whose cookie the request has; whoever has its id can
    look at it. `DELETE /samples/{sample_id}` forgets it.
    """
    named = file.filename or ""
    add = partial(services.tables.add_file, inputs, named, await file.read(), name, set_name, caller, answer)
    in_thread = asyncio.to_thread if picture_format(inputs, named) is None else services.decoding.run
    return created(response, await in_thread(add))


@router.get("/written", summary="List written samples")
async def list_written(
    services: AppServices,
    caller: Caller,
    inputs: Annotated[Inputs | None, Query(description="Only those of this kind of input.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    rows: Annotated[int, Query(ge=1, le=1_000, description="Most rows of each sample.")] = 20,
) -> SampleTables:
    """Samples of the browser whose cookie the request has, and of everybody, newest first."""
    return await asyncio.to_thread(services.tables.own, inputs, caller, offset, limit, rows)


@router.get("/{sample_id}")
async def get_sample(
    sample_id: SampleId, services: AppServices, caller: Caller, model: ModelId | None = None
) -> Sample:
    """One sample, for everybody who has its id; with the prediction of ``model`` if a model is named."""
    sample = await asyncio.to_thread(services.samples.get, sample_id)
    if model is not None:
        info = await asyncio.to_thread(services.inference.info, model)
        (sample,) = await services.samples.with_predictions([sample], info)
    return to_schema(sample, caller)


@router.patch("/{sample_id}")
async def change_sample(sample_id: SampleId, change: SampleChange, services: AppServices, caller: Caller) -> Sample:
    """Rename or label a sample of the caller or of everybody; a label of null removes the label."""
    changes = change.model_dump(exclude_unset=True)
    return to_schema(await asyncio.to_thread(services.samples.change, sample_id, changes, caller), caller)


@router.delete("/{sample_id}", status_code=204)
async def delete_sample(sample_id: SampleId, services: AppServices, caller: Caller) -> Response:
    """Delete an uploaded, drawn or written sample of the caller or of everybody, with its pictures and traces."""
    await asyncio.to_thread(services.samples.delete, sample_id, caller)
    await asyncio.to_thread(services.traces.forget_sample, sample_id)
    return Response(status_code=204)


@router.get("/{sample_id}/image", response_class=Response, responses=content(PNG))
async def get_image(
    sample_id: SampleId,
    services: AppServices,
    scale: Annotated[int, Query(ge=1, le=LARGEST_SCALE, description="Pixels per pixel.")] = 1,
    view: Annotated[
        Literal["network", "original"], Query(description="The image that networks see, or the uploaded picture.")
    ] = "network",
) -> Response:
    """The 32 x 32 image that networks see, magnified without smoothing, or the re-encoded upload."""
    if scale > service.MAX_IMAGE_SCALE:
        raise NotAccepted(f"An image is magnified up to {service.MAX_IMAGE_SCALE} times.")
    if view == "original":
        picture = await asyncio.to_thread(services.samples.picture_png, sample_id)
    else:
        picture = await asyncio.to_thread(services.samples.image_png, sample_id, scale)
    return Response(picture, media_type=PNG, headers=KEEP)
