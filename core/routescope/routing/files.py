"""NetCDF files of results."""

import os
from pathlib import Path
from typing import Any

import xarray as xr


def save_dataset(dataset: xr.Dataset, path: str | Path, **options: Any) -> Path:
    """Write one NetCDF file, which appears whole or not at all; ``options`` are those of ``to_netcdf``."""
    path = Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    dataset.to_netcdf(partial, engine="h5netcdf", **options)
    return partial.replace(path)


def load_dataset(path: str | Path) -> xr.Dataset:
    """Read a file of ``save_dataset``."""
    with xr.open_dataset(path, engine="h5netcdf") as dataset:
        return dataset.load()
