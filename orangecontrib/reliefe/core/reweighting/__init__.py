"""Re-weighting: the scores of features weigh them in the distance, which gives the next scores."""
