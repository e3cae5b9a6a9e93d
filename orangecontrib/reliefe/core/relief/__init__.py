"""The engine of the Relief family.

score[f] = sum over pairs i < j of  V_ij * diff_f(i, j)

formats         : distances of rows and sums of weighted diffs, for each way in which data are stored
neighbourhoods  : which pairs of rows count, as lists or as weights of tiles
updates         : the weight V_ij of a pair in the scores
outputs, spread : what is added up while pairs go by
run             : one ranking, which drives these parts

Imports go back along this list only.  Neighbourhoods and updates declare what they require and offer
(`neighbourhoods.base`); a line of `methods/relief_family.py` joins them.
"""
