"""Bulk deletion of samples, all of one owner or all old ones, in small transactions that let others write."""

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
#: Samples deleted in one transaction.
AT_ONCE = 200
#: Seconds between two rounds of the deletion of old samples.
ROUND_SECONDS = 60.0


@dataclass(frozen=True)
class Clearing:
    """Deletes samples with their files, traces and predictions.

    Attributes:
        forget_traces: removes every trace of samples with these ids; blocks.
    """

    store: Store
    uploads: Uploads
    written: WrittenSamples
    predictions: Predictions
    forget_traces: Callable[[Collection[str]], None]

    def of_owner(self, owner: str | None) -> int:
        """Delete all samples of an owner (None: everybody's) and return their number; blocks."""
        return self._delete(SampleRow.owner.is_not_distinct_from(owner), WrittenRow.owner.is_not_distinct_from(owner))

    def older(self, days: float) -> int:
        """Delete samples older than ``days`` and return their number; blocks."""
        before = now() - timedelta(days=days)
        return self._delete(SampleRow.created < before, WrittenRow.created < before)

    def _delete(self, of_samples: ColumnElement[bool], of_written: ColumnElement[bool]) -> int:
        count = 0
        while rows := self.written.remove_where(of_written, AT_ONCE):
            self.forget_traces([row.id for row in rows])
            count += len(rows)
        while True:
            ids, images = self.uploads.delete_where(of_samples, AT_ONCE)
            self.predictions.forget(images)
            self.forget_traces(ids)
            count += len(ids)
            if len(ids) < AT_ONCE:
                return count

    async def keep_up(self, days: float) -> None:
        """Delete samples older than ``days`` (0: none) and shrink the database, in rounds until cancelled."""
        while True:
            try:
                if days and (count := await asyncio.to_thread(self.older, days)):
                    log.warning("deleted %d samples older than %g days", count, days)
                while await asyncio.to_thread(self.store.shrink):
                    await asyncio.sleep(0.05)  # a turn for other writers
            except Exception:
                log.exception("old samples could not be deleted, or the database could not be shrunk")
            await asyncio.sleep(ROUND_SECONDS)
