"""Files of PLINK and VCF, written byte by byte, without the libraries that read them."""

import numpy as np

BITS = {2: 0b00, -1: 0b01, 1: 0b10, 0: 0b11}  # of .bed, by the count of the first allele of the .bim


def codes(n=40, p=90, unknown=0.02, seed=0):
    """Counts of alleles (n, p), of which the first two features decide together."""
    rng = np.random.default_rng(seed)
    found = rng.binomial(2, rng.uniform(0.2, 0.5, p), size=(n, p))
    return np.where(rng.random((n, p)) < unknown, -1, found)


def cases(found):
    """1 or 2 for each person: an XOR of the first two features."""
    return 1 + ((found[:, 0] > 0) != (found[:, 1] > 0)).astype(int)


def write_bed(folder, found, phenotype=None, name="study"):
    """A .bed with .bim and .fam; returns its path."""
    n, p = found.shape
    phenotype = cases(found) if phenotype is None else phenotype
    data = bytearray(b"\x6c\x1b\x01")
    for f in range(p):
        for start in range(0, n, 4):
            byte = 0
            for place, code in enumerate(found[start : start + 4, f].tolist()):
                byte |= BITS[code] << (2 * place)
            data.append(byte)
    path = folder / f"{name}.bed"
    path.write_bytes(bytes(data))
    lines = [f"{1 + f // 50}\trs{f}\t0\t{100 * f + 7}\tA\tG" for f in range(p)]
    path.with_suffix(".bim").write_text("\n".join(lines) + "\n")
    lines = [f"F{i} P{i} 0 0 1 {value}" for i, value in enumerate(phenotype)]
    path.with_suffix(".fam").write_text("\n".join(lines) + "\n")
    return path


def write_vcf(folder, found):
    """A .vcf of the same genotypes; returns its path."""
    n, p = found.shape
    texts = {0: "0/0", 1: "0/1", 2: "1/1", -1: "./."}
    lines = ["##fileformat=VCFv4.2", '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">']
    lines += [f"##contig=<ID={c}>" for c in (1, 2)]
    lines.append("\t".join(["#CHROM", "POS", "ID", "REF", "ALT", "QUAL", "FILTER", "INFO", "FORMAT"]
                           + [f"P{i}" for i in range(n)]))  # fmt: skip
    for f in range(p):
        cells = [texts[code] for code in found[:, f].tolist()]
        head = [str(1 + f // 50), str(100 * f + 7), f"rs{f}", "G", "A", ".", ".", ".", "GT"]
        lines.append("\t".join(head + cells))
    path = folder / "study.vcf"
    path.write_text("\n".join(lines) + "\n")
    return path
