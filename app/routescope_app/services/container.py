"""All services of one process, built from its settings."""

import asyncio
import contextlib
import logging
from functools import partial

from routescope import zoo
from routescope_app.services.blocks.runs import BlockRuns
from routescope_app.services.blocks.tasks import BlockTasks
from routescope_app.services.cards import Cards
from routescope_app.services.circuits.answers import Answers
from routescope_app.services.circuits.designs import CircuitDesigns
from routescope_app.services.circuits.graphs import Graphs
from routescope_app.services.circuits.modules import Modules
from routescope_app.services.circuits.sentence_maps import SentenceMapWork
from routescope_app.services.cluster.remote import computing as computing_of
from routescope_app.services.engine import memory, recent
from routescope_app.services.engine.inference import Inference
from routescope_app.services.errors import Refusal
from routescope_app.services.folder_lock import FolderLock
from routescope_app.services.jobs.bucket_results import results_of
from routescope_app.services.jobs.jobs import Jobs
from routescope_app.services.jobs.unfinished import Unfinished
from routescope_app.services.jobs.work import Work
from routescope_app.services.logins import EndedLogins
from routescope_app.services.logs.logs import Logs
from routescope_app.services.measuring.behaviours import Behaviours
from routescope_app.services.measuring.evaluations import Evaluations
from routescope_app.services.measuring.importances import ImportanceWork
from routescope_app.services.measuring.loads import LoadWork
from routescope_app.services.measuring.maps import EmbeddingWork
from routescope_app.services.measuring.observations import ObservationWork
from routescope_app.services.measuring.pruned_models import PrunedModels
from routescope_app.services.measuring.prunings import PruningWork
from routescope_app.services.measuring.reproductions import ReproductionWork
from routescope_app.services.measuring.scope import Measuring
from routescope_app.services.measuring.score_store import ScoreStore
from routescope_app.services.measuring.scoring import Scoring
from routescope_app.services.measuring.usages import Usages
from routescope_app.services.samples.clearing import Clearing
from routescope_app.services.samples.decoding_pool import DecodingPool
from routescope_app.services.samples.gallery import SPLIT, Gallery
from routescope_app.services.samples.predictions import Predictions
from routescope_app.services.samples.samples import SampleStore
from routescope_app.services.samples.statements import StatementGallery
from routescope_app.services.samples.tables import Tables
from routescope_app.services.samples.uploads import Uploads
from routescope_app.services.samples.written import WrittenSamples
from routescope_app.services.snapshots import Snapshots
from routescope_app.services.storage.opening import storage_of
from routescope_app.services.store import Store
from routescope_app.services.sweeping import DAY, sweep
from routescope_app.services.traces.continuing import Continuations
from routescope_app.services.traces.traces import Traces
from routescope_app.services.unit_sets import UnitSets
from routescope_app.services.users import AccessTokens
from routescope_app.settings import Settings

log = logging.getLogger(__name__)


