"""Encoders from inputs to tokens: of pictures, sets and text, trained here or frozen."""
