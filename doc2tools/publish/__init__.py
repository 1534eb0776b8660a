"""A toolkit as sdist and wheel on a package index: build, check, upload."""
