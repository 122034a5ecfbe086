"""From the bytes of an untrusted picture to a clean PNG: checked from the file's blocks first, decoded, re-encoded.

Runs in processes of its own (``decoding_process``), so it imports Pillow and nothing else that is large.
"""

import io
import warnings

from PIL import Image, UnidentifiedImageError

from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.containers import PictureLimits, check_container

_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# What Pillow warns of, such as decompression bombs, this service refuses.
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)


def clean_picture(content: bytes, limits: PictureLimits) -> Image.Image:
    """Decode the first frame, upright, as RGB or RGBA, with nothing left of the file's metadata.

    Raises:
        NotAccepted: for other formats, sizes out of range, too many frames or scans, damaged files.
        TooLarge: for more pixels than allowed; known from the file's blocks, before anything is decoded.
        MemoryError: it takes more than this process may have.
    """
    accepted = f"accepted are {limits.accepted}"
    if not content:
        raise NotAccepted(f"The file is empty; {accepted}.")
    check_container(content, limits)
    try:
        with Image.open(io.BytesIO(content), formats=limits.formats) as picture:
            limits.check_size(*picture.size)
            picture.draft("RGB", (limits.max_kept_side, limits.max_kept_side))  # JPEG: decode no larger than needed
            picture.load()
            return _bare(_upright(picture), limits.max_kept_side)
    except (NotAccepted, TooLarge):
        raise
    except UnidentifiedImageError as error:
        raise NotAccepted(f"The file is not a picture that can be read; {accepted}.") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise TooLarge(limits.too_many_pixels()) from error
    except MemoryError:
        raise
    except Exception as error:  # decoders raise nearly everything for damaged input
        raise NotAccepted(f"The picture is damaged or cut off and cannot be decoded; {accepted}.") from error


def encode_png(picture: Image.Image) -> bytes:
    """The picture as PNG."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def _upright(picture: Image.Image) -> Image.Image:
    try:
        orientation = picture.getexif().get(_ORIENTATION, 1)
    except Exception:  # damaged EXIF turns nothing
        orientation = 1
    turn = _TURNS.get(orientation) if isinstance(orientation, int) else None
    return picture.transpose(turn) if turn is not None else picture


def _bare(picture: Image.Image, max_side: int) -> Image.Image:
    """8-bit RGB, or RGBA where something may be transparent, at most ``max_side`` long; pixels and nothing else."""
    if picture.mode.startswith("I"):
        picture = _eight_bits(picture.convert("I"))
    transparent = "transparency" in picture.info or any(band in picture.getbands() for band in ("A", "a"))
    mode = "RGBA" if transparent else "RGB"
    if picture.mode != mode:
        picture = picture.convert(mode)
    if max(picture.size) > max_side:
        scale = max_side / max(picture.size)
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Image.Resampling.BOX)
    return Image.frombytes(mode, picture.size, picture.tobytes())


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Grey of 16 bits as the nearest of 8; where nothing is above 255, the levels as they are."""
    brightest = picture.getextrema()[1]
    assert isinstance(brightest, int | float), "of one band"
    if brightest > 255:
        picture = picture.point([(level + 128) // 257 for level in range(1 << 16)], "L")
    else:
        picture = picture.convert("L")
    picture.info = {}
    return picture
