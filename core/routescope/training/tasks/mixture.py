"""The mixture of domains that a network is trained on, and its augmentation."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int64, UInt8
from PIL import ImageOps
from torch import Tensor

from routescope.data import DataError, Dataset, load
from routescope.data.pictures.blend import blend, sample_photographs


@dataclass(frozen=True)
class Mixture(torch.utils.data.Dataset[Any]):
    """Images of several domains in one set; batches are fetched whole.

    ``domain`` holds positions in ``domains``; ``parts`` says in words what each portion is and how many.
    """

    images: UInt8[Tensor, "N 3 h w"]
    labels: Int64[Tensor, " N"]
    domain: Int64[Tensor, " N"]
    domains: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor, Tensor]:
        return self.images[index], self.labels[index], self.domain[index]

    def __getitems__(self, indices: list[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Return a whole batch."""
        index = torch.tensor(indices)
        return self.images[index], self.labels[index], self.domain[index]


def photographs(source: str, limit: int = 4000) -> list[np.ndarray]:
    """Return RGB photographs (rows, columns, 3) of a parquet file or folder; small ones are enlarged to 128 pixels.

    Crops of large photographs are smooth, as MNIST-M's are; crops of small ones would be busier.
    Raises DataError when there are none.
    """
    import datasets

    path = Path(source)
    files = sorted(str(p) for p in (path.glob("train*.parquet") if path.is_dir() else [path]))
    if not files or not all(Path(f).is_file() for f in files):
        raise DataError(
            "photographs are read from a parquet file with an image column, or a folder with train*.parquet"
        )
    table = datasets.load_dataset("parquet", data_files=files, split="train")
    table = table.cast_column("image", datasets.Image()).shuffle(seed=0).select(range(min(limit, len(table))))
    pictures = [row["image"].convert("RGB") for row in table]
    return [
        np.asarray(picture if min(picture.size) >= 128 else ImageOps.fit(picture, (128, 128))) for picture in pictures
    ]


def hard_edged(digits: UInt8[Tensor, "N 32 32"]) -> UInt8[Tensor, "N 32 32"]:
    """Return digits as in the released MNIST-M: 28 x 28, only black and white, in the middle of 32 x 32."""
    small = F.interpolate(digits[:, None].float(), size=28, mode="bilinear", align_corners=False)[:, 0]
    return F.pad((small > 127).to(torch.uint8) * 255, (2, 2, 2, 2))


def digits_mixture(
    sources: Mapping[str, str], domains: tuple[str, ...], street: int = 60_000, real_repeats: int = 3
) -> Mixture:
    """Return the mixture of MNIST, MNIST-M and street digits.

    With real MNIST the MNIST-M domain is widened by MNIST's training digits, blended by the published
    recipe over ``sources["photographs"]`` or scikit-learn's photographs: once as they are and once
    hard-edged, as the released MNIST-M has them.

    Args:
        sources: where real sets are, by name; what is missing is replaced by the stand-ins.
        domains: which to take, in the order of the network's heads.
        street: how many street digits to render.
        real_repeats: how often an epoch shows each picture of the real MNIST-M, which are few.
    """
    parts: list[tuple[str, Dataset | tuple[str, Tensor, Tensor], int]] = []
    for name in domains:
        limit = street if name == "street-digits" and name not in sources else None
        part = cast(Dataset, load(name, "train", source=sources.get(name), limit=limit))
        repeats = real_repeats if name == "mnist-m" and name in sources else 1
        title = f"{part.title} ({'stand-in' if part.stand_in else 'real'}, train)"
        parts.append((title + (f", shown {repeats} times an epoch" if repeats > 1 else ""), part, repeats))
    if "mnist-m" in domains and "mnist" in sources:
        digits = load("mnist", "train", source=sources["mnist"])
        given = "photographs" in sources
        backgrounds = photographs(sources["photographs"]) if given else list(sample_photographs("train"))
        over = f"{len(backgrounds):,} given photographs" if given else "scikit-learn's photographs"
        grey = digits.images[:, 0]
        for seed, (edges, shapes) in enumerate((("", grey), (" hard-edged", hard_edged(grey)))):
            mixed = torch.from_numpy(blend(shapes.numpy(), backgrounds, seed=1000 + seed, scales=(1.0, 2.0, 3.0)))
            parts.append((f"MNIST train{edges} blended over {over}", ("mnist-m", mixed, digits.labels), 1))
    images, labels, index, words = [], [], [], []
    for title, piece, repeats in parts:
        domain, x, y = (piece.domain, piece.images, piece.labels) if isinstance(piece, Dataset) else piece
        images += [x] * repeats
        labels += [y] * repeats
        index.append(torch.full((repeats * len(y),), domains.index(domain)))
        words.append((title, len(y)))
    return Mixture(torch.cat(images), torch.cat(labels), torch.cat(index), domains, tuple(words))


def pictures_mixture(sources: Mapping[str, str]) -> tuple[Mixture, tuple[str, ...]]:
    """Return pictures of any classes (the data set ``images``), and the names of their classes."""
    data = load("images", "train", source=sources.get("images"))
    words = f"{data.title} ({'stand-in' if data.stand_in else 'real'}, train)"
    domain = torch.zeros(len(data), dtype=torch.int64)
    return Mixture(data.images, data.labels, domain, ("images",), ((words, len(data)),)), data.classes


def augment(images: Float[Tensor, "B 3 h w"]) -> Float[Tensor, "B 3 h w"]:
    """Apply random rotation (12 degrees), shear, scale (15 %), shift (8 %), contrast, brightness and colour.

    A small stand-in for RandAugment, on whole batches; every draw is per image.
    """
    B, device = len(images), images.device

    def draw(low: float, high: float, *shape: int) -> Tensor:
        return torch.empty(B, *shape, device=device).uniform_(low, high)

    angle, shear = draw(-1, 1) * math.radians(12), draw(-0.15, 0.15)
    scale_x, scale_y = draw(0.87, 1.15), draw(0.87, 1.15)
    cos, sin = angle.cos(), angle.sin()
    rows = (
        torch.stack((cos * scale_x, (shear - sin) * scale_y, draw(-0.16, 0.16)), dim=1),
        torch.stack((sin * scale_x, cos * scale_y, draw(-0.16, 0.16)), dim=1),
    )
    grid = F.affine_grid(torch.stack(rows, dim=1), list(images.shape), align_corners=False)
    images = F.grid_sample(images, grid, padding_mode="border", align_corners=False)
    mean = images.mean(dim=(1, 2, 3), keepdim=True)
    contrast, brightness = draw(0.75, 1.25, 1, 1, 1), draw(-0.08, 0.08, 1, 1, 1)
    colour = draw(0.9, 1.1, 3, 1, 1)
    return (((images - mean) * contrast + mean + brightness) * colour).clamp(0, 1)
