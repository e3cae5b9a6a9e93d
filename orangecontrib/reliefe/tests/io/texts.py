"""Beginnings of files, for the tests of readers."""

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute t string\n@data\n"
NUMBER = "@relation r\n@attribute a numeric\n@data\n"
MULAN = '<labels xmlns="http://mulan.sourceforge.net/labels">{}</labels>'
FIMP = "attributeDatasetIndex\tattributeName\t[sRank]\t[s]\n" + "-" * 50 + "\n"


def hierarchy(declared: str, rows: str = "1,?\n") -> str:
    """ARFF with a hierarchical class."""
    return f"@relation r\n@attribute x numeric\n@attribute class hierarchical {declared}\n@data\n{rows}"
