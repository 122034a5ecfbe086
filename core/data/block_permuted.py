"""Block-permuted MNIST (section 5.4 and A.2.4): a digit's four horizontal strips, rearranged by eight permutations."""

#: A digit of 28 x 28 pixels is cut into strips of 7 rows; a strip is a block.
STRIPS = 4
STRIP_ROWS = 7
BLOCK_SIZE = STRIP_ROWS * 28

#: Names of the input blocks: places, whichever strip lies there.
SLOTS = ("1st", "2nd", "3rd", "4th")

#: Which strip (0 is the top one) lies at each place. The first four and the last four are Latin squares: in each, every
#: strip is at every place exactly once, so twice in all.
PERMUTATIONS = (
    (0, 1, 2, 3),
    (1, 0, 3, 2),
    (2, 3, 0, 1),
    (3, 2, 1, 0),
    (0, 2, 3, 1),
    (1, 3, 2, 0),
    (2, 0, 1, 3),
    (3, 1, 0, 2),
)

#: The digit that training never shows under each permutation: none for the first four, which validation is about, and
#: one for each of the last four, which testing is about.
LEFT_OUT = (None, None, None, None, 2, 4, 7, 9)
