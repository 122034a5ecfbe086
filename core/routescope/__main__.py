"""``python -m routescope`` runs the program ``routescope``."""

from routescope.cli import main

if __name__ == "__main__":
    main()
