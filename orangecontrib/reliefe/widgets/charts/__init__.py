"""Charts: axes, legends, names of curves, and points that can be pointed at."""
