"""What rankings are made of: features and targets, whatever form they come in."""
