"""The Neural Interpreter: tokens are typed and routed through functions.

*Dynamic Inference with Neural Interpreters* (Rahaman, Gondal, Joshi, Gehler, Bengio, Locatello,
Schölkopf, NeurIPS 2021), Equations 1 to 14. Where the paper is ambiguous:

* Equation 3 keeps an element where the distance d <= tau (the printed sign is a slip).
* Equation 7 divides by the sum over j; eps stands in Equations 3 and 7 only, LayerNorms keep 1e-5.
* Equation 11 has three readings, ``residual``: ``"printed"``, y = x + sum_u C_u LOC(x);
  ``"none"``, y = sum_u C_u LOC(x); ``"passthrough"``, y = x + sum_u C_u (LOC(x) - x), which equals
  ``"none"`` where C sums to 1 and leaves unmatched elements as they are.

Not verified here: the paper's accuracies at its full settings. Verified against the authors' own
implementation on random weights: the bare interpreter without relative positions.

Symbols: B samples, V tokens, U functions, C channels. The state inside a script is (U, B, V, C).
"""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, cast

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.encoders.numbers import NumbersTokenizer
from routescope.nn.encoders.pictures import TOKENIZERS
from routescope.nn.inputs.numbers import Numbers, variable_names
from routescope.nn.inputs.pictures import Pictures
from routescope.nn.inputs.sets import Sets
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.interpreter.script import InterpreterProbes, PreparedScript, Script
from routescope.nn.measures import R2
from routescope.nn.network import (
    CHUNK_TOKENS,
    NUMBER_AXES,
    AdaptableNetwork,
    ExtensibleNetwork,
    Head,
    Named,
    RedrawableNetwork,
)
from routescope.nn.prepared import PreparedWeights
from routescope.nn.registry import register

__all__ = ["NeuralInterpreter", "NeuralInterpreterConfig"]


