"""The views of Ranking Comparison, and what they compare; no widgets of the canvas."""
