"""Many samples deleted at once: all of an owner, or those that have become old; in pieces, so that others get on."""

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement

from routescope_app.services.samples.predictions import Predictions
from routescope_app.services.samples.uploads import Uploads
from routescope_app.services.samples.written import WrittenSamples
from routescope_app.services.store import SampleRow, Store, WrittenRow, now

log = logging.getLogger(__name__)
#: Samples that are deleted in one transaction.
AT_ONCE = 200
#: Seconds between two rounds of what is done by itself.
ROUND_SECONDS = 60.0


@dataclass(frozen=True)
class Clearing:
    """Deletes samples with all that hangs on them: files, traces, predictions.

    Attributes:
        forget_traces: removes every trace of samples with these ids; blocking.
    """

    store: Store
    uploads: Uploads
    written: WrittenSamples
    predictions: Predictions
    forget_traces: Callable[[Collection[str]], None]

    def of_owner(self, owner: str | None) -> int:
        """Delete all of an owner, or all that is everybody's; how many. Blocking."""
        return self._delete(SampleRow.owner.is_not_distinct_from(owner), WrittenRow.owner.is_not_distinct_from(owner))

    def older(self, days: float) -> int:
        """Delete what was brought longer ago than so many days; how many. Blocking."""
        before = now() - timedelta(days=days)
        return self._delete(SampleRow.created < before, WrittenRow.created < before)

    def _delete(self, of_samples: ColumnElement[bool], of_written: ColumnElement[bool]) -> int:
        count = 0
        while ids := self.written.delete_where(of_written, AT_ONCE):
            self.forget_traces(ids)
            count += len(ids)
        while True:
            ids, images = self.uploads.delete_where(of_samples, AT_ONCE)
            self.predictions.forget(images)
            self.forget_traces(ids)
            count += len(ids)
            if len(ids) < AT_ONCE:
                return count

    async def keep_up(self, days: float) -> None:
        """Delete what has become old, and give room of the database back, again and again until cancelled.

        Args:
            days: that samples are kept; 0: until somebody deletes them.
        """
        while True:
            try:
                if days and (count := await asyncio.to_thread(self.older, days)):
                    log.warning("%d samples were deleted that had been brought %g days ago", count, days)
                while await asyncio.to_thread(self.store.shrink):
                    await asyncio.sleep(0.05)  # who writes gets a turn
            except Exception:
                log.exception("what has become old could not be deleted, or the database not made smaller")
            await asyncio.sleep(ROUND_SECONDS)