class InterpreterStack(RedrawableNetwork, ExtensibleNetwork):
    """A stack of scripts (Equation 1) on sets of tokens that have one CLS token and head per domain.

    A subclass may replace ``tokenizer`` and ``heads``.

    Args:
        config: every size; see ``NeuralInterpreterConfig``.
    """

    unit_kind = "function"
    chunk_tokens = CHUNK_TOKENS
    config: NeuralInterpreterConfig
    probes: InterpreterProbes
    tokenizer: Any

    def __init__(self, config: NeuralInterpreterConfig) -> None:
        super().__init__()
        self.config = config
        C = config.features
        self.tokenizer = None
        if config.tokenizer == "numbers":
            self.tokenizer = NumbersTokenizer(config.numbers, C)
        elif config.tokenizer is not None:
            self.tokenizer = TOKENIZERS[config.tokenizer](config.image_channels, config.patch_size, C)
        if self.tokenizer is not None and config.frozen_patch_embeddings:
            self.tokenizer.requires_grad_(False)
        self.cls = nn.Parameter(torch.randn(len(config.domains), C))
        self.scripts = nn.ModuleList(Script(config) for _ in range(config.scripts))
        heads = 1 if config.shared_head else len(config.domains)
        self.heads = nn.ModuleList(nn.Sequential(nn.LayerNorm(C), nn.Linear(C, config.classes)) for _ in range(heads))
        self.probes = InterpreterProbes()
        self._prepared: PreparedWeights[tuple[PreparedScript, ...]] = PreparedWeights()
        self.keep_all()

    @property
    def stack(self) -> tuple[Script, ...]:
        """The scripts, first to last."""
        return tuple(cast(Script, script) for script in self.scripts)

    # -- names ---------------------------------------------------------------------------------------------

    def _unit(self, script: int, function: int) -> str:
        return f"f{function + 1}" if self.config.scripts == 1 else f"s{script + 1}.f{function + 1}"

    @property
    def all_units(self) -> tuple[str, ...]:
        return tuple(self._unit(s, u) for s in range(self.config.scripts) for u in range(self.config.functions))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        U = range(self.config.functions)
        return {f"s{s + 1}": tuple(self._unit(s, u) for u in U) for s in range(self.config.scripts)}

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the steps of a run with so many function iterations per script."""
        prefixes = [""] if self.config.scripts == 1 else [f"s{s + 1}." for s in range(self.config.scripts)]
        return tuple(f"{prefix}i{i + 1}" for prefix in prefixes for i in range(iterations))

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace; with several scripts, a unit is named by its place in its script."""
        labels = () if self.config.target_means else tuple(str(label) for label in range(self.config.classes))
        functions = tuple(f"f{u + 1}" for u in range(self.config.functions))
        tokens = self.tokens
        return {
            "unit": functions,
            "token": tokens,
            "query": tokens,
            "key": tokens,
            "domain": self.config.domains,
            "label": labels,
        }

    def constants(self) -> Named:
        scripts = self.stack
        everything = range(self.config.functions)
        return {
            "signatures": (
                ("script", "unit", "type_feature"),
                torch.stack([F.normalize(script.signatures, dim=-1) for script in scripts]),
            ),
            "sigma": (("script",), torch.stack([script.sigma for script in scripts])),
            "kept": (("script", "unit"), torch.tensor([[u in s.kept for u in everything] for s in scripts])),
            "muted": (("script", "unit"), torch.tensor([[u in s.muted for u in everything] for s in scripts])),
        }

    def attributes(self) -> dict[str, float | str]:
        return {"tau": self.config.tau, "residual": self.config.residual}

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """Places, in its script, of the functions that compute at one of ``steps`` steps."""
        return self.stack[step * self.config.scripts // steps].sounding

    # -- views ---------------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Let every script have the functions that take part; prepared weights are found by all views."""
        U = self.config.functions
        self.scripts = nn.ModuleList(
            script.view(
                [place - s * U for place in self.kept if place // U == s],
                frozenset(place - s * U for place in self.silent if place // U == s),
            )
            for s, script in enumerate(self.stack)
        )

    def add_functions(self, new: int | Sequence[tuple[Float[Tensor, "n d_type"], Float[Tensor, "n d_cond"]]]) -> Self:
        """A model with more functions in every script; signatures and codes are its own, all else is shared.

        Args:
            new: how many to draw from a standard normal, or one (signatures, codes) pair a script.
        """
        scripts, count, U = [], 0, self.config.functions
        for s, script in enumerate(self.stack):
            if isinstance(new, int):
                signatures = torch.randn(new, self.config.type_features).to(script.signatures)
                codes = torch.randn(new, self.config.code_features).to(script.codes)
            else:
                signatures, codes = new[s]
            count = len(codes)
            wider = script.view(script.kept, script.muted)
            wider._parameters = dict(script._parameters)
            for name, old, rows in (("signatures", script.signatures, signatures), ("codes", script.codes, codes)):
                both = torch.cat((old.detach(), rows.to(old)))
                wider._parameters[name] = nn.Parameter(both, requires_grad=old.requires_grad)
            scripts.append(wider)
        config = replace(self.config, functions=U + count)
        for script in scripts:
            script.config = config
        added = range(U, U + count)
        kept = [s * (U + count) + u for s, script in enumerate(scripts) for u in (*script.kept, *added)]
        silent = frozenset(s * (U + count) + u for s, script in enumerate(scripts) for u in script.muted)
        return self.with_changes(config=config, scripts=nn.ModuleList(scripts), kept=tuple(kept), silent=silent)

    def with_initial_routing(self, seed: int = 0) -> Self:
        """A copy that shares no parameter, with its routing drawn from ``seed`` and all else as it is.

        Drawn are type inference, sigma and, unless ``config.frozen_signatures``, signatures, as at initialisation.
        """
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            fresh = type(self)(self.config)
        initial = copy.deepcopy(self)
        parts = ("type_inference.", "sigma", *(() if self.config.frozen_signatures else ("signatures",)))
        for script, drawn in zip(initial.stack, fresh.stack, strict=True):
            state = {name: value for name, value in drawn.state_dict().items() if name.startswith(parts)}
            script.load_state_dict(state, strict=False)
        return initial

    def with_initial_functions(self, seed: int = 0) -> Self:
        """A copy that shares no parameter, with the signatures and codes of all functions drawn from ``seed``."""
        drawn = copy.deepcopy(self)
        with torch.random.fork_rng(), torch.no_grad():
            torch.manual_seed(seed)
            for script in drawn.stack:
                for rows in (script.signatures, script.codes):
                    rows.copy_(torch.randn(rows.shape))
        return drawn

    # -- computing -----------------------------------------------------------------------------------------

    def prepare(self) -> tuple[PreparedScript, ...]:
        """Everything that depends on parameters alone. Kept in evaluation until a parameter changes."""
        if self.training or torch.is_grad_enabled():
            return tuple(script.prepare() for script in self.stack)
        parameters = list(self.scripts.parameters())
        if any(p.is_inference() for p in parameters):  # these do not tell when they change
            return tuple(script.prepare() for script in self.stack)
        taking_part = tuple((script.kept, script.muted) for script in self.stack)
        return self._prepared.find(parameters, taking_part, lambda _: tuple(script.prepare() for script in self.stack))

    def interpret(
        self, x: Float[Tensor, "B V C"], iterations: int | None = None, outputs: int | None = None
    ) -> Float[Tensor, "B Q C"]:
        """Equations 1 and 14: iterate every script on a set of tokens; raises ValueError for negative iterations.

        Args:
            iterations: function iterations per script; the configured number when None, 0 or more.
            outputs: how many leading tokens are needed; the last step saves the work of the others.
        """
        iterations = self.config.iterations if iterations is None else iterations
        if iterations < 0:
            raise ValueError(f"iterations must be 0 or more, not {iterations}")
        prepared, last = self.prepare(), len(self.scripts) * iterations - 1
        for s, (script, ready) in enumerate(zip(self.stack, prepared, strict=True)):
            for i in range(iterations):
                index = s * iterations + i
                x = script.step(x, ready, self.probes, index, outputs if index == last else None)
        return x[:, :outputs]


@register("neural_interpreter", family="Neural Interpreter", config=NeuralInterpreterConfig)
class NeuralInterpreter(AdaptableNetwork, InterpreterStack):
    """A stack of scripts (Equation 1) between a tokenizer and one CLS token and head per domain."""

    Config = NeuralInterpreterConfig
    kinds = (Pictures, Numbers, Sets)

    @property
    def inputs(self) -> type[Pictures] | type[Numbers] | type[Sets]:
        """Pictures, or numbers, or sets of tokens where no tokenizer makes them."""
        if self.config.tokenizer is None:
            return Sets
        return Numbers if self.config.tokenizer == "numbers" else Pictures

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: CLS tokens first, then patches row by row, or variables."""
        rows, columns = self.config.grid
        if self.config.tokenizer == "numbers":
            read = tuple(f"number:{name}" for name in variable_names(columns))
        else:
            read = tuple(f"patch:{r},{c}" for r in range(rows) for c in range(columns))
        return tuple(f"cls:{d}" for d in self.config.domains) + read

    @property
    def all_heads(self) -> tuple[Head, ...]:
        """Return one head for each domain: for its labels, or for a number that R2 scores."""
        if not self.config.target_means:
            return super().all_heads
        pairs = zip(self.config.domains, self.config.target_means, strict=True)
        return tuple(Head(domain, (), R2(mean)) for domain, mean in pairs)

    @property
    def answer_name(self) -> str:
        return "numbers" if self.config.target_means else super().answer_name

    @property
    def answer_axes(self) -> tuple[str, ...]:
        return NUMBER_AXES if self.config.target_means else super().answer_axes

    def with_heads(self, domains: Sequence[str], classes: int, target_means: Sequence[float] = ()) -> Self:
        """A copy that shares no parameter, with a new CLS token and head for each of these domains in place of its own.

        They are drawn, as at initialisation, from torch's global generator; a head that all CLS tokens share stays.
        Parameters are frozen as ``config`` says.

        Args:
            target_means: of heads that answer with a number, the mean of each domain's target.
        """
        changed = replace(self.config, domains=tuple(domains), classes=classes, target_means=tuple(target_means))
        adapted = type(self)(changed).to(self.cls)
        drawn = ("cls",) if self.config.shared_head else ("cls", "heads.")
        learned = {name: value for name, value in self.state_dict().items() if not name.startswith(drawn)}
        adapted.load_state_dict(learned, strict=False)
        return adapted.with_changes(kept=self.kept, silent=self.silent).train(self.training)

    def parts(self) -> dict[str, tuple[nn.Parameter, ...]]:
        """CLS tokens, heads, what makes tokens, and what scripts are made of (Section 2), each with its parameters."""
        scripts = self.stack
        return {
            "cls": (self.cls,),
            "heads": tuple(self.heads.parameters()),
            "tokens": () if self.tokenizer is None else tuple(self.tokenizer.parameters()),
            "signatures": tuple(script.signatures for script in scripts),
            "codes": tuple(script.codes for script in scripts),
            "type inference": tuple(p for s in scripts for p in (*s.type_inference.parameters(), s.sigma)),
            "interpreter": tuple(p for script in scripts for p in script.locs.parameters()),
        }

    def tokenize(self, values: Float[Tensor, "B *sample"]) -> Float[Tensor, "B V C"]:
        """Return CLS tokens, one a domain, then embedded patches or numbers; raises ValueError without a tokenizer."""
        if self.tokenizer is None:
            raise ValueError("this model reads sets of tokens: use interpret()")
        read = self.tokenizer(values)
        return torch.cat((self.cls.to(read.dtype).expand(len(values), -1, -1), read), dim=1)

    def forward(
        self, inputs: Float[Tensor, "B *sample"] | Pictures | Numbers, iterations: int | None = None
    ) -> Float[Tensor, "B D classes"]:
        """The answer of every domain's head from its CLS token: logits, or a number. Values are in [0, 1]."""
        values = inputs.values if isinstance(inputs, Pictures | Numbers) else inputs
        chunk = len(values) if self.training else self.rows_at_once()
        if len(values) <= chunk:
            return self._answer(values, iterations)
        return torch.cat([self._answer(part, iterations) for part in values.split(chunk)])

    def _answer(self, values: Float[Tensor, "B *sample"], iterations: int | None) -> Float[Tensor, "B D classes"]:
        x = self.interpret(self.tokenize(values), iterations, outputs=len(self.config.domains))
        if self.config.shared_head:
            answers: Tensor = self.heads[0](x)
            return answers
        return torch.stack([head(x[:, d]) for d, head in enumerate(self.heads)], dim=1)

    def example(self, batch: int) -> Pictures | Numbers:
        """Black pictures, or zeros: to count operations with."""
        if self.config.tokenizer == "numbers":
            return Numbers(torch.zeros(batch, self.config.numbers, device=self.device))
        side, channels = self.config.image_size, self.config.image_channels
        return Pictures(torch.zeros(batch, channels, side, side, device=self.device))
