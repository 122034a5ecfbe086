"""What the page Paths asks of a model: units by names, ranges, rules and kept sets, as far as the model has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from routescope_app.api.client import ApiClient, ApiProblem
from routescope_app.api.schemas.catalogue import ModelInfo
from routescope_app.dashboard.validation import PathChoice, as_ranges, in_ranges, is_rule

MOST_SAID = 6  # units that a sentence names one by one
LONGEST = 1_000  # characters of a list of units in an address (LONGEST in lib/navigation/sets.js)
MOST_ASKED = 1_000  # units that a request names one by one


@dataclass(frozen=True)
class Asked:
    """An intervention as it is asked for.

    Attributes:
        choice: what the request names; a list that is too long is a set that is kept.
        said: the same as an address says it, by ``mute`` and ``drop``: rules stay rules.
        left_out: sentences on what of the address is not asked for.
    """

    choice: PathChoice
    said: dict[str, list[str]]
    left_out: list[str]


def fitting(choice: PathChoice, info: ModelInfo) -> PathChoice:
    """What of ``choice`` the model has, ranges of units as their units; rules as they are."""

    def known(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in in_ranges(info.units, names) if name in info.units or is_rule(name))

    edges = choice.edges if "link_probability" in info.constants else None
    top_k = choice.top_k if info.layers else None
    return choice.model_copy(
        update={"drop": known(choice.drop), "mute": known(choice.mute), "edges": edges, "top_k": top_k}
    )


def unfitting(choice: PathChoice, info: ModelInfo) -> list[str]:
    """What of ``choice`` is left out, as the model does not have it: to people."""
    asked = in_ranges(info.units, (*choice.mute, *choice.drop))
    names = [name for name in asked if name not in info.units and not is_rule(name)]
    more = f" and {len(names) - MOST_SAID} more" if len(names) > MOST_SAID else ""
    ends = f"{info.units[0]} to {info.units[-1]}" if info.units else "none"
    units = [f"{', '.join(names[:MOST_SAID])}{more} ignored here: units of {info.id} are {ends}."] if names else []
    linked = choice.edges is None or "link_probability" in info.constants
    routed = choice.top_k is None or bool(info.layers)
    return [
        *units,
        *([] if linked else [f'Units of {info.id} are not linked: "edges" is ignored.']),
        *([] if routed else [f'No token of {info.id} takes the best of many experts: "top_k" is ignored.']),
    ]


async def asked_of(client: ApiClient, info: ModelInfo, choice: PathChoice) -> Asked:
    """What of a choice is asked of a model; raises ApiProblem where the service does not answer."""
    left_out = unfitting(choice, info)
    choice = fitting(choice, info)
    asked: dict[str, tuple[str, ...]] = {}
    said: dict[str, list[str]] = {}
    for way, names in (("mute", choice.mute), ("drop", choice.drop)):
        plain = tuple(name for name in names if not is_rule(name))
        rules = list[str]()
        for rule in filter(is_rule, names):
            problem = await _refused(client, info, rule, way, choice.top_k)
            if problem is None:
                rules.append(rule)
            else:
                left_out.append(f'"{way}" is {rule}, ignored here. {problem}')
        parts = [*as_ranges(info.units, plain), *rules]
        long = len(",".join(parts)) > LONGEST
        kept = await client.keep_units(plain) if plain and (long or len(plain) > MOST_ASKED) else None
        asked[way] = (*(plain if kept is None else (kept,)), *rules)
        said[way] = parts if kept is None or not long else [kept, *rules]
    return Asked(choice.model_copy(update=asked), said, left_out)


async def _refused(client: ApiClient, info: ModelInfo, rule: str, way: str, top_k: int | None) -> str | None:
    """Why the model cannot be changed by a rule, in words; None where it can."""
    try:
        await client.named_units(info.id, [rule], kind=way, top_k=top_k)
    except ApiProblem as problem:
        if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
        return problem.detail
    return None
