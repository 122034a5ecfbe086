"""Samples: those of data sets, uploaded and drawn ones, statements about pictures."""
