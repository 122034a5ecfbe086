"""Statements about pictures: scenes, what sentences mean, generated sets, NLVR."""
