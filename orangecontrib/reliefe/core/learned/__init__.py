"""Learned-Space Relief and Boosted Relief: methods of this project, built from the parts of the Relief family.

    neighbours -> scores -> [rounds: weights -> weighted distance -> neighbours -> scores; heavy features are left out
                             of the distance when they are scored]
                                                    |
                     midranks, classes  ->  margins of the rows  ->  boosting  ->  ranked features, stopping point

A round searches for neighbours by a distance that the last scores weight.  Boosting works on margins: one number for
each row and feature, from the neighbours of the row and, in the global part, from the means of the classes over all
rows.  `methods/learned.py` calls both.  `doc/learned.md` derives them.
"""
