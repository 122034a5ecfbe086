"""A few confined processes that decode pictures, each with a deadline and a memory limit."""

from dataclasses import asdict, dataclass

from PIL import Image

from routescope.data.kinds.pictures import CODEC
from routescope_app.services.confined.pool import ConfinedPool, Ended, MemoryFull, PoolWork
from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.decoding import PictureLimits
from routescope_app.settings import MEBIBYTE, Settings

#: Most waiting pictures; one client may take as many places as it leaves to others.
MAX_WAITING = 32
#: Processor seconds to decode one picture; the largest accepted pictures take one.
CPU_SECONDS = 5
#: Seconds to decode one picture, however busy the machine is.
SECONDS = 30.0
#: Memory of a decoding process; the largest pictures take up to 650 MB.
MEMORY_BYTES = 768 * MEBIBYTE

#: Limits of pictures that are samples.
LIMITS = PictureLimits(formats=CODEC.formats, accepted=CODEC.words)
_BANDS = {"RGB": 3, "RGBA": 4}


@dataclass(frozen=True)
class Clean:
    """A decoded picture, and the same as PNG."""

    picture: Image.Image
    png: bytes


class DecodingPool(ConfinedPool):
    """Decodes untrusted pictures."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            PoolWork(
                module="routescope_app.services.samples.decoding",
                name="pictures",
                doing="be decoded",
                memory=MEMORY_BYTES,
                processes=settings.concurrency,
                waiting=MAX_WAITING,
            )
        )

    def clean(self, content: bytes, limits: PictureLimits | None = None) -> Clean:
        """Return the first frame, upright, as RGB or RGBA; blocks.

        Args:
            limits: None: those of samples.

        Raises:
            NotAccepted, TooLarge: the picture is refused.
            Busy: no process could be started.
        """
        limits = limits or LIMITS
        wrong = f"The picture cannot be decoded; accepted are {limits.accepted}."
        try:
            head, body = self.ask({"limits": asdict(limits)}, content, CPU_SECONDS, SECONDS)
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
