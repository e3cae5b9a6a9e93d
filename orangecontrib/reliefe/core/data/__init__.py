"""Input of rankings: features and targets, in whatever form they come."""
