"""Few processes that decode pictures, each with a deadline and a limit of memory."""

from dataclasses import dataclass

from PIL import Image

from routescope.data.kinds.pictures import CODEC
from routescope_app.services.confined.pool import ConfinedPool, Ended, MemoryFull, PoolWork
from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.containers import PictureLimits
from routescope_app.services.samples.decoding_process import request
from routescope_app.settings import MEBIBYTE, Settings

#: Pictures that wait to be decoded; a client may have as many in hand as it leaves free for others.
MAX_WAITING = 32
#: Processor seconds that one picture may take to decode; the largest that are accepted take one.
CPU_SECONDS = 5
#: Seconds that one picture may take to decode, however busy the machine is.
SECONDS = 30.0
#: Memory of a process that decodes pictures; the largest pictures take up to 650 MB.
MEMORY_BYTES = 768 * MEBIBYTE

#: Of pictures that are samples.
LIMITS = PictureLimits(formats=CODEC.formats, accepted=CODEC.words)
_BANDS = {"RGB": 3, "RGBA": 4}


@dataclass(frozen=True)
class Clean:
    """A picture that was decoded, and the same as PNG."""

    picture: Image.Image
    png: bytes


class DecodingPool(ConfinedPool):
    """Decodes untrusted pictures."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            PoolWork(
                module="routescope_app.services.samples.decoding_process",
                name="pictures",
                doing="be decoded",
                memory=MEMORY_BYTES,
                processes=settings.concurrency,
                waiting=MAX_WAITING,
            )
        )

    def clean(self, content: bytes, limits: PictureLimits | None = None) -> Clean:
        """Return the first frame, upright, as RGB or RGBA; blocking.

        Args:
            limits: of formats and sizes; None: those of pictures that are samples.

        Raises:
            NotAccepted, TooLarge: what is wrong with the picture.
            Busy: no process could be started.
        """
        limits = limits or LIMITS
        wrong = f"The picture cannot be decoded; accepted are {limits.accepted}."
        try:
            head, body = self.ask(request(limits), content, CPU_SECONDS, SECONDS)
        except MemoryFull:
            raise TooLarge("The picture takes more memory to decode than one may; a smaller one is accepted.") from None
        except Ended as end:
            raise NotAccepted(
                f"The picture takes too long to decode; those that take up to {CPU_SECONDS} seconds are accepted."
                if end.late
                else wrong
            ) from None
        mode, size, split = head["mode"], (head["width"], head["height"]), head["png"]
        if len(body) - split != size[0] * size[1] * _BANDS[mode]:
            raise NotAccepted(wrong)
        return Clean(Image.frombytes(mode, size, body[split:]), body[:split])
