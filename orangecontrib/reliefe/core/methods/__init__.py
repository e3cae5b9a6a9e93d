"""Methods that rank features, one noun per file, and the registry of them."""
