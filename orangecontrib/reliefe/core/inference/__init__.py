"""Features and pairs of features that differ from chance."""
