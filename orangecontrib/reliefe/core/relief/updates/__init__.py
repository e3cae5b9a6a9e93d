"""Updates: weights of pairs of neighbours in the scores."""
