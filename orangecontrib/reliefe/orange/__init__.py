"""Orange's tables: rankings, scorers, learners and pairs of features on them; with `core` for the arrays."""
