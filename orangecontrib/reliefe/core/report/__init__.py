"""A ranking as one web page that can be sent to a colleague: a file without network access or other files.

`write_report` (page.py) is exported by `core` for arrays; `orange/ranking.py` calls it for tables, and
`command/listing.py` for `--report`.
"""
