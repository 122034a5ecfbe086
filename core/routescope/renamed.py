"""Where the modules of version 0.5 are now: their old names still import, with a warning that names the new place.

A module under an old name is the one under its new name, the same object. Nothing is imported before it is asked for.
"""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

#: Old name of a module -> its new one.
RENAMED = {
    "core.cards": "routescope.zoo.cards",
    "core.checkpoint": "routescope.zoo.checkpoint",
    "routescope.data.blend": "routescope.data.pictures.blend",
    "routescope.data.block_algo": "routescope.data.blocks.algo",
    "routescope.data.block_permuted": "routescope.data.blocks.permuted",
    "routescope.data.block_rules": "routescope.data.blocks.rules",
    "routescope.data.block_sets": "routescope.data.blocks.sets",
    "routescope.data.block_sums": "routescope.data.blocks.sums",
    "routescope.data.block_tasks": "routescope.data.blocks.tasks",
    "routescope.data.digits": "routescope.data.pictures.digits",
    "routescope.data.images": "routescope.data.pictures.folders",
    "routescope.data.letters": "routescope.data.pictures.letters",
    "routescope.data.meanings": "routescope.data.statements.meanings",
    "routescope.data.nlvr": "routescope.data.statements.nlvr",
    "routescope.data.scenes": "routescope.data.statements.scenes",
    "routescope.data.sentence_kinds": "routescope.data.statements.kinds",
    "routescope.data.sentences": "routescope.data.statements.sentences",
    "routescope.data.shapes": "routescope.data.pictures.shapes",
    "routescope.data.statement_draws": "routescope.data.statements.draws",
    "routescope.data.statement_lessons": "routescope.data.statements.lessons",
    "routescope.data.statement_sets": "routescope.data.statements.sets",
    "routescope.data.street": "routescope.data.pictures.street",
    "routescope.nn.block_network": "routescope.nn.blocks.network",
    "routescope.nn.block_network_config": "routescope.nn.blocks.config",
    "routescope.nn.block_operations": "routescope.nn.blocks.operations",
    "routescope.nn.block_routes": "routescope.nn.blocks.routes",
    "routescope.nn.circuit_generator": "routescope.nn.circuit.generator",
    "routescope.nn.circuit_links": "routescope.nn.circuit.descriptors",
    "routescope.nn.circuit_views": "routescope.nn.circuit.views",
    "routescope.nn.conditional_circuit": "routescope.nn.circuit.conditional",
    "routescope.nn.conditional_circuit_config": "routescope.nn.circuit.conditional_config",
    "routescope.nn.frozen_encoders": "routescope.nn.encoders.frozen",
    "routescope.nn.frozen_weights": "routescope.nn.encoders.frozen_weights",
    "routescope.nn.links": "routescope.nn.circuit.links",
    "routescope.nn.modfc": "routescope.nn.circuit.modfc",
    "routescope.nn.modulated": "routescope.nn.interpreter.modulated",
    "routescope.nn.neural_attentive_circuit": "routescope.nn.circuit.network",
    "routescope.nn.neural_attentive_circuit_config": "routescope.nn.circuit.config",
    "routescope.nn.neural_interpreter": "routescope.nn.interpreter.network",
    "routescope.nn.neural_interpreter_config": "routescope.nn.interpreter.config",
    "routescope.nn.positions": "routescope.nn.interpreter.positions",
    "routescope.nn.script": "routescope.nn.interpreter.script",
    "routescope.nn.set_tokenizers": "routescope.nn.encoders.sets",
    "routescope.nn.statement_reader": "routescope.nn.encoders.statement_reader",
    "routescope.nn.statements": "routescope.nn.inputs.statements",
    "routescope.nn.text_encoders": "routescope.nn.encoders.text",
    "routescope.nn.tokenizers": "routescope.nn.encoders.pictures",
    "routescope.routing.block_indicators": "routescope.routing.blocks.indicators",
    "routescope.routing.block_making": "routescope.routing.blocks.making",
    "routescope.routing.block_usage": "routescope.routing.observed.usage",
    "routescope.routing.clustering": "routescope.routing.maps.clustering",
    "routescope.routing.connectivity": "routescope.routing.caused.connectivity",
    "routescope.routing.constants": "routescope.routing.trace",
    "routescope.routing.designs": "routescope.routing.graphs.designs",
    "routescope.routing.effects": "routescope.routing.caused.effects",
    "routescope.routing.embedding": "routescope.routing.maps.embedding",
    "routescope.routing.embedding_methods": "routescope.routing.maps.methods",
    "routescope.routing.embedding_plot": "routescope.plots.embedding",
    "routescope.routing.embedding_process": "routescope.routing.maps.process",
    "routescope.routing.graph_layout": "routescope.routing.graphs.layout",
    "routescope.routing.graph_matching": "routescope.routing.graphs.matching",
    "routescope.routing.graph_priors": "routescope.routing.graphs.priors",
    "routescope.routing.graph_statistics": "routescope.routing.graphs.statistics",
    "routescope.routing.importance": "routescope.routing.caused.importance",
    "routescope.routing.intervals": "routescope.routing.caused.intervals",
    "routescope.routing.measures": "routescope.routing.observed.measures",
    "routescope.routing.metrics": "routescope.routing.caused.scores",
    "routescope.routing.observation": "routescope.routing.observed.observer",
    "routescope.routing.observation_plot": "routescope.plots.observed",
    "routescope.routing.observation_result": "routescope.routing.observed.result",
    "routescope.routing.patch_groups": "routescope.routing.observed.patch_groups",
    "routescope.routing.plots": "routescope.plots.caused",
    "routescope.routing.principal_components": "routescope.routing.maps.components",
    "routescope.routing.prior_order": "routescope.routing.graphs.order",
    "routescope.routing.probe": "routescope.routing.recording",
    "routescope.routing.retention": "routescope.routing.caused.retention",
    "routescope.routing.routed": "routescope.routing.running",
    "routescope.routing.routes": "routescope.routing.intervention",
    "routescope.routing.scoring": "routescope.routing.caused.scores",
    "routescope.routing.sentence_map": "routescope.routing.maps.sentences",
    "routescope.routing.sentence_map_plot": "routescope.plots.sentences",
    "routescope.routing.separation": "routescope.routing.maps.separation",
    "routescope.routing.shapley": "routescope.routing.caused.shapley",
    "routescope.routing.similarity": "routescope.routing.observed.similarity",
    "routescope.routing.subsets": "routescope.routing.caused.subsets",
    "routescope.routing.tally": "routescope.routing.observed.tally",
    "routescope.routing.type_points": "routescope.routing.maps.points",
    "routescope.routing.usage": "routescope.routing.observed.usage",
    "core.training_blocks": "routescope.training.tasks.blocks",
    "core.training_data": "routescope.training.tasks.mixture",
    "core.training_grid": "routescope.training.grids.trials",
    "core.training_grounding": "routescope.training.tasks.grounding",
    "core.training_many": "routescope.training.grids.many",
    "core.training_many_kernels": "routescope.training.grids.kernels",
    "core.training_many_padding": "routescope.training.grids.padding",
    "core.training_many_state": "routescope.training.grids.state",
    "core.training_recipes": "routescope.training.recipes.networks",
    "core.training_recipes_blocks": "routescope.training.recipes.blocks",
    "core.training_settings": "routescope.training.settings",
    "core.training_state": "routescope.training.state",
    "core.training_statements": "routescope.training.tasks.statements",
    "core.training_task": "routescope.training.tasks.pictures",
}
#: Modules that are packages of the same name now, or whose names went to several -> where what one imported is.
SCATTERED: dict[str, dict[str, tuple[str, ...]]] = {
    "routescope.data.pictures": {
        "routescope.data.pictures.sizing": (
            "INK", "MNIST_BOX", "MNIST_SIDE", "fitted", "from_drawing", "from_picture", "grey_to_rgb", "mnist_digit",
            "opaque", "upsample",
        ),
    },
    "routescope.data.statements": {
        "routescope.data.statements.grammar": (
            "KINDS", "MOST_CHARACTERS", "RELATIONS", "TEMPLATES", "Statement", "kind_of", "meanings_of", "say",
        ),
    },
    "routescope.nn.block_baselines": {
        "routescope.nn.baselines.fnn": ("BlockFNN",), "routescope.nn.baselines.transformer": ("BlockTransformer",),
    },
    "routescope.nn.baselines": {
        "routescope.nn.baselines.perceiver_io": (
            "PerceiverIO", "PerceiverIOConfig", "StatementPerceiverIO", "StatementPerceiverIOConfig",
        ),
    },
    "routescope.nn.blocks": {"routescope.nn.inputs.blocks": ("Blocks",)},
    "routescope.nn.circuit": {
        "routescope.nn.circuit.layers": (
            "LayersInTurn", "PreparedReadIn", "PreparedSKMDPA", "Projections", "ReadIn", "SKMDPA",
        ),
    },
    "routescope.training": {
        "routescope.training.fit": ("train",),
        "routescope.training.recipes.networks": ("FAMILIES", "LADDER", "RECIPES", "named"),
        "routescope.training.settings": ("Recipe", "TrainingSettings", "cosine"),
        "routescope.training.tasks.pictures": ("Classification", "Validation", "routing_information"),
    },
    "routescope.zoo": {"routescope.zoo.catalogue": ("folders",)},
}  # fmt: skip


