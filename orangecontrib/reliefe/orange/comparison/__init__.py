"""Rankings of the same features side by side: gathering, evaluation, statistics."""
