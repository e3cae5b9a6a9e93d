"""Start a benchmark by its name: ``python -m benchmarks NAME OPTIONS``; without a name, a list of them.

python -m benchmarks reproduce --data FOLDER     the proof: doc/proof.md
python -m benchmarks which --table               as python benchmarks/which.py --table
"""

import ast
import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def commands() -> dict[str, str]:
    """First sentence of every file that can be started, by its name."""
    found = {}
    for file in sorted(FOLDER.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        if file.name != Path(__file__).name and '__name__ == "__main__"' in text:
            found[file.stem] = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
    return found


def main() -> int:
    """Hand the other arguments over to the file of that name."""
    known = commands()
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__ + "\n" + "\n".join(f"{name:18}{text.split(':')[0]}" for name, text in known.items()))
        return 0
    name = sys.argv.pop(1)
    if name not in known:
        print(f"there is no benchmark {name}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    sys.path[0] = str(FOLDER)
    sys.argv[0] = str(FOLDER / f"{name}.py")
    runpy.run_path(sys.argv[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
