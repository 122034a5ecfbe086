"""The routes of the API, one file for each resource; those of mixtures of experts have a folder."""
