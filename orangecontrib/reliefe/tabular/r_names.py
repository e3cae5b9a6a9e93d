"""Names as R changes them, when `read.csv` or `data.frame` makes names of columns from names of samples.

`beside` calls `make_names` where two tables have no names in common: R has written X1.A for the sample 1-A.
"""

# Reserved words of R, to which make.names appends a dot
RESERVED = frozenset(
    (
        *("if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL", "Inf"),
        *("NaN", "NA", "NA_integer_", "NA_real_", "NA_character_", "NA_complex_"),
    )
)


def make_names(name: str) -> str:
    """Return a name as the function make.names of R writes it.

    Characters other than letters, digits, dots and underscores become dots. An X comes before names that do not begin
    with a letter, or with a dot without a digit behind it. A dot comes behind words of the language.
    """
    changed = "".join(character if character.isalnum() or character in "._" else "." for character in name)
    begins_like_a_number = name.startswith(".") and name[1:2].isdecimal()
    # R decides on the name before dots stand for other characters
    if not (name[:1].isalpha() or name[:1] == ".") or begins_like_a_number:
        changed = f"X{changed}"
    return f"{changed}." if changed in RESERVED else changed
