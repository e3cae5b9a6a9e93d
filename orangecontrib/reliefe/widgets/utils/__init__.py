"""Parts that the widgets share: the anatomy of a ranker and its parts."""
