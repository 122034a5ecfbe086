"""Matrices from files, sheets and texts: panels are kept as compressed greys in JSON."""

import base64
import binascii
import json
import zlib

import numpy as np
import torch
from jaxtyping import UInt8

from routescope.data.kinds.kind import InvalidSample
from routescope.data.kinds.matrices.files import LEAST_SIDE, MOST_SIDE, MatrixFile, read_matrix, resized
from routescope.data.kinds.matrices.sheets import SHEET_COLUMNS, read_sheet
from routescope.nn.inputs.matrices import ANSWERS, CONTEXT, PANELS, Matrices, swapped

#: Pixels of a kept panel's side; smaller where the file has less, or where greys are more than ``KEPT_BYTES``.
KEPT_SIDES = (80, 64, 48)
#: Most bytes of the compressed greys of a matrix, if smaller panels can help.
KEPT_BYTES = 44_000
SHEETS = (
    f"a sheet has {PANELS} square grey panels of {LEAST_SIDE} to {MOST_SIDE} pixels a side, with no space between them"
    f" or with lines of one grey: {SHEET_COLUMNS} rows of {SHEET_COLUMNS}, first the {CONTEXT} before the gap; or the"
    f" matrix, in the middle or at the left, above two rows of {SHEET_COLUMNS} answers"
)
ARCHIVES = (
    '.npz files of one matrix as PGM and RAVEN have them, with the array "image" and, where it is known, "target"'
)
WANTED = (
    f"a matrix is {CONTEXT} panels before the gap, row by row, and {ANSWERS} answers, {PANELS} square panels of"
    f" {LEAST_SIDE} to {MOST_SIDE} pixels a side, greys of 0 to 255"
)
TEXT = (
    f'JSON with "side", {LEAST_SIDE} to {MOST_SIDE}, the pixels of a panel\'s side; "greys", base64 of what zlib makes'
    f' of the {PANELS} panels\' greys, a byte a pixel; and, where it is known, "answer", the right one, 1 to {ANSWERS}'
)


def decode(content: str) -> Matrices:
    """Return a matrix of JSON; raises InvalidSample for other JSON, or greys of another number of pixels."""
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError):
        raise InvalidSample(f"this is no JSON; {Matrices.words} is written as {TEXT}") from None
    if not isinstance(fields, dict) or not {"side", "greys"} <= fields.keys() <= {"side", "greys", "answer"}:
        raise InvalidSample(f"{Matrices.words} is written as {TEXT}")
    side, greys, answer = fields["side"], fields["greys"], fields.get("answer")
    if type(side) is not int or not LEAST_SIDE <= side <= MOST_SIDE or not isinstance(greys, str):
        raise InvalidSample(f"{Matrices.words} is written as {TEXT}")
    if answer is not None and (type(answer) is not int or not 1 <= answer <= ANSWERS):
        raise InvalidSample(f"the right answer is one of 1 to {ANSWERS}; {WANTED}")
    values = torch.from_numpy(_unpacked(greys, side).copy()).float()[None] / 255
    return Matrices(values, torch.tensor([-1 if answer is None else answer - 1]))


def encode(matrix: MatrixFile) -> str:
    """Return a matrix as JSON, with panels as large as ``KEPT_SIDES`` and ``KEPT_BYTES`` allow."""
    greys, packed = matrix.panels, b""
    for side in KEPT_SIDES:
        greys = resized(greys, min(side, greys.shape[-1]))
        packed = zlib.compress(greys.tobytes(), 9)
        if len(packed) <= KEPT_BYTES:
            break
    answer = {} if matrix.answer is None else {"answer": matrix.answer + 1}
    return json.dumps({"side": greys.shape[-1], "greys": base64.b64encode(packed).decode(), **answer})


def decode_file(name: str, content: bytes, most_rows: int) -> str:
    """Return the matrix of an .npz file of PGM or RAVEN as text; raises InvalidSample."""
    try:
        return encode(read_matrix(name, content))
    except InvalidSample as error:
        raise InvalidSample(f"{error}; {WANTED}, in {ARCHIVES}; or a .png sheet") from None


def decode_picture(picture: UInt8[np.ndarray, "height width band"]) -> str:
    """Return the matrix of a sheet as text; raises InvalidSample."""
    try:
        return encode(read_sheet(picture))
    except InvalidSample as error:
        raise InvalidSample(f"{error}; {SHEETS}") from None


def with_answer(text: str, answer: int) -> str:
    """Return the matrix with its right answer, from 1; raises InvalidSample if it is none, or the file has another."""
    fields = json.loads(text)
    if not 1 <= answer <= ANSWERS:
        raise InvalidSample(f"the right answer is one of 1 to {ANSWERS}, not {answer}")
    if fields.get("answer", answer) != answer:
        raise InvalidSample(f"the file says that answer {fields['answer']} is right, not {answer}")
    return json.dumps({**fields, "answer": answer})


def exchanged(matrices: Matrices, one: int, other: int, label: int) -> str:
    """Return the first matrix with two of its panels exchanged, as text.

    The right answer stays known only if two answers were exchanged.
    """
    greys = np.rint(swapped(matrices.values[:1], one, other)[0].cpu().numpy() * 255).astype(np.uint8)
    right = label if min(one, other) >= CONTEXT else -1
    moved = {one - CONTEXT: other - CONTEXT, other - CONTEXT: one - CONTEXT}
    return encode(MatrixFile(greys, None if right < 0 else moved.get(right, right)))


def _unpacked(greys: str, side: int) -> UInt8[np.ndarray, "16 side side"]:
    """Return the panels of a text; unpacks at most one byte more than they have."""
    due = PANELS * side**2
    try:
        content = zlib.decompressobj().decompress(base64.b64decode(greys, validate=True), due + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise InvalidSample(f"the greys are no base64 of what zlib packed; {WANTED}") from None
    if len(content) != due:
        raise InvalidSample(
            f"the greys are {'more' if len(content) > due else f'{len(content):,} bytes, fewer'} than the {due:,} bytes"
            f" of {PANELS} panels of {side} x {side} pixels; {WANTED}"
        )
    return np.frombuffer(content, np.uint8).reshape(PANELS, side, side)
