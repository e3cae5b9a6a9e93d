"""Structure of the rows without a target: graphs of nearest rows, smoothness of features on them, and regressions.

`methods/graph_filters.py`, `methods/agnos.py` and `inference/partners.py` use this room.
"""
