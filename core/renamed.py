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
    "core.cards": "core.zoo.cards",
    "core.checkpoint": "core.zoo.checkpoint",
    "core.data.blend": "core.data.pictures.blend",
    "core.data.block_algo": "core.data.blocks.algo",
    "core.data.block_permuted": "core.data.blocks.permuted",
    "core.data.block_rules": "core.data.blocks.rules",
    "core.data.block_sets": "core.data.blocks.sets",
    "core.data.block_sums": "core.data.blocks.sums",
    "core.data.block_tasks": "core.data.blocks.tasks",
    "core.data.digits": "core.data.pictures.digits",
    "core.data.images": "core.data.pictures.folders",
    "core.data.letters": "core.data.pictures.letters",
    "core.data.meanings": "core.data.statements.meanings",
    "core.data.nlvr": "core.data.statements.nlvr",
    "core.data.scenes": "core.data.statements.scenes",
    "core.data.sentence_kinds": "core.data.statements.kinds",
    "core.data.sentences": "core.data.statements.sentences",
    "core.data.shapes": "core.data.pictures.shapes",
    "core.data.statement_draws": "core.data.statements.draws",
    "core.data.statement_lessons": "core.data.statements.lessons",
    "core.data.statement_sets": "core.data.statements.sets",
    "core.data.street": "core.data.pictures.street",
    "core.nn.block_network": "core.nn.blocks.network",
    "core.nn.block_network_config": "core.nn.blocks.config",
    "core.nn.block_operations": "core.nn.blocks.operations",
    "core.nn.block_routes": "core.nn.blocks.routes",
    "core.nn.circuit_generator": "core.nn.circuit.generator",
    "core.nn.circuit_links": "core.nn.circuit.descriptors",
    "core.nn.circuit_views": "core.nn.circuit.views",
    "core.nn.conditional_circuit": "core.nn.circuit.conditional",
    "core.nn.conditional_circuit_config": "core.nn.circuit.conditional_config",
    "core.nn.frozen_encoders": "core.nn.encoders.frozen",
    "core.nn.frozen_weights": "core.nn.encoders.frozen_weights",
    "core.nn.links": "core.nn.circuit.links",
    "core.nn.modfc": "core.nn.circuit.modfc",
    "core.nn.modulated": "core.nn.interpreter.modulated",
    "core.nn.neural_attentive_circuit": "core.nn.circuit.network",
    "core.nn.neural_attentive_circuit_config": "core.nn.circuit.config",
    "core.nn.neural_interpreter": "core.nn.interpreter.network",
    "core.nn.neural_interpreter_config": "core.nn.interpreter.config",
    "core.nn.positions": "core.nn.interpreter.positions",
    "core.nn.script": "core.nn.interpreter.script",
    "core.nn.set_tokenizers": "core.nn.encoders.sets",
    "core.nn.statement_reader": "core.nn.encoders.statement_reader",
    "core.nn.statements": "core.nn.inputs.statements",
    "core.nn.text_encoders": "core.nn.encoders.text",
    "core.nn.tokenizers": "core.nn.encoders.pictures",
    "core.routing.block_indicators": "core.routing.blocks.indicators",
    "core.routing.block_making": "core.routing.blocks.making",
    "core.routing.block_usage": "core.routing.observed.usage",
    "core.routing.clustering": "core.routing.maps.clustering",
    "core.routing.connectivity": "core.routing.caused.connectivity",
    "core.routing.constants": "core.routing.trace",
    "core.routing.designs": "core.routing.graphs.designs",
    "core.routing.effects": "core.routing.caused.effects",
    "core.routing.embedding": "core.routing.maps.embedding",
    "core.routing.embedding_methods": "core.routing.maps.methods",
    "core.routing.embedding_plot": "core.plots.embedding",
    "core.routing.embedding_process": "core.routing.maps.process",
    "core.routing.graph_layout": "core.routing.graphs.layout",
    "core.routing.graph_matching": "core.routing.graphs.matching",
    "core.routing.graph_priors": "core.routing.graphs.priors",
    "core.routing.graph_statistics": "core.routing.graphs.statistics",
    "core.routing.importance": "core.routing.caused.importance",
    "core.routing.intervals": "core.routing.caused.intervals",
    "core.routing.measures": "core.routing.observed.measures",
    "core.routing.metrics": "core.routing.caused.scores",
    "core.routing.observation": "core.routing.observed.observer",
    "core.routing.observation_plot": "core.plots.observed",
    "core.routing.observation_result": "core.routing.observed.result",
    "core.routing.patch_groups": "core.routing.observed.patch_groups",
    "core.routing.plots": "core.plots.caused",
    "core.routing.principal_components": "core.routing.maps.components",
    "core.routing.prior_order": "core.routing.graphs.order",
    "core.routing.probe": "core.routing.recording",
    "core.routing.retention": "core.routing.caused.retention",
    "core.routing.routed": "core.routing.running",
    "core.routing.routes": "core.routing.intervention",
    "core.routing.scoring": "core.routing.caused.scores",
    "core.routing.sentence_map": "core.routing.maps.sentences",
    "core.routing.sentence_map_plot": "core.plots.sentences",
    "core.routing.separation": "core.routing.maps.separation",
    "core.routing.shapley": "core.routing.caused.shapley",
    "core.routing.similarity": "core.routing.observed.similarity",
    "core.routing.subsets": "core.routing.caused.subsets",
    "core.routing.tally": "core.routing.observed.tally",
    "core.routing.type_points": "core.routing.maps.points",
    "core.routing.usage": "core.routing.observed.usage",
    "core.training_blocks": "core.training.tasks.blocks",
    "core.training_data": "core.training.tasks.mixture",
    "core.training_grid": "core.training.grids.trials",
    "core.training_grounding": "core.training.tasks.grounding",
    "core.training_many": "core.training.grids.many",
    "core.training_many_kernels": "core.training.grids.kernels",
    "core.training_many_padding": "core.training.grids.padding",
    "core.training_many_state": "core.training.grids.state",
    "core.training_recipes": "core.training.recipes.networks",
    "core.training_recipes_blocks": "core.training.recipes.blocks",
    "core.training_settings": "core.training.settings",
    "core.training_state": "core.training.state",
    "core.training_statements": "core.training.tasks.statements",
    "core.training_task": "core.training.tasks.pictures",
}
#: Modules that are packages of the same name now, or whose names went to several -> where what one imported is.
SCATTERED: dict[str, dict[str, tuple[str, ...]]] = {
    "core.data.pictures": {
        "core.data.pictures.sizing": (
            "INK", "MNIST_BOX", "MNIST_SIDE", "fitted", "from_drawing", "from_picture", "grey_to_rgb", "mnist_digit",
            "opaque", "upsample",
        ),
    },
    "core.data.statements": {
        "core.data.statements.grammar": (
            "KINDS", "MOST_CHARACTERS", "RELATIONS", "TEMPLATES", "Statement", "kind_of", "meanings_of", "say",
        ),
    },
    "core.nn.block_baselines": {
        "core.nn.baselines.fnn": ("BlockFNN",), "core.nn.baselines.transformer": ("BlockTransformer",),
    },
    "core.nn.baselines": {
        "core.nn.baselines.perceiver_io": (
            "PerceiverIO", "PerceiverIOConfig", "StatementPerceiverIO", "StatementPerceiverIOConfig",
        ),
    },
    "core.nn.blocks": {"core.nn.inputs.blocks": ("Blocks",)},
    "core.nn.circuit": {
        "core.nn.circuit.layers": (
            "LayersInTurn", "PreparedReadIn", "PreparedSKMDPA", "Projections", "ReadIn", "SKMDPA",
        ),
    },
    "core.training": {
        "core.training.fit": ("train",),
        "core.training.recipes.networks": ("FAMILIES", "LADDER", "RECIPES", "named"),
        "core.training.settings": ("Recipe", "TrainingSettings", "cosine"),
        "core.training.tasks.pictures": ("Classification", "Validation", "routing_information"),
    },
    "core.zoo": {"core.zoo.catalogue": ("folders",)},
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
