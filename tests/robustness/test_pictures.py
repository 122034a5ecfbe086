"""Uploaded pictures: bombs, absurd sizes, exotic formats, polyglots, orientation, colour modes, damage, names."""

import io
import random
import struct
import unicodedata
import zipfile
import zlib
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.decoding import clean_picture
from routescope_app.services.samples.decoding_pool import LIMITS
from tests.app.serving import is_problem, png, serving, settings, upload
from tests.robustness.record import came_back


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)  # type: ignore[arg-type]
    return buffer.getvalue()


def photograph(width: int = 60, height: int = 40) -> Image.Image:
    """Smooth and unlike in every corner."""
    rows, columns = np.mgrid[0:height, 0:width]
    levels = [rows * 255 // height, columns * 255 // width, (rows + columns) * 255 // (height + width)]
    return Image.fromarray(np.stack(levels, -1).astype(np.uint8))


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def forged_png(width: int, height: int, depth: int = 1, colour: int = 0, rows: bytes = b"") -> bytes:
    """A PNG whose header says what one likes."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


# -- size ----------------------------------------------------------------------------------------------------


async def test_a_bomb_is_known_by_its_header(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """50,000 x 50,000 in one bit: 312 MB when decoded; nothing is decoded."""
    bomb = forged_png(50_000, 50_000, rows=bytes(6251 * 500))
    answer = await upload(client, bomb)
    assert "25 megapixels" in is_problem(answer, 413)["detail"]
    came_back("decompression bomb", "a PNG of 50,000 x 50,000 pixels of one bit", answer)

    def load(_self: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", load)
    with pytest.raises(TooLarge, match="25 megapixels"):
        clean_picture(bomb, LIMITS)


def test_a_bomb_below_the_limit_of_the_library() -> None:
    with pytest.raises(TooLarge):
        clean_picture(forged_png(5001, 5000), LIMITS)


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


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (7, 100), (100, 7), (1, 1_000_000), (1_000_000, 1), (20_000, 500), (8, 129)]
)
async def test_absurd_sizes(client: httpx.AsyncClient, width: int, height: int) -> None:
    answer = await upload(client, forged_png(width, height))
    assert "accepted" in is_problem(answer, 422)["detail"]
    came_back("absurd sizes", f"{width} x {height} pixels", answer)


@pytest.mark.parametrize(("width", "height"), [(0, 0), (0, 10), (2**31 - 1, 2**31 - 1)])
async def test_impossible_sizes(client: httpx.AsyncClient, width: int, height: int) -> None:
    response = await upload(client, forged_png(width, height))
    assert response.status_code in {413, 422}
    is_problem(response, response.status_code)


@pytest.mark.parametrize(("width", "height"), [(8, 8), (8, 128), (128, 8)])
async def test_the_smallest_accepted(client: httpx.AsyncClient, width: int, height: int) -> None:
    assert (await upload(client, png(width, height))).status_code == 201


async def test_the_largest_is_accepted_and_reduced(client: httpx.AsyncClient) -> None:
    response = await upload(client, encoded(Image.new("RGB", (5000, 5000), (1, 2, 3)), "PNG", compress_level=1))
    assert response.status_code == 201
    assert (response.json()["width"], response.json()["height"]) == (2048, 2048)


# -- animations ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
async def test_only_the_first_frame(client: httpx.AsyncClient, kind: str) -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "lime", "blue")]
    options = {"lossless": True} if kind == "WEBP" else {}
    content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    sample = (await upload(client, content)).json()
    shown = Image.open(io.BytesIO((await client.get(sample["image"])).content))
    assert shown.convert("RGB").getpixel((16, 16)) == (255, 0, 0)
    sent = Image.open(io.BytesIO((await client.get(sample["image"], params={"view": "original"})).content))
    assert getattr(sent, "n_frames", 1) == 1


def long_gif(frames: int) -> bytes:
    single = encoded(Image.new("1", (8, 8)), "GIF")
    start = single.index(b"," + bytes(4) + struct.pack("<HH", 8, 8))
    return single[:start] + single[start:-1] * frames + b";"


def test_frames_are_counted_up_to_the_limit() -> None:
    with pytest.raises(NotAccepted, match="1000") as refused:
        clean_picture(long_gif(10_000), LIMITS)
    came_back("animation", "a GIF of 10,000 frames", f"{refused.value.status}: {refused.value.detail}")
    frames = [Image.new("L", (8, 8), i % 256) for i in range(1200)]
    for kind, options in (("PNG", {}), ("WEBP", {"lossless": True, "minimize_size": False})):
        content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
        with pytest.raises(NotAccepted, match="1000"):
            clean_picture(content, LIMITS)


# -- formats -------------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("kind", EXOTIC)
async def test_other_formats_whatever_their_name(client: httpx.AsyncClient, kind: str) -> None:
    answer = await upload(client, EXOTIC[kind], name="picture.png")
    assert "PNG" in is_problem(answer, 422)["detail"]
    came_back("exotic decoders", f"{kind}, as picture.png", answer)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
async def test_accepted_formats_whatever_their_name(client: httpx.AsyncClient, kind: str) -> None:
    sample = (await upload(client, encoded(photograph(), kind), name="picture.exe")).json()
    sent = Image.open(io.BytesIO((await client.get(sample["image"], params={"view": "original"})).content))
    assert sent.format == "PNG"
    difference = np.abs(np.asarray(sent.convert("RGB")).astype(int) - np.asarray(photograph()).astype(int))
    assert np.median(difference) <= (16 if kind == "GIF" else 6)


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


@pytest.mark.parametrize("kind", polyglots())
async def test_nothing_of_a_polyglot_is_kept(tmp_path: Path, kind: str) -> None:
    content = polyglots()[kind]
    assert b"evil-marker" in content
    async with serving(settings(tmp_path)) as client:
        response = await upload(client, content)
        assert response.status_code == 201, response.text
        for params in ({}, {"view": "original"}):
            shown = await client.get(response.json()["image"], params=params)
            assert b"evil-marker" not in shown.content and shown.content.startswith(b"\x89PNG")
            assert shown.headers["content-type"] == "image/png"
            assert shown.headers["x-content-type-options"] == "nosniff"
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"evil-marker" not in path.read_bytes(), path
    came_back("polyglot, script", kind, "201: a PNG without what was hidden, which no file of the server has")


# -- EXIF ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
async def test_every_orientation_once(client: httpx.AsyncClient, kind: str, orientation: int) -> None:
    """Turned as EXIF says, which is then gone: four corners tell where up is."""
    upright = Image.new("RGB", (64, 48))
    corners = {(0, 0): (255, 0, 0), (32, 0): (0, 255, 0), (0, 24): (0, 0, 255), (32, 24): (255, 255, 0)}
    for (left, top), colour in corners.items():
        upright.paste(colour, (left, top, left + 32, top + 24))
    turn = Image.Transpose
    undo = {2: turn.FLIP_LEFT_RIGHT, 3: turn.ROTATE_180, 4: turn.FLIP_TOP_BOTTOM, 5: turn.TRANSPOSE}
    undo |= {6: turn.ROTATE_90, 7: turn.TRANSVERSE, 8: turn.ROTATE_270}
    stored = upright.transpose(undo[orientation]) if orientation in undo else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "private-description"
    options = {"lossless": True} if kind == "WEBP" else {"quality": 95} if kind == "JPEG" else {}
    sample = (await upload(client, encoded(stored, kind, exif=exif, **options))).json()
    assert (sample["width"], sample["height"]) == (64, 48)
    content = (await client.get(sample["image"], params={"view": "original"})).content
    assert b"private" not in content
    sent = Image.open(io.BytesIO(content))
    assert not sent.getexif() and set(sent.info) == set()
    for (left, top), colour in corners.items():
        shown = np.array(sent.getpixel((left + 16, top + 12)), int)
        assert np.abs(shown - colour).max() < 24, (orientation, left, top)
    came_back("EXIF", f"{kind} in each of the 8 orientations", "201: upright, and nothing of EXIF is left")


async def test_large_and_broken_exif(client: httpx.AsyncClient) -> None:
    exif = Image.Exif()
    exif[0x010E] = "x" * 1_000_000
    assert (await upload(client, encoded(photograph(), "PNG", exif=exif))).status_code == 201
    for broken in (b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0" + bytes(100), b"Exif\0\0MM\0*" + b"\xff" * 60_000):
        assert (await upload(client, encoded(photograph(), "JPEG", exif=broken))).status_code == 201


async def test_text_chunks_that_unpack_to_much(client: httpx.AsyncClient) -> None:
    packed = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200_000_000), 9))
    content = png()
    response = await upload(client, content[:33] + packed + content[33:])
    assert response.status_code in {201, 422}


# -- colour modes --------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("mode", modes())
async def test_every_colour_mode(client: httpx.AsyncClient, mode: str) -> None:
    response = await upload(client, modes()[mode])
    assert response.status_code == 201, response.text
    sent = Image.open(io.BytesIO((await client.get(response.json()["image"], params={"view": "original"})).content))
    assert sent.mode in {"RGB", "RGBA"} and sent.size == (60, 40)
    seen = Image.open(io.BytesIO((await client.get(response.json()["image"])).content))
    assert seen.mode == "RGB" and seen.size == (32, 32)
    assert np.asarray(sent.convert("L")).std() > 20, "the picture was lost"
    came_back("colour modes", ", ".join(modes()), "201: RGB or RGBA, and 32 x 32 in RGB for networks")


def test_sixteen_bits_are_scaled() -> None:
    levels = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (32, 1))
    clean = np.asarray(clean_picture(encoded(Image.fromarray(levels), "PNG"), LIMITS))
    np.testing.assert_allclose(clean[0, :, 0], np.linspace(0, 255, 64), atol=1)


# -- damage --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
async def test_cut_off(client: httpx.AsyncClient, kind: str, share: float) -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (80, 80, 3), dtype=np.uint8))
    content = encoded(noise, kind)
    answer = await upload(client, content[: int(len(content) * share)])
    is_problem(answer, 422)
    if share == 0.5:
        came_back("truncated, corrupt", f"half of a {kind}", answer)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP", "GIF"])
def test_fuzzed_bytes(kind: str) -> None:
    """Changed bytes give a clean picture or a refusal, and nothing else, ever."""
    content, dice = encoded(photograph(), kind), random.Random(1)
    for _ in range(250):
        damaged = bytearray(content)
        for _ in range(dice.randint(1, 12)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            picture = clean_picture(bytes(damaged), LIMITS)
        except (NotAccepted, TooLarge) as refusal:
            assert "accepted" in refusal.detail or "cut off" in refusal.detail
        else:
            assert picture.mode in {"RGB", "RGBA"} and not picture.info


# -- names ---------------------------------------------------------------------------------------------------

NAMES = [
    "../../../../tmp/evil-name.png",
    "..\\..\\evil-name.png",
    "/etc/evil-name",
    "evil-name\0.png",
    "\u202egnp.evil-name",
    "evil-name" * 430,
    "evil-name" * 500,
    "<script>alert('evil-name')</script>.png",
    "<img src=x onerror=alert(1)>evil-name",
    "evil-name\r\nSet-Cookie: a=b",
    "CON.evil-name",
    "%2e%2e%2fevil-name",
    "évil-name\u0301" * 20,
    "evil-name🦊",
    " ",
    ".",
    "",
]
#: As names of files: too long for a header; and no file at all.
REFUSED_NAMES = {(400, "evil-name" * 500), (422, "evil-name" * 500), (422, "")}


@pytest.mark.parametrize("name", NAMES)
async def test_names_of_files(tmp_path: Path, name: str) -> None:
    async with serving(settings(tmp_path / "data")) as client:
        file_name = name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
        lines = f'Content-Disposition: form-data; name="file"; filename="{file_name}"\r\nContent-Type: image/png'
        body = b"--frontier\r\n" + lines.encode() + b"\r\n\r\n" + png() + b"\r\n--frontier--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=frontier"}
        for response in (
            await client.post("/api/v1/samples", content=body, headers=headers),
            await client.post("/api/v1/samples", files={"file": ("a.png", png(), "image/png")}, data={"name": name}),
        ):
            if response.status_code != 201:
                assert (response.status_code, name) in REFUSED_NAMES, response.text
                is_problem(response, response.status_code)
                continue
            shown = response.json()["name"]
            assert 1 <= len(shown) <= 80
            assert not any(unicodedata.category(c) in {"Cc", "Cf", "Cs"} for c in shown)
            assert shown == unicodedata.normalize("NFC", shown)
        if name in NAMES[:8]:
            reported = response if response.status_code != 201 else f"201: its name is {shown}"
            came_back("file name", f"{len(name)} characters: {name[:60]}", reported)
    paths = [path.name for path in tmp_path.rglob("*")]
    assert not any("evil" in path or "vil-n" in path for path in paths), paths
