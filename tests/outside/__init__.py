"""What somebody else's package would hold: a network, a kind of input and a data set of their own."""
