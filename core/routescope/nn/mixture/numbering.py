"""Numbers of experts in arrays, without any library, so that readers of routing logs can start fast."""

#: Place of an expert that a token did not take, where it takes fewer than others.
NO_EXPERT = -1
