"""The Relief family: distance x neighbourhood x update, over tiles of pairs.

The seam between the parts is the *tile*: a block of the upper triangle of all pairs of rows, made by a distance, passed
through Python, consumed by a neighbourhood that knows that a pair serves both of its rows:

    Features -> distances -> sweep -> pairs -> neighbourhood: neighbours, adaptive -> lists   ]
                                               neighbourhood: thresholds, sigmoid  -> tiles   ]-> scoring -> run
                                      relation of the target <- update: updates               ]

Arrows are what is passed on, and imports only go back along them: a neighbourhood produces lists of neighbours, or
weights of tiles, and knows no update; the update says what they mean; `scoring` adds up (by `sums`, `row_means`,
`sparse`); the run asks all of them.  Parts declare what they require and offer (`composition`).  One line of
`methods/relief_family.py` joins them for each algorithm.
"""
