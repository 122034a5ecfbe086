"""Stores bundled networks as 8-bit integers: ``python scripts/store_as_integers.py NAME ... [--data NAME=SOURCE ...]``.

Every figure of a network's card is measured again; a network of which one leaves its interval stays as it is.
"""

import argparse
import sys

from routescope.assets import ASSETS
from routescope.data import DataError, parse_sources
from routescope.training.recipes.networks import RECIPES
from routescope.training.tasks.registry import TASKS
from routescope.zoo.cards import figures
from routescope.zoo.storing import NotAlike, store_as_integers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help="folders of assets/checkpoints")
    parser.add_argument(
        "--data", action="append", default=[], metavar="NAME=SOURCE", help="where real data of the cards are"
    )
    asked = parser.parse_args()
    failed = False
    for name in asked.names:
        try:
            kind = TASKS[RECIPES[name].data]
            stored = store_as_integers(ASSETS / "checkpoints" / name, parse_sources(asked.data), kind)["stored"]
        except (NotAlike, DataError) as error:
            failed = True
            sys.stderr.write(f"{error}\n")
            continue
        sys.stdout.write(f"{name}: {stored['bytes_before']:,} bytes, now {stored['bytes']:,}\n")
        for each in stored["figures"]:
            told = figures(each, "before", "low", "high", "now")
            sys.stdout.write("  {}: {} ({} to {}), now {}\n".format(each["what"], *told))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
