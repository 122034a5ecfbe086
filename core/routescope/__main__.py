"""``python -m routescope`` runs the program ``routescope``."""

from routescope.cli import main

main()
