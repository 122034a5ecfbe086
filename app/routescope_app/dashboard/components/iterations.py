"""The field in which one says how many iterations a network runs; empty: as many as it was trained with."""

import dash_mantine_components as dmc

from routescope_app.dashboard.validation import OFFERED_ITERATIONS


def iterations_field(field_id: str, chosen: int | None) -> dmc.NumberInput:
    """The field, with what is chosen; it waits until typing rests."""
    return dmc.NumberInput(
        id=field_id,
        value=chosen or "",
        min=1,
        max=OFFERED_ITERATIONS,
        allowDecimal=False,
        clampBehavior="strict",
        placeholder="as trained",
        size="xs",
        w=96,
        debounce=250,
        **{"aria-label": "Number of iterations"},
    )
