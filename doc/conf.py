"""Sphinx: ``sphinx-build -n -W -b html doc doc/_build/html``; needs the extra "doc".

With ``-t help`` the pages that F1 shows are built: all but the reference of the code, notebooks, gallery, pages for
developers and teachers, and the dark twins of pictures, which would make a wheel large.
"""

import os
import re
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

HELP = "help" in globals().get("tags", ())
project = "Orange3-ReliefE"
author = "The orangecontrib.reliefe developers"
copyright = author
release = version = __version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
NOT_HELP = ["api/*", "changelog.md", "developers/*", "gallery.md", "notebooks/*", "proof.md", "teaching/*"]
exclude_patterns = ["_build", *(NOT_HELP if HELP else [])]
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
    app.connect("autodoc-process-docstring", list_attributes)
    app.add_html_math_renderer("mathml", inline_renderers=(mathml, None), block_renderers=(mathml, None))
    if not HELP:
        app.add_transform(DarkTwins)
