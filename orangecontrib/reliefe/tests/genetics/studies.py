"""Files of PLINK and VCF, written byte by byte, without the libraries that read them."""

import re
import struct

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


def as_bcf(text):
    """The binary form of a VCF, not packed, with an integer of its own before the genotypes of each person.

    DS follows GT where it is there; its header is the second FORMAT then.
    """
    head, *records = re.split(r"\n(?!#)", text.strip())

    def typed(kind, data, length=None):
        length = len(data) if length is None else length
        return bytes([(length << 4) | kind] if length < 15 else [0xF0 | kind, 0x12, *struct.pack("<h", length)]) + data

    out = b"BCF\2\2" + struct.pack("<I", len(head) + 2) + head.encode() + b"\n\0"
    for record in records:
        chromosome, position, name, *alleles, _, _, _, _ = (cells := record.split("\t"))[:9]
        calls = [re.split("[/|]", cell.split(":")[0]) for cell in cells[9:]]
        ploidy = max(map(len, calls))
        values = [[0 if a == "." else 2 * int(a) + 2 for a in call] + [-127] * (ploidy - len(call)) for call in calls]
        alleles = [allele for allele in alleles if allele != "."]
        dosages = [cell.split(":")[1].split(",") for cell in cells[9:]] if cells[8] == "GT:DS" else []
        n_fields = 3 if dosages else 2
        numbers = int(chromosome) - 1, int(position) - 1, 1, 0, len(alleles) << 16, len(calls) | n_fields << 24
        shared = struct.pack("<3if2I", *numbers)
        shared += b"".join(typed(7, part.encode()) for part in (name.strip("."), *alleles)) + b"\0"
        own = b"\x11\x07" + typed(2, bytes(2 * len(calls)), 1)
        own += b"\x11\x01" + typed(1, np.array(values, np.int8).tobytes(), ploidy)
        if dosages:
            width = max(map(len, dosages))
            floats = b"".join(
                b"\1\0\x80\x7f" if text == "." else struct.pack("<f", float(text))
                for cell in dosages
                for text in (*cell, *["."] * (width - len(cell)))
            )
            own += b"\x11\x02" + typed(5, floats, width)
        out += struct.pack("<2I", len(shared), len(own)) + shared + own
    return out
