"""One ensemble of trees behind several rankings."""
