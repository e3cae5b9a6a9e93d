"""Parts of Rank Genotypes: a Manhattan plot, the best variants, and the genotypes of one by class."""
