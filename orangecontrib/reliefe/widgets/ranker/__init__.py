"""Parts of a ranker: methods and parameters, table and plot, selection, outputs."""
