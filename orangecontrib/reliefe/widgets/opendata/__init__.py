"""Parts of Open Data."""
