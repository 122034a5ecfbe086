"""The process that decodes pictures: an answer is a picture as pixels and as PNG, or why there is none."""

from dataclasses import asdict
from typing import Any

from PIL import BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from routescope_app.services.confined.process import Answer, serve
from routescope_app.services.samples.containers import PictureLimits
from routescope_app.services.samples.decoding import clean_picture, encode_png

#: Loaded before the first picture comes.
READERS = (BmpImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)


def request(limits: PictureLimits) -> dict[str, Any]:
    """Return the head of a request with a picture."""
    return {"limits": asdict(limits)}


def _answer(head: dict[str, Any], content: bytes) -> Answer:
    limits = PictureLimits(**{**head["limits"], "formats": tuple(head["limits"]["formats"])})
    picture = clean_picture(content, limits)
    png, pixels = encode_png(picture), picture.tobytes()
    return {"mode": picture.mode, "width": picture.width, "height": picture.height, "png": len(png)}, (png, pixels)


if __name__ == "__main__":
    serve(_answer)
