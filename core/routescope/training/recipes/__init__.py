"""What ``routescope train`` knows: networks of a size, with how they are trained and on what."""
