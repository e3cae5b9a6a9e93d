"""Parts of the widgets with one result: intrinsic dimension and sparsification."""
