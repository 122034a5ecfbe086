"""What the service does, without knowing of HTTP: samples, galleries, traces, inference and the store."""
