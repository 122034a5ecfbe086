"""Where uploads and results lie: a folder of this machine, or a bucket that several machines share."""
