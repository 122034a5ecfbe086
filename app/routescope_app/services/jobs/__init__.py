"""Jobs: work that goes on when nobody waits for it, and what it leaves."""
