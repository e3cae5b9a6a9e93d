"""Rankings of genetic variants from files or from tables of Orange."""