class _Renamed(Loader):
    """Gives the module of the new name under the old one."""

    def __init__(self, new: str) -> None:
        self._new = new

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        # The warning belongs to the line that imports: frames of the import system are passed over.
        warnings.warn(f"{spec.name} is {self._new} now; please import that", DeprecationWarning, stacklevel=2)
        module = importlib.import_module(self._new)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put the old name's in its place


def _serve(module: ModuleType) -> None:
    """Let a module find what the one of its name had in 0.5."""
    homes = {name: home for home, names in SCATTERED[module.__name__].items() for name in names}

    def __getattr__(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        warnings.warn(f"{module.__name__}.{name} is in {homes[name]} now", DeprecationWarning, stacklevel=2)
        value = getattr(importlib.import_module(homes[name]), name)
        setattr(module, name, value)  # the import system asks twice, and is told once
        return value

    vars(module)["__getattr__"] = __getattr__


class _Package(SourceFileLoader):
    """Runs a package of today, which then also finds the old names."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _serve(module)


class _Scattered(Loader):
    """Makes a module that has the old names and nothing else."""

    def create_module(self, spec: ModuleSpec) -> None:
        """An ordinary one."""

    def exec_module(self, module: ModuleType) -> None:
        _serve(module)


class _OldNames(MetaPathFinder):
    """Finds modules by the names of version 0.5."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in RENAMED:
            return ModuleSpec(name, _Renamed(RENAMED[name]))
        if name not in SCATTERED:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None:
            return ModuleSpec(name, _Scattered())
        if isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Package(name, spec.loader.path)
        return spec


def install() -> None:
    """Let ``import`` find the old names; once is enough, and more does no harm."""
    if not any(type(finder).__name__ == _OldNames.__name__ for finder in sys.meta_path):
        sys.meta_path.insert(0, _OldNames())
