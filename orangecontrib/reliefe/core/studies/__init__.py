"""Studies: covariates, times with censoring, rows that belong together, and permutations that respect these."""
