"""Random sweeps: what is drawn, how a trial is trained and scored, and where trials run."""
