"""The Relief family: distance x neighbourhood x update, over tiles of pairs.

The seam between the parts is the *tile*: a block of the upper triangle of all pairs of rows, made by a distance, passed
through Python, consumed by a neighbourhood that knows that a pair serves both of its rows:

    Features -> distance.tile -> [Sweep: threads, progress, stop] -> neighbourhood -> update -> sums

The update says what a pair weighs, the sums what that makes of each feature.  `recipes` joins the parts, one line per
algorithm.
"""
