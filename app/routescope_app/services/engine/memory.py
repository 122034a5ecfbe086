"""Memory of the process: what was freed goes back to the system once work has ended.

glibc keeps freed memory for later, in arenas of which each few threads have one, and gives little of it back by itself.
One arena for all threads keeps less: it is asked for where this module is imported, which comes before the libraries
that start threads. A trim gives back what no arena uses, in some milliseconds. (To map every large block by itself,
which gives it back at once, makes networks run at half their speed.) Elsewhere than on glibc nothing of this is done.
"""

import asyncio
import ctypes
import gc
import time
from collections.abc import Callable
from typing import Any

#: ``mallopt``'s name for the greatest number of arenas (malloc.h).
M_ARENA_MAX = -8
ARENAS = 1
#: Seconds between two looks whether there was work since the last trim, and the processor's seconds that count as such.
LOOK_SECONDS = 15.0
WORK_SECONDS = 1.0


def _allocator() -> Any | None:
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
    except (OSError, TypeError):  # a system whose C library is found otherwise
        return None


def limit_arenas() -> bool:
    """Let the threads of this process share one arena; return whether the system supports that.

    Call it before the first thread allocates anything, as glibc counts processors only then.
    """
    library = _allocator()
    return library is not None and bool(library.mallopt(M_ARENA_MAX, ARENAS))


#: Whether one arena is all that there is.
LIMITED = limit_arenas()


def give_back() -> bool:
    """Collect garbage and return freed memory to the system; return whether there was any. Other threads continue."""
    gc.collect()
    library = _allocator()
    return library is not None and bool(library.malloc_trim(0))


async def give_back_after_work(
    forget: Callable[[], int], look_seconds: float = LOOK_SECONDS, work_seconds: float = WORK_SECONDS
) -> None:
    """Return memory after this process has worked or forgotten something; runs until cancelled.

    Args:
        forget: drops values that are unused for a while, and returns their number; called in a thread.
    """
    done = 0.0
    while True:
        await asyncio.sleep(look_seconds)
        gone = await asyncio.to_thread(forget)
        if gone or time.process_time() - done >= work_seconds:
            await asyncio.to_thread(give_back)
            done = time.process_time()
