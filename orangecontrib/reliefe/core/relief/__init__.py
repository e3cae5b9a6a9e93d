"""The engine of the Relief family.

score[f] = sum over pairs i < j of  V_ij * diff_f(i, j)
           ^ outputs              ^ neighbourhoods, updates, targets     ^ forms

A form makes tiles of distances, a neighbourhood chooses pairs among them, as lists or as weights of tiles, an update
gives them their weights, and `scoring` adds up.  Imports go back along that way only.  Neighbourhoods and updates
declare what they require and offer (`neighbourhoods.base`); a line of `methods/relief_family.py` joins them.
"""
