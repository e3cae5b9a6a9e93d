"""Studies: covariates, times with censoring, rows that belong together, and orders that keep what these say."""
