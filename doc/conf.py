"""Sphinx: ``sphinx-build -n -W -b html doc doc/_build/html``; needs the extra "doc".

With ``-t help`` the pages that F1 shows are built: all but the reference of the code, notebooks, gallery, pages for
developers and teachers, and the dark twins of pictures, which would make a wheel large.
"""

import ast
import doctest
import os
import re
import shutil
import sys
import warnings
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

HERE = Path(__file__).parent
# The package beside these pages is documented, and notebooks, in processes of their own, show the same one.
sys.path.insert(0, str(HERE.parent))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH")]))

from orangecontrib.reliefe import __version__  # noqa: E402
from orangecontrib.reliefe.core import methods  # noqa: E402
from orangecontrib.reliefe.core.words import class_name  # noqa: E402

HELP = "help" in globals().get("tags", ())
project = "Orange3-ReliefE"
author = "The orangecontrib.reliefe developers"
copyright = author
release = version = __version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
NOT_HELP = ["api/*", "changelog.md", "developers/*", "gallery.md", "gallery/*", "notebooks/*", "proof.md", "teaching/*"]
exclude_patterns = ["_build", "_templates", *(NOT_HELP if HELP else [])]
templates_path = ["_templates"]
# What is left out of the help is named in tables of contents all the same.
suppress_warnings = ["ref.python", *(["toc.excluded", "toc.not_readable", "myst.xref_missing"] if HELP else [])]

html_theme = "furo"
html_title = f"ReliefE {release}"
html_static_path = ["_static"]
html_search_scorer = str(HERE / "_static" / "scorer.js")
html_math_renderer = "mathml"
html_css_files = ["site.css"]
html_favicon = html_logo = "_static/logo.svg"
html_theme_options = {"navigation_with_keys": True}
html_copy_source = html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
nb_render_markdown_format = "myst"

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the sections of docstrings say what shapes and ranges arguments have
autodoc_default_options = {"members": True, "show-inheritance": False}
default_role = "code"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
nitpick_ignore_regex = [("py:.*", r".*")]  # types in docstrings are sentences; links of pages are still checked
# umap-learn tells so when it is imported
warnings.filterwarnings("ignore", message=".*n_jobs value.*")


# Pages of public names: doc/write_api.py lists the names, and Sphinx writes a page for each into api/generated.
GENERATED = HERE / "api" / "generated"
autosummary_generate = not HELP
MAX_EXAMPLES = 6  # links on the page of a function
WITH_EXAMPLES = (
    "cookbook",
    "start/python",
    "start/sklearn",
    "scripting",
    "studies",
    "significance",
    "evaluation",
    "genotypes",
)
OF_METHODS = [
    f"orangecontrib.reliefe.{module}.{class_name(method.title)}"
    for module in ("core.estimators", "orange.scorers")
    for method in methods()
]


def names_of_classes_like_functions() -> dict[str, str]:
    """Return other names of files for classes whose names differ from those of functions by capitals only.

    Some systems of files do not distinguish `partners.html` and `Partners.html`.
    """
    pages = "".join(page.read_text(encoding="utf-8") for page in (HERE / "api").glob("*.md"))
    listed = re.findall(r"^   ~(orangecontrib\S+)$", pages, re.MULTILINE)
    lower = [name.lower() for name in listed]
    return {name: f"{name}-class" for name in listed if name != name.lower() and lower.count(name.lower()) > 1}


def imported_names(source: str) -> set[str]:
    """Return the full names that a block of code imports from this package; a session with prompts has none."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {
        f"{node.module}.{name.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("orangecontrib.reliefe")
        for name in node.names
    }


def examples_of_names() -> dict[str, list[tuple[str, str]]]:
    """Return title and address of sections of pages whose code imports a public name, by this name.

    The address is relative to api/generated.
    """
    links_of: dict[str, list[tuple[str, str]]] = {}
    for page in WITH_EXAMPLES:
        sections = re.split(r"^##+ ", (HERE / f"{page}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
        for section in sections[1:]:
            title = section.splitlines()[0]
            blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
            lines = [example.source for example in doctest.DocTestParser().get_examples(section)]
            for name in {name for code in (*blocks, *lines) for name in imported_names(code)}:
                links_of.setdefault(name, []).append((title, f"../../{page}.html#{nodes.make_id(title)}"))
    return {name: links[:MAX_EXAMPLES] for name, links in links_of.items()}


autosummary_filename_map = names_of_classes_like_functions()
autosummary_context = {
    "examples": {} if HELP else examples_of_names(),
    "of_methods": OF_METHODS,
    "with_inherited": [
        "orangecontrib.reliefe",
        "orangecontrib.reliefe.core.estimators",
        "orangecontrib.reliefe.core.estimators.skrebate",
    ],
}


class DarkTwins(SphinxTransform):
    """Beside each picture that has a twin of the name ``NAME-dark.png`` puts it, for readers with dark pages."""

    default_priority = 200

    def apply(self) -> None:
        """Adds the twins; Furo's classes show one of the two."""
        here = Path(self.document["source"]).parent
        for image in list(self.document.findall(nodes.image)):
            twin = f"{image['uri'].removesuffix('.png')}-dark.png"
            if "://" in image["uri"] or not (here / twin).is_file():
                continue
            image["classes"].append("only-light")
            other = image.deepcopy()
            other["uri"], other["classes"] = twin, [*image["classes"][:-1], "only-dark"]
            image.parent.insert(image.parent.index(image) + 1, other)


def mathml(translator: HTML5Translator, node: nodes.Element) -> None:
    """Writes a formula as MathML, which browsers show without a script and without the net."""
    block = isinstance(node, nodes.math_block)
    formula = tex2mathml(node.astext(), as_block=block)
    translator.body.append(f'<div class="math">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def list_attributes(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Makes a list of the attributes that the docstring of a class has as lines ``names (shape): meaning``."""
    attribute = re.compile(r"([a-z_]\w*(?:, [a-z_]\w*)*)( \([^)]*\))?: ")
    shown: list[str] = []
    inside = False
    for line in lines if what == "class" else ():
        if attribute.match(line):
            shown += [""] * (not inside)
            inside = True
            line = attribute.sub(r"- **\1**\2: ", line, count=1)
        elif inside:
            inside = bool(line)
            line = f"  {line}".rstrip()
        shown.append(line)
    lines[:] = shown or lines


def setup(app: Sphinx) -> None:
    """Registers the renderer of formulas, the lists of attributes, and the pictures for dark pages."""
    shutil.rmtree(GENERATED, ignore_errors=True)  # pages of names that are gone
    app.connect("autodoc-process-docstring", list_attributes)
    app.add_html_math_renderer("mathml", inline_renderers=(mathml, None), block_renderers=(mathml, None))
    if not HELP:
        app.add_transform(DarkTwins)
