"""Rows as points: for graphs, filters and embeddings."""
