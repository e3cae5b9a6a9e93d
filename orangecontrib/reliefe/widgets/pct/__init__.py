"""Parts of the forest ranker: its job, its parameters, convergence, output."""
