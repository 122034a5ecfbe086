"""The services behind the routes, without HTTP: samples, galleries, traces, inference and the store."""
