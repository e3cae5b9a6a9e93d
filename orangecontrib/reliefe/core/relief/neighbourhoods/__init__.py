"""Neighbourhoods: which pairs of rows count."""
