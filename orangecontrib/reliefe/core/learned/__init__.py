"""Relief in a space that the ranking itself makes, and boosted margins: ours, built from the parts of the family.

    neighbours -> scores -> [rounds: weights -> weighted distance -> neighbours -> scores, of heavy features without it]
                                                    |
                     ranks of the values, classes ->    margins of the rows -> boosting -> a list, and where it ends

The weighted distance is a distance, the neighbours without a feature are means as any update takes them, the rounds
go around both, and boosting works on what the rows themselves say of the features, by their neighbours and by the means
of the classes over all rows.  `doc/learned.md` derives it.
"""
