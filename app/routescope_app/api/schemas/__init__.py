"""What goes in and out of the API, one module for each resource. Everything that comes in is bounded."""
