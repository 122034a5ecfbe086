"""A CLIP of the real size with random weights, and generated photographs in a folder laid out as NLVR2's.

They show what the commands of docs/models.md take, in seconds and memory, where neither CLIP's weights nor NLVR2's
photographs may be had. What networks answer on them means nothing.

    python -m scripts.random_nlvr2 FOLDER            # FOLDER/clip and FOLDER/nlvr2, 200 photographs
    python -m scripts.random_nlvr2 FOLDER --pairs 20
"""

import argparse
import itertools
import json
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageDraw
from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPTokenizer

START, END = "<|startoftext|>", "<|endoftext|>"
#: Pieces that CLIP's tokenizer knows, and the longest text that it reads.
PIECES, LONGEST = 49_408, 77
#: Shares of the pairs that are for training, development and test.
STEMS = (("train", 0.6), ("dev", 0.2), ("test1", 0.2))
#: As large as NLVR2's photographs often are, in pixels.
WIDTHS, HEIGHTS = (640, 1024), (480, 768)
NOUNS = ("dog", "bottle", "bus", "bird", "panda", "guitar")
COLOURS = ("red", "green", "blue", "yellow", "white", "black")


def tokenizer() -> CLIPTokenizer:
    """As many pieces as CLIP's, of letters put together by the alphabet instead of by how often they are met."""
    characters = [chr(code) for code in range(33, 127)]
    pieces = [*characters, *(f"{each}</w>" for each in characters)]
    merges = list(itertools.islice(_merges(), PIECES - 2 - len(pieces)))
    pieces += [first + second for first, second in merges]
    return CLIPTokenizer(
        vocab={piece: at for at, piece in enumerate([*pieces, START, END])}, merges=merges, model_max_length=LONGEST
    )


def _merges() -> Iterator[tuple[str, str]]:
    letters = string.ascii_lowercase
    pairs = [first + second for first in letters for second in letters]
    yield from ((first, second) for first in letters for second in letters)
    yield from ((first, f"{second}</w>") for first in letters for second in letters)
    yield from ((pair, f"{letter}</w>") for pair in pairs for letter in letters)
    yield from ((pair, letter) for pair in pairs for letter in letters)
    yield from ((first, second) for first in pairs for second in pairs)


def make_clip(folder: Path, seed: int = 0) -> Path:
    """CLIP ViT-B/32 as ``transformers`` draws it: config.json, model.safetensors, and the tokenizer's files."""
    words = tokenizer()
    start, end = words.convert_tokens_to_ids([START, END])
    ids = {"bos_token_id": start, "eos_token_id": end, "pad_token_id": end}
    torch.manual_seed(seed)
    model = CLIPModel(CLIPConfig(text_config=ids | {"vocab_size": PIECES}))  # other sizes are ViT-B/32's by default
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    CLIPImageProcessor().save_pretrained(folder)
    return folder


def make_photographs(folder: Path, pairs: int, seed: int = 0) -> Path:
    """``pairs`` pairs of JPEG-like pictures as PNG, each with two statements, in the files that NLVR2 has."""
    numbers, first = np.random.default_rng(seed), 0
    for stem, share in STEMS:
        count = max(1, round(pairs * share))
        rows = []
        (folder / "images" / stem).mkdir(parents=True, exist_ok=True)
        for pair in range(first, first + count):
            for side in range(2):
                _photograph(numbers).save(folder / "images" / stem / f"{stem}-{pair}-0-img{side}.png")
            for number in range(2):
                colour, noun = numbers.choice(COLOURS), numbers.choice(NOUNS)
                sentence = f"There are at least two {colour} {noun}s, and the left image has one {noun} in the middle."
                label = str(bool(number))
                rows.append({"sentence": sentence, "label": label, "identifier": f"{stem}-{pair}-0-{number}"})
        (folder / f"{stem}.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
        first += count
    return folder


def _photograph(numbers: np.random.Generator) -> Image.Image:
    """Smooth ground with a few discs and noise on it, so that a file is about as large as a photograph's."""
    size = int(numbers.integers(*WIDTHS)), int(numbers.integers(*HEIGHTS))
    ground = Image.fromarray(numbers.integers(0, 256, (6, 8, 3), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    drawing = ImageDraw.Draw(ground)
    for _ in range(int(numbers.integers(2, 6))):
        x, y, radius = (int(numbers.integers(least, most)) for least, most in ((0, size[0]), (0, size[1]), (20, 160)))
        drawing.ellipse((x - radius, y - radius, x + radius, y + radius), fill=str(numbers.choice(COLOURS)))
    pixels = np.asarray(ground, np.int16) + numbers.integers(-12, 13, (size[1], size[0], 3))
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def main() -> None:
    """Write both folders."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="gets clip and nlvr2")
    parser.add_argument("--pairs", type=int, default=100, help="of photographs")
    given = parser.parse_args()
    make_clip(given.folder / "clip")
    make_photographs(given.folder / "nlvr2", given.pairs)


if __name__ == "__main__":
    main()
