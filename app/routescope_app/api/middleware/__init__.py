"""What a request passes before any route sees it: limits, shapes, security, forwarding."""
