"""Storage of uploads and results: a folder of this machine, or a bucket that several machines share."""
