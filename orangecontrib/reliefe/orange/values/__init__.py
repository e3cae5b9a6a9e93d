"""Values of one or two features, prepared for a picture."""
