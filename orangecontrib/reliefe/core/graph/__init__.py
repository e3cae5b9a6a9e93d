"""Graphs of near rows: neighbours, weights, Laplacian, eigenvectors, and how smooth features are on them."""