class Services:
    """All services that the routes use."""

    def __init__(self, settings: Settings) -> None:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.settings = settings
        self.store = store = Store(settings.database)
        self.lock = FolderLock(settings)
        self.tokens = AccessTokens(store)
        self.ended_logins = EndedLogins(store)
        self.storage = storage_of(settings)
        self.unit_sets = UnitSets(store, settings)
        self.snapshots = Snapshots(store, settings, self.unit_sets)

        self.inference = inference = Inference(settings)
        self.computing = computing_of(settings, inference)
        self.cards = Cards(inference)
        self.gallery = Gallery(inference, SPLIT, settings.data_dir / "cache" / "scores")
        self.decoding = DecodingPool(settings)
        written = WrittenSamples(store, settings, self.decoding)
        uploads = Uploads(store, settings, self.decoding, self.storage)
        self.predictions = Predictions(store, inference, uploads.image_of)
        self.samples = SampleStore(uploads, self.gallery, written, self.predictions)
        self.tables = Tables(self.gallery, inference, written)
        self.statements = StatementGallery(settings, self.gallery, self.samples)

        usages = Usages(inference, self.gallery)
        self.measuring = measuring = Measuring(
            settings, inference, self.gallery, usages, self.unit_sets, self.computing.where
        )
        scoring = Scoring(inference, ScoreStore(store, settings.disk_of("scores")), self.computing)
        self.evaluations = Evaluations(measuring, scoring)
        self.traces = Traces(settings, store, inference, self.samples, measuring.intervention)
        self.clearing = Clearing(store, uploads, written, self.predictions, self.traces.forget_samples)
        self.continuations = Continuations(inference, self.samples, measuring)
        self.logs = Logs(settings, inference, measuring.intervention, self.storage)
        self.graphs = Graphs(settings, inference)
        self.modules = Modules(self.graphs, self.traces, measuring, scoring)
        self.answers = Answers(inference, self.statements)
        self.designs = CircuitDesigns(settings, inference)
        self.block_tasks = BlockTasks(inference)
        self.block_runs = BlockRuns(settings, inference, self.samples, self.block_tasks)
        self.pruned_models = PrunedModels(settings)

        unfinished = Unfinished(self.storage)
        self.sentence_maps = SentenceMapWork(settings, inference)
        self.behaviours = Behaviours(measuring, inference, self.gallery, self.samples)
        self.reproductions = ReproductionWork(settings)
        self.prunings = PruningWork(measuring, scoring, inference)
        works: dict[str, Work] = {
            "importance": ImportanceWork(measuring, scoring, inference),
            "observation": ObservationWork(measuring, inference),
            "embedding": EmbeddingWork(settings, measuring, inference, self.computing, unfinished),
            "load": LoadWork(measuring, inference),
            "sentence_map": self.sentence_maps,
            "behaviour": self.behaviours,
            "pruning": self.prunings,
            "reproduction": self.reproductions,
        }
        self.jobs = Jobs(settings, store, works, results_of(settings, self.storage), unfinished)

    async def start(self) -> None:
        """Lock the folder, migrate the database and start the waiting jobs.

        Raises:
            FolderInUse: another server has the folder.
            OtherRevision: another version wrote the database, and this one cannot read it.
            StorageUnreachable: uploads and results cannot be stored.
            ClusterError: there is no Ray cluster at the address of the settings.
        """
        await asyncio.to_thread(self._open)
        await asyncio.to_thread(self.computing.open)
        await self.jobs.start()

    def _open(self) -> None:
        self.storage.check()
        self.lock.take()
        new = self.store.migrate()
        self.ended_logins.sweep()
        if self.lock.held:
            sweep(self.settings.data_dir, self.store, None if new else self.lock.before)
        else:  # another server may be writing what looks half done, unless that is old
            sweep(self.settings.data_dir, self.store, None, older=DAY)
        if self.settings.storage is not None and not new:
            self.clearing.uploads.sweep(older=DAY)

    async def stop(self) -> None:
        """Stop the jobs, which wait for the next start, and close everything."""
        await self.jobs.stop()
        await asyncio.to_thread(self.close)

    def forget_unused(self, seconds: float) -> int:
        """Free models, data sets and results unused for so many seconds; return their number.

        A later request loads or computes them again, in a fraction of a second.
        """
        gone = [recent.forget_unused(seconds), self.gallery.forget_unused(seconds)]
        gone += [pool.forget_unused(seconds) for pool in (self.decoding, self.logs.reading)]
        return sum(gone) + self.inference.forget_unused(seconds)

    async def warm_up(self) -> None:
        """Load galleries, score them with every model and draw graphs, so that nobody waits for that later.

        Weights and other values that load in hundredths of a second are freed again.
        """
        try:
            datasets = await asyncio.to_thread(self.gallery.datasets)
            for info in await asyncio.to_thread(self.inference.models):  # which begins to open folders
                if info.id in zoo.opened_configs():  # somebody's own, of whatever size: nobody asked for its scores
                    continue
                await self.inference.run(partial(self.inference.model, info))
                with contextlib.suppress(Refusal):  # too large, or without data sets here
                    if info.has_links:
                        await self.graphs.graph(info.id)
                with contextlib.suppress(Refusal):
                    await self.designs.prepare(info)
                with contextlib.suppress(Refusal):
                    for dataset in datasets:
                        if dataset.domain in info.domains:
                            await self.gallery.scores(info, dataset)
                    await self.evaluations.prepare(info.id)
            await asyncio.to_thread(self.gallery.forget_unused, 0)
            await asyncio.to_thread(self.inference.forget_unused, 0)
            await asyncio.to_thread(memory.give_back)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("warming up failed; everything is loaded when it is asked for")

    def close(self) -> None:
        self.decoding.close()
        self.logs.reading.close()
        self.graphs.close()
        self.traces.close()
        self.computing.close()
        self.inference.close()
        self.store.close()
        self.lock.release()
