"""Endings of the names of files of genotypes; nothing is imported for them, so that --help answers at once."""

BED, NUMPY, VCF = (".bed",), (".npy",), (".vcf", ".vcf.gz", ".vcf.bgz", ".bcf")
ENDINGS = (*BED, *NUMPY, *VCF)


def is_genotypes(path: str) -> bool:
    """True for names of files that `read_genotypes` reads."""
    return path.lower().endswith(ENDINGS)
