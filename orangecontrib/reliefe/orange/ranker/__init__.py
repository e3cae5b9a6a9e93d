"""Facts about a ranking for its window, and tables and tools made from it."""
