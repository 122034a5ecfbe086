"""Uploaded pictures: bombs, absurd sizes, exotic formats, polyglots, orientation, colour modes, damage, names."""

import io
import random
import struct
import unicodedata
import zipfile
import zlib
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.decoding import clean_picture
from routescope_app.services.samples.decoding_pool import LIMITS
from tests.app.serving import is_problem, png, serving, settings, upload
from tests.robustness.hostile import gif_of_frames
from tests.robustness.raw import form
from tests.robustness.record import came_back

KINDS = ("PNG", "JPEG", "WEBP", "BMP", "GIF")


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)  # type: ignore[arg-type]
    return buffer.getvalue()


def photograph(width: int = 60, height: int = 40) -> Image.Image:
    rows, columns = np.mgrid[0:height, 0:width]
    levels = [rows * 255 // height, columns * 255 // width, (rows + columns) * 255 // (height + width)]
    return Image.fromarray(np.stack(levels, -1).astype(np.uint8))


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def forged_png(width: int, height: int, depth: int = 1, colour: int = 0, rows: bytes = b"") -> bytes:
    """A PNG whose header says what one likes."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


async def test_a_bomb_is_known_by_its_header(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """50,000 x 50,000 in one bit: 312 MB when decoded; nothing is decoded."""
    bomb = forged_png(50_000, 50_000, rows=bytes(6251 * 500))
    answer = await upload(client, bomb)
    assert "25 megapixels" in is_problem(answer, 413)["detail"]
    came_back("decompression bomb", "a PNG of 50,000 x 50,000 pixels of one bit", answer)

    def load(_self: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", load)
    for content in (bomb, forged_png(5001, 5000)):  # the second is below the limit of the library
        with pytest.raises(TooLarge, match="25 megapixels"):
            clean_picture(content, LIMITS)


def test_a_bomb_in_every_format() -> None:
    gif = b"GIF89a" + struct.pack("<HH", 60_000, 60_000) + b"\x80\0\0" + bytes(6) + b","
    gif += struct.pack("<HHHHB", 0, 0, 60_000, 60_000, 0) + b"\x02\x02\x44\x01\0;"
    bmp = bytearray(encoded(photograph(), "BMP"))
    struct.pack_into("<ii", bmp, 18, 30_000, 30_000)
    jpeg = bytearray(encoded(photograph(), "JPEG"))
    start = jpeg.index(b"\xff\xc0")
    struct.pack_into(">HH", jpeg, start + 5, 60_000, 60_000)
    webp = bytearray(encoded(photograph(), "WEBP", lossless=True))
    struct.pack_into("<I", webp, 21, (16382 << 14) | 16382)
    for content in (gif, bytes(bmp), bytes(jpeg), bytes(webp)):
        with pytest.raises((TooLarge, NotAccepted)):
            clean_picture(content, LIMITS)


ABSURD = [(1, 1), (7, 100), (100, 7), (1, 1_000_000), (1_000_000, 1), (20_000, 500), (8, 129)]


@pytest.mark.asyncio(loop_scope="module")
async def test_absurd_and_possible_sizes(shared: httpx.AsyncClient) -> None:
    for width, height in ABSURD:
        answer = await upload(shared, forged_png(width, height))
        assert "accepted" in is_problem(answer, 422)["detail"]
        came_back("absurd sizes", f"{width} x {height} pixels", answer)
    for width, height in ((0, 0), (0, 10), (2**31 - 1, 2**31 - 1)):
        answer = await upload(shared, forged_png(width, height))
        assert answer.status_code in {413, 422}
        is_problem(answer, answer.status_code)
    for width, height in ((8, 8), (8, 128), (128, 8)):
        assert (await upload(shared, png(width, height))).status_code == 201
    largest = await upload(shared, encoded(Image.new("RGB", (5000, 5000), (1, 2, 3)), "PNG", compress_level=1))
    assert (largest.status_code, largest.json()["width"], largest.json()["height"]) == (201, 2048, 2048)


async def shown(client: httpx.AsyncClient, sample: dict[str, str], **view: str) -> Image.Image:
    return Image.open(io.BytesIO((await client.get(sample["image"], params=view)).content))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
async def test_only_the_first_frame(shared: httpx.AsyncClient, kind: str) -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "lime", "blue")]
    options = {"lossless": True} if kind == "WEBP" else {}
    content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    sample = (await upload(shared, content)).json()
    assert (await shown(shared, sample)).convert("RGB").getpixel((16, 16)) == (255, 0, 0)
    assert getattr(await shown(shared, sample, view="original"), "n_frames", 1) == 1


def test_frames_are_counted_up_to_the_limit() -> None:
    with pytest.raises(NotAccepted, match="1000") as refused:
        clean_picture(gif_of_frames(10_000, 8), LIMITS)
    came_back("animation", "a GIF of 10,000 frames", f"{refused.value.status}: {refused.value.detail}")
    frames = [Image.new("L", (8, 8), i % 256) for i in range(1001)]
    for kind, options in (("PNG", {}), ("WEBP", {"lossless": True, "minimize_size": False})):
        content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
        with pytest.raises(NotAccepted, match="1000"):
            clean_picture(content, LIMITS)


EXOTIC = {
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n%%EndComments\nshowpage\n",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" onload="alert(1)"/>',
    "pdf": b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n",
    "psd": b"8BPS\0\x01" + bytes(6) + struct.pack(">HIIHH", 3, 100, 100, 8, 3) + bytes(12),
    "tiff": encoded(photograph(), "TIFF"),
    "ico": encoded(photograph(), "ICO"),
    "tga": encoded(photograph(), "TGA"),
    "ppm": encoded(photograph(), "PPM"),
    "icns": b"icns" + struct.pack(">I", 8),
    "html": b"<html><script>alert(1)</script></html>",
    "zip": b"PK\x03\x04" + bytes(30),
    "text": b"hello",
    "empty": b"",
    "one byte": b"\x89",
    "signature": b"\x89PNG\r\n\x1a\n",
}


@pytest.mark.asyncio(loop_scope="module")
async def test_other_formats_whatever_their_name(shared: httpx.AsyncClient) -> None:
    for kind, content in EXOTIC.items():
        answer = await upload(shared, content, name="picture.png")
        assert "PNG" in is_problem(answer, 422)["detail"], kind
        came_back("exotic decoders", f"{kind}, as picture.png", answer)


@pytest.mark.asyncio(loop_scope="module")
async def test_accepted_formats_whatever_their_name(shared: httpx.AsyncClient) -> None:
    for kind in KINDS:
        sample = (await upload(shared, encoded(photograph(), kind), name="picture.exe")).json()
        sent = await shown(shared, sample, view="original")
        assert sent.format == "PNG"
        difference = np.abs(np.asarray(sent.convert("RGB")).astype(int) - np.asarray(photograph()).astype(int))
        assert np.median(difference) <= (16 if kind == "GIF" else 6), kind


def polyglots() -> dict[str, bytes]:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("evil.txt", "evil-marker")
    gif = bytearray(encoded(photograph(), "GIF"))
    return {
        "gif and script": bytes(gif[:6]) + bytes(gif[6:-1]) + b"!\xfe\x0eevil-marker*/=1\0;*/=1;alert('evil-marker')",
        "jpeg and zip": encoded(photograph(), "JPEG", comment=b"<script>evil-marker</script>") + archive.getvalue(),
        "png and html": encoded(photograph(), "PNG") + b"<script>alert('evil-marker')</script>",
        "png text": encoded(photograph(), "PNG", pnginfo=with_text("<svg onload=evil-marker>")),
        "webp xmp": encoded(photograph(), "WEBP", xmp=b"<x>evil-marker</x>"),
    }


def with_text(text: str) -> PngImagePlugin.PngInfo:
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", text)
    info.add_itxt("XML:com.adobe.xmp", text)
    return info


async def test_nothing_of_a_polyglot_is_kept(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        for kind, content in polyglots().items():
            assert b"evil-marker" in content
            response = await upload(client, content)
            assert response.status_code == 201, response.text
            for params in ({}, {"view": "original"}):
                image = await client.get(response.json()["image"], params=params)
                assert b"evil-marker" not in image.content and image.content.startswith(b"\x89PNG")
                assert image.headers["content-type"] == "image/png"
                assert image.headers["x-content-type-options"] == "nosniff"
            got = "201: a PNG without what was hidden, which no file of the server has"
            came_back("polyglot, script", kind, got)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"evil-marker" not in path.read_bytes(), path


CORNERS = {(0, 0): (255, 0, 0), (32, 0): (0, 255, 0), (0, 24): (0, 0, 255), (32, 24): (255, 255, 0)}
TURN = Image.Transpose
#: Orientation -> how a picture is stored that EXIF turns upright.
STORED = {
    1: None, 2: TURN.FLIP_LEFT_RIGHT, 3: TURN.ROTATE_180, 4: TURN.FLIP_TOP_BOTTOM, 5: TURN.TRANSPOSE,
    6: TURN.ROTATE_90, 7: TURN.TRANSVERSE, 8: TURN.ROTATE_270,
}  # fmt: skip


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("kind", "options"), [("JPEG", {"quality": 95}), ("PNG", {}), ("WEBP", {"lossless": True})], ids=lambda value: value
)
async def test_every_orientation_once(shared: httpx.AsyncClient, kind: str, options: dict[str, Any]) -> None:
    """Turned as EXIF says, which is then gone: four corners tell where up is."""
    upright = Image.new("RGB", (64, 48))
    for (left, top), colour in CORNERS.items():
        upright.paste(colour, (left, top, left + 32, top + 24))
    for orientation, turn in STORED.items():
        stored = upright if turn is None else upright.transpose(turn)
        exif = Image.Exif()
        exif[0x0112], exif[0x010E] = orientation, "private-description"
        sample = (await upload(shared, encoded(stored, kind, exif=exif, **options))).json()
        assert (sample["width"], sample["height"]) == (64, 48)
        content = (await shared.get(sample["image"], params={"view": "original"})).content
        assert b"private" not in content
        sent = Image.open(io.BytesIO(content))
        assert not sent.getexif() and set(sent.info) == set()
        for (left, top), colour in CORNERS.items():
            seen = np.array(sent.getpixel((left + 16, top + 12)), int)
            assert np.abs(seen - colour).max() < 24, (orientation, left, top)
    came_back("EXIF", f"{kind} in each of the 8 orientations", "201: upright, and nothing of EXIF is left")


@pytest.mark.asyncio(loop_scope="module")
async def test_large_and_broken_exif_and_text_that_unpacks_to_much(shared: httpx.AsyncClient) -> None:
    exif = Image.Exif()
    exif[0x010E] = "x" * 1_000_000
    assert (await upload(shared, encoded(photograph(), "PNG", exif=exif))).status_code == 201
    for broken in (b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0" + bytes(100), b"Exif\0\0MM\0*" + b"\xff" * 60_000):
        assert (await upload(shared, encoded(photograph(), "JPEG", exif=broken))).status_code == 201
    packed = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200_000_000), 1))
    content = png()
    response = await upload(shared, content[:33] + packed + content[33:])
    assert response.status_code in {201, 422}


def modes() -> dict[str, bytes]:
    picture = photograph()
    alpha = Image.new("L", picture.size, 255)
    alpha.paste(0, (0, 0, 30, 40))
    levels = np.linspace(0, 65535, 60 * 40).reshape(40, 60)
    palette = picture.convert("P", palette=Image.Palette.ADAPTIVE)
    return {
        "1": encoded(picture.convert("1"), "PNG"),
        "L": encoded(picture.convert("L"), "PNG"),
        "LA": encoded(Image.merge("LA", (picture.convert("L"), alpha)), "PNG"),
        "P": encoded(palette, "PNG"),
        "P with transparency": encoded(palette, "PNG", transparency=3),
        "RGB with transparency": encoded(picture, "PNG", transparency=(0, 0, 0)),
        "I;16": encoded(Image.fromarray(levels.astype(np.uint16)), "PNG"),
        "RGBA": encoded(Image.merge("RGBA", (*picture.split(), alpha)), "PNG"),
        "CMYK": encoded(picture.convert("CMYK"), "JPEG"),
        "JPEG in grey": encoded(picture.convert("L"), "JPEG"),
        "progressive JPEG": encoded(picture, "JPEG", progressive=True),
        "BMP in one bit": encoded(picture.convert("1"), "BMP"),
        "GIF with transparency": encoded(palette, "GIF", transparency=3),
        "WebP with transparency": encoded(Image.merge("RGBA", (*picture.split(), alpha)), "WEBP"),
    }


@pytest.mark.asyncio(loop_scope="module")
async def test_every_colour_mode(shared: httpx.AsyncClient) -> None:
    for mode, content in modes().items():
        response = await upload(shared, content)
        assert response.status_code == 201, (mode, response.text)
        sent = await shown(shared, response.json(), view="original")
        assert sent.mode in {"RGB", "RGBA"} and sent.size == (60, 40), mode
        seen = await shown(shared, response.json())
        assert seen.mode == "RGB" and seen.size == (32, 32), mode
        assert np.asarray(sent.convert("L")).std() > 20, "the picture was lost"
    levels = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (32, 1))
    clean = np.asarray(clean_picture(encoded(Image.fromarray(levels), "PNG"), LIMITS))
    np.testing.assert_allclose(clean[0, :, 0], np.linspace(0, 255, 64), atol=1, err_msg="16 bits are scaled")
    came_back("colour modes", ", ".join(modes()), "201: RGB or RGBA, and 32 x 32 in RGB for networks")


@pytest.mark.asyncio(loop_scope="module")
async def test_cut_off(shared: httpx.AsyncClient) -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (80, 80, 3), dtype=np.uint8))
    for kind in KINDS:
        content = encoded(noise, kind)
        for share in (0.0, 0.1, 0.5, 0.99):
            answer = await upload(shared, content[: int(len(content) * share)])
            is_problem(answer, 422)
            if share == 0.5:
                came_back("truncated, corrupt", f"half of a {kind}", answer)


@pytest.mark.parametrize("kind", KINDS)
def test_fuzzed_bytes(kind: str) -> None:
    """Changed bytes give a clean picture or a refusal, and nothing else, ever."""
    content, dice = encoded(photograph(), kind), random.Random(1)
    for _ in range(120):
        damaged = bytearray(content)
        for _ in range(dice.randint(1, 12)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            picture = clean_picture(bytes(damaged), LIMITS)
        except (NotAccepted, TooLarge) as refusal:
            assert "accepted" in refusal.detail or "cut off" in refusal.detail
        else:
            assert picture.mode in {"RGB", "RGBA"} and not picture.info


NAMES = (
    "../../../../tmp/evil-name.png", "..\\..\\evil-name.png", "/etc/evil-name", "evil-name\0.png",
    "\u202egnp.evil-name", "evil-name" * 430, "evil-name" * 500, "<script>alert('evil-name')</script>.png",
    "<img src=x onerror=alert(1)>evil-name", "evil-name\r\nSet-Cookie: a=b", "CON.evil-name", "%2e%2e%2fevil-name",
    "évil-name\u0301" * 20, "evil-name🦊", " ", ".", "",
)  # fmt: skip
#: As names of files: too long for a header; and no file at all.
REFUSED_NAMES = {(400, "evil-name" * 500), (422, "evil-name" * 500), (422, "")}


async def test_names_of_files(tmp_path: Path) -> None:
    async with serving(settings(tmp_path / "data")) as client:
        for name in NAMES:
            file_name = name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
            lines = f'Content-Disposition: form-data; name="file"; filename="{file_name}"\r\nContent-Type: image/png'
            content_type, body = form((lines, png()))
            file = {"file": ("a.png", png(), "image/png")}
            for response in (
                await client.post("/api/v1/samples", content=body, headers={"Content-Type": content_type}),
                await client.post("/api/v1/samples", files=file, data={"name": name}),
            ):
                if response.status_code != 201:
                    assert (response.status_code, name) in REFUSED_NAMES, response.text
                    is_problem(response, response.status_code)
                    continue
                read = response.json()["name"]
                assert 1 <= len(read) <= 80
                assert not any(unicodedata.category(c) in {"Cc", "Cf", "Cs"} for c in read)
                assert read == unicodedata.normalize("NFC", read)
            if name in NAMES[:8]:
                reported = response if response.status_code != 201 else f"201: its name is {read}"
                came_back("file name", f"{len(name)} characters: {name[:60]}", reported)
    paths = [path.name for path in tmp_path.rglob("*")]
    assert not any("evil" in path or "vil-n" in path for path in paths), paths
