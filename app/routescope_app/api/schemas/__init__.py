"""Requests and answers of the API, one module for each resource. All requests are bounded."""
