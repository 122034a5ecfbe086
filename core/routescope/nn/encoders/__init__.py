"""What turns inputs into tokens: of pictures, sets and text, trained here or frozen."""
