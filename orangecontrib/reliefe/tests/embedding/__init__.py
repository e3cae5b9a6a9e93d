"""Tests of embeddings and what they need."""
