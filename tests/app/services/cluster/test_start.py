"""Starts where a cluster is named that is not there, or without the library for it."""

import sys
from pathlib import Path

import pytest

from routescope.training.cluster import ClusterError
from routescope_app.main import in_use
from routescope_app.services.cluster.pool import Pool
from routescope_app.services.cluster.tasks import ActorSettings
from tests.app.serving import settings

FACTS = ActorSettings("cpu", "float32", 1, 2**26, 2**26, 2**26)


def test_an_address_without_a_cluster_is_told_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address in ("127.0.0.1:1", "somewhere", "ray://127.0.0.1:1"):
        said = in_use(settings(tmp_path, ray_address=address))
        assert said is not None and f"there is no Ray cluster at '{address}'" in said
        assert "'auto'" in said and "'local'" in said and "'none'" in said
        with pytest.raises(ClusterError, match="there is no Ray cluster"):
            Pool(address, FACTS, actors=1, gpus=0, patience=1).open()
    monkeypatch.setitem(sys.modules, "ray", None)
    said = in_use(settings(tmp_path, ray_address="auto"))
    assert said is not None and "pip install 'routescope[cluster]', or set ROUTESCOPE_RAY_ADDRESS=none" in said
