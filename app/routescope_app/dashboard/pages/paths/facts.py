"""What the page Paths says of what it shows: sample and model, and the intervention that was recorded."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from dash import dcc, html

NAMED = 6  # units of an intervention that are named one by one


def caption(found: dict[str, Any] | None) -> list[Any]:
    """What is shown, beside the heading."""
    if not found or "sample" not in found:
        return []
    sample, trace = found["sample"], found["current"]
    parts: list[Any] = [html.Strong(sample["name"])]
    parts.append(sample["labelled"])
    if sample["stand_in"]:
        parts.append(html.Span("stand-in data", className="tag tag-warn"))
    if cut := left_out(trace):
        parts.append(html.Span(cut, className="tag tag-warn"))
    parts.append(html.Span([trace["model"], " ", html.Code(trace["revision"][:8])]))
    if {"types", "messages"} & {field["name"] for field in trace["fields"]}:
        query = {"model": trace["model"], "sample": sample["id"]}
        dropped = found["said"]["drop"]
        query |= {"drop": ",".join(dropped)} if dropped else {}
        parts.append(dcc.Link("on the type map", href=f"/types?{urlencode(query, safe=',')}", id="paths-to-types"))
    return [html.Span(part) for part in parts]


def left_out(trace: dict[str, Any]) -> str:
    """How much of a text the trace leaves out; "" where the whole text was read."""
    tokens, size = (_one(trace.get(name)) for name in ("tokens_left_out", "bytes_left_out"))
    if not tokens:
        return ""
    read = sum(token.get("text") != "" for token in trace["tokens"])
    return f"Text was cut to {read:,} tokens; {tokens:,} tokens ({size:,} bytes) are left out."


def _one(counts: Sequence[int] | int | None) -> int:
    """The count of the one sample of a trace; 0 without any."""
    if counts is None:
        return 0
    return counts if isinstance(counts, int) else sum(counts)


def kind(found: dict[str, Any] | None) -> str:
    """Whether the path is observed as it is, or under an intervention: the one that it was recorded under."""
    if not found:
        return "observed"
    changed = found["current"]["intervention"]

    def named(units: Sequence[str]) -> str:
        return ", ".join(units) if len(units) <= NAMED else f"{len(units)} units"

    parts = [f"{way} {named(changed[way])}" for way in ("mute", "drop") if changed[way]]
    parts += [f"{100 * changed['keep_edges']:.3g} % of the edges"] if changed["keep_edges"] is not None else []
    parts += [f"{taken} {'expert' if taken == 1 else 'experts'} a token"] if (taken := changed["top_k"]) else []
    if passes := changed["iterations"]:
        parts.append(f"{passes} {'layer' if found['layered'] else 'iteration'}{'' if passes == 1 else 's'}")
    return f"observed under: {'; '.join(parts)}" if parts else "observed"
