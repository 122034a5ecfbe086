"""ModelNet40 from where its user has it: OFF meshes in folders as published, or the usual HDF5 files of points.

Wu, Song, Khosla et al., "3D ShapeNets", 2015. As published a class is a folder with the folders ``train`` and ``test``
of meshes, of which 1,024 points are drawn by area. HDF5 files are those of PointNet (Qi, Su, Mo and Guibas, 2017):
``ply_data_train*.h5`` and ``ply_data_test*.h5`` with ``data`` (cloud, 2048, 3) and ``label`` (cloud, 1), and names of
classes in ``shape_names.txt``. Either has no validation split: what is asked of it is given of the test split.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import h5py
import numpy as np
from jaxtyping import Float32, Shaped

from routescope.data.cache import Arrays, cached
from routescope.data.dataset import DataError
from routescope.data.kinds.points.codec import POINTS, checked, in_unit_ball
from routescope.data.points.meshes import on_triangles, read_off
from routescope.files import UndecodableText, decoded

#: What the seed of a mesh's points starts from, beside the digest of its file's place.
SEED = 40
NAMES = "shape_names.txt"
WANTED = (
    "ModelNet40 is a folder with a folder for every class, in each train and test with .off meshes, or a folder of "
    f"ply_data_train*.h5, ply_data_test*.h5 and {NAMES}"
)
#: Folders of a source where splits lie.
FOLDERS = {"train": "train", "validation": "test", "test": "test"}


def read(split: str, source: str, classes: Sequence[str] = ()) -> tuple[Arrays, tuple[str, ...]]:
    """Points (sample, 1024, 3), labels and hashes of one split, and the names of the classes; from the cache where the
    files are unchanged. Samples are in an order of chance, so that first ones are of all classes.

    Args:
        classes: names in the order of a network's labels; none: those of the source, in their order there.

    Raises:
        DataError: no such folder, one with nothing of ModelNet40, a mesh that cannot be read, or other classes.
    """
    folder = Path(source).expanduser()
    if not folder.is_dir():
        raise DataError(f"there is no folder {source}; {WANTED}")
    part = FOLDERS[split]
    files = sorted(folder.glob(f"ply_data_{part}*.h5"))
    names = _names(folder) if files else tuple(sorted(p.name for p in folder.iterdir() if (p / part).is_dir()))
    meshes = [] if files else [path for name in names for path in sorted((folder / name / part).glob("*.off"))]
    if not files and not meshes:
        raise DataError(f"{source} has nothing of the {part} split; {WANTED}")
    wanted = tuple(classes) or names
    if set(wanted) != set(names):
        raise DataError(
            f"{source} has the classes {', '.join(names[:5])}, ...; training had {', '.join(wanted[:5])}, ..."
        )
    facts = [[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in files or meshes]
    key = {"files": facts, "points": POINTS, "seed": SEED, "bits": 64}
    arrays = cached("modelnet", key, lambda: _of_files(files) if files else _of_meshes(folder, names, meshes))
    renumbered = np.array([wanted.index(name) for name in names], dtype=np.int64)
    order = np.random.default_rng(SEED).permutation(len(arrays["labels"]))
    if not 0 <= int(arrays["labels"].min()) <= int(arrays["labels"].max()) < len(names):
        raise DataError(f"labels of {source} are not all from 0 to {len(names) - 1}")
    points, labels = arrays["points"][order], renumbered[arrays["labels"][order]]
    return {"points": points, "labels": labels, "hashes": arrays["hashes"][order]}, wanted


def _names(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(decoded((folder / NAMES).read_bytes()).split())
    except (OSError, UndecodableText) as error:
        raise DataError(f"{folder} has no {NAMES} with the names of the classes: {error}; {WANTED}") from error


def _of_meshes(folder: Path, names: tuple[str, ...], meshes: Sequence[Path]) -> Arrays:
    points = np.empty((len(meshes), POINTS, 3), np.float32)
    for row, path in enumerate(meshes):
        place = path.relative_to(folder).as_posix()
        random = np.random.default_rng((SEED, int.from_bytes(hashlib.sha256(place.encode()).digest()[:8])))
        triangles = read_off(path)
        try:
            points[row] = in_unit_ball(on_triangles(triangles, POINTS, random))
        except DataError as error:
            raise DataError(f"{path}: {error}") from error
    labels = np.array([names.index(path.parent.parent.name) for path in meshes], dtype=np.int64)
    return {"points": points, "labels": labels, "hashes": hashes_of(points)}


def _of_files(files: Sequence[Path]) -> Arrays:
    points, labels = [], []
    for path in files:
        try:
            with h5py.File(path, "r") as file:
                data, label = file["data"], file["label"]
                if data.ndim != 3 or data.shape[1] < POINTS or data.shape[2] != 3 or len(label) != len(data):
                    raise ValueError(f"data have the shape {data.shape}, labels {label.shape}")
                clouds = np.asarray(data[:, :POINTS], dtype=np.float64)
                points.append(np.stack([in_unit_ball(checked(cloud)) for cloud in clouds]))
                labels.append(np.asarray(label, dtype=np.int64).reshape(len(data), -1)[:, 0])
        except (OSError, KeyError, ValueError, TypeError, AttributeError) as error:
            raise DataError(f"{path} cannot be read: {error}; {WANTED}") from error
    every = np.concatenate(points)
    return {"points": every, "labels": np.concatenate(labels), "hashes": hashes_of(every)}


def hashes_of(points: Float32[np.ndarray, "sample V 3"]) -> Shaped[np.ndarray, " sample"]:
    """SHA-256 of the points of each cloud."""
    return np.array([hashlib.sha256(row.tobytes()).hexdigest() for row in points], dtype="U64")
