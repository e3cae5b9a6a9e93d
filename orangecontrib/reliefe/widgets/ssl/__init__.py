"""Parts of SSL-Relief: its job, its parameters, the influence of unlabelled rows."""
