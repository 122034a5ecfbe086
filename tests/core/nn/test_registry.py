"""Modules that register something are found once, whatever other threads import meanwhile."""

import importlib
import sys
import threading
from types import SimpleNamespace

from routescope.nn import registry
from routescope.nn.baselines.vit import VisionTransformer, VisionTransformerConfig
from routescope.nn.registry import Discovery, register

MODULE = """
import waits
waits.importing.set()
assert waits.discovering.wait(60)
waits.registers()
"""


def test_a_module_that_another_thread_imports_can_register(tmp_path, monkeypatch):
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "__init__.py").touch()
    (tmp_path / "found" / "module.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})

    class Late(VisionTransformer):
        pass

    waits = SimpleNamespace(
        importing=threading.Event(),
        discovering=threading.Event(),
        registers=lambda: register("late", family="a test", config=VisionTransformerConfig)(Late),
    )
    monkeypatch.setitem(sys.modules, "waits", waits)
    importer = threading.Thread(target=importlib.import_module, args=["found.module"], daemon=True)
    importer.start()
    assert waits.importing.wait(60)

    def paths():
        waits.discovering.set()  # the lock of the discovery is held now
        yield str(tmp_path / "found")

    discoverer = threading.Thread(target=Discovery({"found": paths()}), daemon=True)
    discoverer.start()
    for thread in (importer, discoverer):
        thread.join(60)
        assert not thread.is_alive()
    assert registry._registered["late"].network is Late
