"""Computing on a Ray cluster: what ``app.services.measuring.computing`` asks for, sent to actors as plain data."""
