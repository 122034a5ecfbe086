"""Few processes that decode pictures, each with a deadline and a limit of memory."""

from dataclasses import dataclass

from PIL import Image

from routescope.nn.inputs.pictures import FILES
from routescope_app.services.confined.pool import ConfinedPool, Ended, MemoryFull, PoolWork
from routescope_app.services.errors import NotAccepted, TooLarge
from routescope_app.services.samples.containers import PictureLimits
from routescope_app.services.samples.decoding_process import request
from routescope_app.settings import Settings

_BANDS = {"RGB": 3, "RGBA": 4}


def limits_of(settings: Settings) -> PictureLimits:
    """The limits that the settings give."""
    return PictureLimits(
        max_pixels=settings.max_pixels,
        min_side=settings.min_side,
        max_side=settings.max_side,
        max_aspect=settings.max_aspect,
        max_frames=settings.max_frames,
        max_scans=settings.max_scans,
        max_kept_side=settings.max_kept_side,
        formats=FILES.formats,
        accepted=FILES.words,
    )


@dataclass(frozen=True)
class Clean:
    """A picture that was decoded, and the same as PNG."""

    picture: Image.Image
    png: bytes


class DecodingPool(ConfinedPool):
    """Decodes untrusted pictures.

    Attributes:
        limits: of pictures that are samples.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            PoolWork(
                module="routescope_app.services.samples.decoding_process",
                name="pictures",
                doing="be decoded",
                memory=settings.decode_memory_bytes,
                processes=settings.max_concurrent_decodes,
                waiting=settings.max_waiting_decodes,
                retry_after=settings.retry_after_seconds,
            )
        )
        self._settings = settings
        self.limits = limits_of(settings)

    def clean(self, content: bytes, limits: PictureLimits | None = None) -> Clean:
        """Return the first frame, upright, as RGB or RGBA; blocking.

        Args:
            limits: of formats and sizes; None: those of pictures that are samples.

        Raises:
            NotAccepted, TooLarge: what is wrong with the picture.
            Busy: no process could be started.
        """
        limits, most = limits or self.limits, self._settings
        wrong = f"The picture cannot be decoded; accepted are {limits.accepted}."
        try:
            head, body = self.ask(request(limits), content, most.decode_cpu_seconds, most.decode_seconds)
        except MemoryFull:
            raise TooLarge("The picture takes more memory to decode than one may; a smaller one is accepted.") from None
        except Ended as end:
            raise NotAccepted(
                "The picture takes too long to decode; those that take up to "
                f"{most.decode_cpu_seconds} seconds are accepted."
                if end.late
                else wrong
            ) from None
        mode, size, split = head["mode"], (head["width"], head["height"]), head["png"]
        if len(body) - split != size[0] * size[1] * _BANDS[mode]:
            raise NotAccepted(wrong)
        return Clean(Image.frombytes(mode, size, body[split:]), body[:split])
