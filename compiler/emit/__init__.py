"""IR in, the files of a Python package out, through the templates."""
