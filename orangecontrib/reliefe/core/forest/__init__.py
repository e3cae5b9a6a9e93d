"""Forests of predictive clustering trees: every impurity is a squared distance.

    targets, features, weights -> ClusteringSpace    rows as points: |E| impurity(E) = sum of squared distances to
                                                     their mean
    features -> Columns                              a row of values and of ranks for each feature
    Forest -> grow -> Tree                           a tree is grown, scored, and dropped: its scores stay

So one kernel finds the tests for classes, numbers, label sets, hierarchies, without targets and with few of them.
"""
