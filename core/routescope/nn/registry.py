"""Every architecture by name: what a checkpoint's metadata refers to and what tests walk through.

An architecture registers itself::

    @register("smfr", family="SMFR (block-operations)", config=SMFRConfig)
    class BlockNetwork(Network): ...

Those of ``routescope.nn`` are found by themselves; another package names the module that registers its own in the entry
point group ``routescope.networks``.
"""

import importlib
import pkgutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from typing import Any, NamedTuple, TypeVar

import routescope.nn
from routescope.nn.config import Config
from routescope.nn.inputs.kind import Inputs
from routescope.nn.network import Network

ENTRY_POINTS = "routescope.networks"

Cls = TypeVar("Cls", bound=type[Network])


class Architecture(NamedTuple):
    """A config and the network that is made of it, with its family in words."""

    config: type[Any]
    network: type[Network]
    family: str


class Discovery:
    """Import modules that register something, once.

    Its lock is another than that of the registrations: a thread that imports one of the modules holds the lock of this
    import while it registers.

    Args:
        packages: with the paths of each; every module below them is imported.
        group: entry points that are loaded then; None: no group.
    """

    def __init__(self, packages: Mapping[str, Iterable[str]], group: str | None = None) -> None:
        self._packages, self._group = packages, group
        self._lock, self._begun = threading.RLock(), False

    def __call__(self) -> None:
        with self._lock:
            if self._begun:
                return
            self._begun = True
            for package, paths in self._packages.items():
                for module in pkgutil.walk_packages(paths, f"{package}."):
                    importlib.import_module(module.name)
            for entry_point in () if self._group is None else entry_points(group=self._group):
                entry_point.load()


_registered: dict[str, Architecture] = {}
_lock = threading.Lock()
_discover = Discovery({routescope.nn.__name__: routescope.nn.__path__}, ENTRY_POINTS)


def register(name: str, *, family: str, config: type[Config]) -> Callable[[Cls], Cls]:
    """Return a class decorator that registers a network; raises ValueError for a name that another network has."""

    def add(network: Cls) -> Cls:
        with _lock:
            if name in _registered and _registered[name].network is not network:
                raise ValueError(f"there is a network {name!r} already: {_registered[name].network.__qualname__}")
            network.architecture, network.family = name, family
            _registered[name] = Architecture(config, network, family)
        return network

    return add


class _Architectures(Mapping[str, Architecture]):
    """Name -> architecture, of all that are registered; the first look at it finds those that are installed."""

    def __getitem__(self, name: str) -> Architecture:
        _discover()
        return _registered[name]

    def __iter__(self) -> Iterator[str]:
        _discover()
        return iter(tuple(_registered))

    def __len__(self) -> int:
        _discover()
        return len(_registered)


ARCHITECTURES: Mapping[str, Architecture] = _Architectures()


def architecture_of(model: object) -> str:
    """The registered name of a model's class; raises KeyError with the names there are."""
    for name, (_, cls, _) in ARCHITECTURES.items():
        if type(model) is cls:
            return name
    raise KeyError(f"{type(model).__name__} is not registered; there are {', '.join(ARCHITECTURES)}")


def kinds_of_input() -> dict[str, type[Inputs]]:
    """Name -> kind, of every kind of input that a registered network reads."""
    return {kind.kind: kind for architecture in ARCHITECTURES.values() for kind in architecture.network.kinds}
