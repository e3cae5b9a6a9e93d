"""Updates: what a pair of neighbours means for the scores."""
