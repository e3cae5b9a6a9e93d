"""The engine of the Relief family.

score[f] = sum over pairs i < j of  V_ij * diff_f(i, j)

formats         : distances of rows and sums of weighted diffs, for each way in which data are stored
neighbourhoods  : which pairs of rows count, as lists or as weights of tiles
updates         : the weight of a pair in the scores; V_ij is that of j as a neighbour of i, and the reverse, together
outputs         : what is added up while pairs go by; weight_sums and diff_moments make p-values of it
comparison      : how rows are compared: table, missing values, distance
run             : one ranking: rows in order, features, distances, target and update
channel_sums    : sums over lists of neighbours in each channel of an update
balance         : both parts of an update vary equally much
scoring         : from a run and a neighbourhood to scores; standard_errors are those of partial rankings
diagnostics     : facts about a run and its scores; growing_lists and additive_sums are for partial rankings
many_targets    : many targets of the same rows, by shared_lists (with cut_lists) and shared_zones
every_k         : scores for every number of neighbours, by places, sums_by_place and weight_sums_by_k

Imports go back along this list only.  Neighbourhoods and updates declare what they require and offer
(`neighbourhoods.base`); a line of `methods/relief_family.py` joins them.
"""
