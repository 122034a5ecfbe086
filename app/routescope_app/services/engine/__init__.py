"""Where networks run: one device, a few threads in order of urgency, and what is kept in memory."""
