"""Interactions of features: the features to be paired, their network, and its layout."""
