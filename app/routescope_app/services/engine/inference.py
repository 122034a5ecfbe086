"""Runs networks: one device, a few threads, and a bounded queue in front of them."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import torch

from routescope import zoo
from routescope.nn import prepared
from routescope.nn.network import Network
from routescope.zoo import opened
from routescope.zoo.checkpoint import CheckpointError
from routescope_app.api.schemas.catalogue import LeftOut
from routescope_app.services import tracing
from routescope_app.services.engine.openings import Openings
from routescope_app.services.engine.threads import Priority, SharedThreads
from routescope_app.services.engine.turnstile import Turnstile
from routescope_app.services.errors import NotAccepted, NotFound, OutOfMemory, named_sentence
from routescope_app.settings import Settings

#: Work of requests that are answered at once, such as traces; 1 is one sample through all iterations.
MAX_COST = 64.0

T = TypeVar("T")
log = logging.getLogger(__name__)
#: Requests that one forward pass answers at most on a GPU, unless the setting says otherwise.
GPU_BATCH = 16
DAMAGED = "The checkpoint of this model is damaged and cannot be read."


@dataclass(frozen=True)
class Device:
    """Device and precision of the networks."""

    torch: torch.device
    precision: str

    @classmethod
    def choose(cls, name: str, precision: str) -> "Device":
        """Return the device of a name, for ``auto`` the GPU if there is one; raises ValueError for a missing device."""
        if name == "auto":
            name = "cuda" if torch.cuda.is_available() else "cpu"
        device = torch.device(name)
        if device.type not in {"cpu", "cuda"} or (device.type == "cuda" and not torch.cuda.is_available()):
            raise ValueError(f"device {name!r} is not on this machine; use auto or cpu")
        return cls(device, precision)

    def __str__(self) -> str:
        return f"{self.torch} {self.precision}"

    def together(self, most: int) -> int:
        """Largest number of requests in one forward pass: ``most``, or as suits the device if that is 0."""
        return most or (GPU_BATCH if self.torch.type == "cuda" else 1)

    @contextlib.contextmanager
    def computing(self) -> Iterator[None]:
        """A context without gradients, in the chosen precision."""
        reduced = self.precision == "bfloat16"
        with (
            torch.inference_mode(False),
            torch.no_grad(),
            torch.autocast(self.torch.type, torch.bfloat16, enabled=reduced),
        ):
            yield


class Inference:
    """Runs networks outside the event loop, with one bounded queue.

    Cost is counted in samples through all configured iterations of a model.
    """

    def __init__(self, settings: Settings) -> None:
        self.device = Device.choose(settings.device, settings.precision)
        self._threads = SharedThreads(settings.inference_workers, "inference")
        self.patience = settings.queue_seconds
        self._turns = Turnstile(MAX_COST, self.patience, "Many requests are being computed")
        zoo.keep_at_most(settings.memory_of("models"))
        context, stride = settings.opened_context, settings.opened_stride
        opened.use(settings.model_folders, settings.opened_model_bytes, context, stride, settings.opening_seconds)
        self._openings = Openings(settings.queue_seconds)
        for folder in opened.without_models():
            log.warning("%s names %s: there is no config.json, nor in a folder of it", opened.VARIABLE, folder)
        prepared.keep_at_most(settings.memory_of("prepared-weights"))
        if settings.torch_threads:
            torch.set_num_threads(settings.torch_threads)

    # -- models ----------------------------------------------------------------------------------------------

    def models(self) -> list[zoo.ModelInfo]:
        """All models that are ready; see ``listed``."""
        return self.listed()[0]

    def listed(self, *, wait: bool = True) -> tuple[list[zoo.ModelInfo], list[LeftOut]]:
        """All models that are ready, by name, and those that are not, with the reason.

        A damaged checkpoint is left out and logged. Folders of users are opened in their own threads.

        Args:
            wait: seconds to wait for folders whose opening has just begun.
        """
        ready, left_out = self._openings.listed(wait)
        folders = zoo.opened_configs()
        for model_id in zoo.ids():
            if model_id in folders:
                continue
            try:
                ready.append(zoo.info(model_id))
            except (CheckpointError, zoo.UnknownModel) as error:
                log.warning("model %s is left out: %s", model_id, error)
                left_out.append(LeftOut(model=model_id, reason=DAMAGED, opening=False))
        return sorted(ready, key=lambda info: info.id), left_out

    def info(self, model_id: str) -> zoo.ModelInfo:
        """Facts about a model; raises NotFound, and Busy while a folder is being opened."""
        config = zoo.opened_configs().get(model_id)
        try:
            return zoo.info(model_id) if config is None else self._openings.info(model_id, config)
        except zoo.UnknownModel as error:
            raise NotFound(f"There is no such model; there are: {', '.join(zoo.ids()) or 'none'}.") from error
        except CheckpointError as error:
            if config is not None:
                raise NotFound(f"This model cannot be opened: {named_sentence(error)}") from error
            log.warning("model %s cannot be read: %s", model_id, error)
            raise NotFound(DAMAGED) from error

    def model(self, info: zoo.ModelInfo) -> Network:
        """Return the shared model, never to be changed; raises NotFound if it is gone, or has another revision."""
        try:
            model = zoo.load(info.id)
        except (CheckpointError, zoo.UnknownModel) as error:
            raise NotFound("This model is no longer there.") from error
        if model.revision != info.revision:
            raise NotFound("This model was replaced meanwhile; ask again.")
        return model if self.device.torch.type == "cpu" else model.to(self.device.torch)

    @staticmethod
    def forget_unused(seconds: float) -> int:
        """Forget weights, and what networks prepared of them, unused for so many seconds; return their number."""
        return prepared.forget_unused(seconds) + zoo.forget_unused(seconds)

    @property
    def waiting(self) -> int:
        """Number of requests that wait for their turn."""
        return self._turns.waiting

    # -- work ------------------------------------------------------------------------------------------------

    async def run(
        self,
        work: Callable[[], T],
        cost: float = 0.0,
        priority: Priority = Priority.TRACE,
        admitted: Callable[[], None] | None = None,
    ) -> T:
        """Run ``work`` in an inference thread.

        Args:
            cost: of the work; 0 is always admitted, for work that bounds itself.
            priority: kind of work; long work comes in pieces, so that others run between them.
            admitted: called once the work is admitted, before it is queued.

        Raises:
            Busy: it did not get its turn in time.
            OutOfMemory: the memory of the device did not suffice; a later request may succeed.
            NotAccepted: the work costs more than is ever admitted.
        """
        if cost > MAX_COST:
            raise NotAccepted("This asks for more work than one request may; ask for fewer iterations or fields.")
        ticket = await self._turns.enter(cost)
        loop = asyncio.get_running_loop()

        def left(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._turns.leave, ticket)

        try:
            if admitted is not None:
                admitted()
            piece = tracing.carried("networks", partial(self.guarded, work), kind=priority.name.lower(), cost=cost)
            future = self._threads.submit(piece, priority)
        except BaseException:
            self._turns.leave(ticket)
            raise
        if cost:  # When the work ends, not when somebody stops waiting for it: a client that leaves frees no room.
            future.add_done_callback(left)
        return await asyncio.wrap_future(future)

    def wait(self, work: Callable[[], T], priority: Priority) -> T:
        """Run ``work``, which bounds itself, in an inference thread, while the calling thread waits."""
        piece = tracing.carried("networks", partial(self.guarded, work), kind=priority.name.lower())
        return self._threads.submit(piece, priority).result()

    def guarded(self, work: Callable[[], T]) -> T:
        """Run ``work`` in this inference thread; raises OutOfMemory if memory does not suffice."""
        try:
            with self.device.computing():
                return work()
        except MemoryError as error:
            raise self._out_of_memory() from error
        except RuntimeError as error:
            # torch.OutOfMemoryError is a RuntimeError; the processor's allocator raises a plain one
            if isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error):
                if self.device.torch.type == "cuda":
                    torch.cuda.empty_cache()
                raise self._out_of_memory() from error
            raise

    def _out_of_memory(self) -> OutOfMemory:
        return OutOfMemory("The memory did not suffice just now; please ask again in a moment.")

    def close(self) -> None:
        self._threads.shutdown()
