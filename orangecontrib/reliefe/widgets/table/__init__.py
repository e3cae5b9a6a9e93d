"""Tables of columns, their filter, and how they are copied and saved."""
